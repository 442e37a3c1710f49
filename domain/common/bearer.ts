import { ServiceError } from '../../schemas/errors.ts'

/** Token of an `Authorization: Bearer` header; null without the header. Another scheme is a malformed token. */
export const bearerOf = (header: string | undefined): string | null => {
  if (header === undefined || header === '') return null
  const [, token] = /^Bearer +([^ ]+) *$/i.exec(header) ?? []
  if (token === undefined) throw new ServiceError('malformed_token')
  return token
}
