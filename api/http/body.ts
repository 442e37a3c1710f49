import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../schemas/errors.ts'
import { refuseBadText } from './input.ts'
import { invalidRequest } from './problem.ts'

const tooLarge = (limit: number): ServiceError =>
  new ServiceError('payload_too_large', { detail: `A request body has at most ${limit} bytes.`, details: { maxBodyBytes: limit } })

/** Bytes of a body. Throws 413 while they stream in. */
export const readBytes = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw invalidRequest([{ pointer: '', rule: 'complete', message: 'was cut off' }])
  }
  return Buffer.concat(chunks)
}

const notJson = (): ServiceError => invalidRequest([{ pointer: '', rule: 'json', message: 'is not valid JSON in UTF-8' }])

/** Parses a body. Throws 400 `invalid_request` for text that is not JSON. */
export const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson()
  }
}

/** JSON object of a request; an empty body counts as `{}`. Throws 413 while the bytes stream in, 400 for anything but an object. */
export const readJsonObject = async (request: IncomingMessage, limit: number): Promise<Record<string, unknown>> => {
  const bytes = await readBytes(request, limit)
  if (!isUtf8(bytes)) throw notJson()
  const value = bytes.toString('utf8').trim() === '' ? {} : parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest([{ pointer: '', rule: 'object', message: 'must be a JSON object' }])
  refuseBadText(value, 'body')
  return value as Record<string, unknown>
}
