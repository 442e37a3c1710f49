import { z } from 'zod'

const hasNoCredentials = (address: string): boolean => {
  const url = URL.parse(address)
  return url === null || (url.username === '' && url.password === '')
}

/** Address of a document or page that a caller names; its host is checked when it is fetched. Answers show it, so that it holds no credentials. */
export const SourceAddress = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine(hasNoCredentials, 'holds a user name or password, which an address of a source must not')
  // The document states the rule in its own way: no @ before the path.
  .meta({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\\\]+(?:[/?#].*)?$' })
