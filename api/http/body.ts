import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { findJsonFault, type JsonFault } from '../../domain/http/json-faults.ts'
import { unreadableBody } from '../../domain/http/request-metadata.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { boundedPointer } from '../../schemas/operations/field-errors.ts'
import { refuseBadText } from './input.ts'
import { invalidRequest } from './problem.ts'

const tooLarge = (limit: number): ServiceError =>
  new ServiceError('payload_too_large', { detail: `A request body has at most ${limit} bytes.`, details: { maxBodyBytes: limit } })

/** Bytes of a body. Throws 415 for a body that is not JSON in UTF-8 by its headers, 413 while too many bytes stream in. */
export const readBytes = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const { headers } = request
  const length = Number(headers['content-length'] ?? 0)
  const hasBody = headers['transfer-encoding'] !== undefined || length > 0
  const unreadable = hasBody ? unreadableBody(headers['content-type'] ?? '', headers['content-encoding'] ?? '') : null
  if (unreadable !== null) throw new ServiceError('unsupported_media_type', { detail: unreadable })
  if (length > limit) throw tooLarge(limit)
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

const BYTE_ORDER_MARK = /^\ufeff/

const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(BYTE_ORDER_MARK, '')

/** Parses a body that may name a member twice; a byte order mark is ignored. Throws 400 `invalid_request` for text that is not JSON. */
export const parseLoosely = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw notJson()
  try {
    return JSON.parse(textOf(bytes))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson()
  }
}

/** What two readers of a JSON body, or of one member of it, may read differently; null when nothing. Takes many times as long as parsing it. */
export const bodyFault = (bytes: Buffer, member?: string): JsonFault | null => findJsonFault(textOf(bytes), member)

const FAULTS: Readonly<Record<JsonFault['rule'], string>> = {
  unique: 'is named twice in one object',
  digits: 'has more digits than a number keeps, so readers round it: send it as text',
}

/** Parses a body. Throws 400 `invalid_request` for text that is not JSON, names a member twice or has a number that would be rounded. */
export const parseJson = (bytes: Buffer): unknown => {
  const value = parseLoosely(bytes)
  const fault = bodyFault(bytes)
  if (fault !== null) throw invalidRequest([{ pointer: boundedPointer(fault.pointer), rule: fault.rule, message: FAULTS[fault.rule] }])
  return value
}

/** JSON object of a request; an empty body counts as `{}`. Throws 413 while the bytes stream in, 400 for anything but an object. */
export const readJsonObject = async (request: IncomingMessage, limit: number): Promise<Record<string, unknown>> => {
  const bytes = await readBytes(request, limit)
  const value = bytes.toString('utf8').trim() === '' ? {} : parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest([{ pointer: '', rule: 'object', message: 'must be a JSON object' }])
  refuseBadText(value, 'body')
  return value as Record<string, unknown>
}
