import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Codings that an answer may have where the caller asks for decoding. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br'

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/** Encoded bytes beyond the limit of the decoded ones: headers and blocks of a coding that holds nothing. */
const CODING_BYTES = 64 * 1024

class TooLong extends Error {}

export interface BodyLimits {
  /** Maximum length of the decoded body. A longer one fails, or is cut if `cut` is set. */
  maxBytes: number
  cut?: boolean
  /** Whether a coding is undone. Without it a coded body is returned as it came. */
  decode?: boolean
  /** Gets each chunk; reading ends when it returns true, and the body is what came so far. */
  isEnough?: (chunk: Buffer) => boolean
}

/** A body, or why there is none. */
export type BodyResult = { body: Buffer } | { fault: 'too_large' | 'encoding'; detail: string }

async function* bounded(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes) throw new TooLong()
    yield chunk
  }
}

const hasBody = (status: number | undefined): boolean => status !== 204 && status !== 304

/** Stream of the decoded bytes; null for a coding that is not supported. */
const decodedStream = (answer: IncomingMessage, { maxBytes, decode }: BodyLimits): AsyncIterable<Buffer> | null => {
  const coding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (decode !== true || coding === 'identity' || coding === '' || !hasBody(answer.statusCode)) return answer
  const create = Object.hasOwn(DECODERS, coding) ? DECODERS[coding as keyof typeof DECODERS] : undefined
  if (create === undefined) return null
  // The reader of the decoder gets every error; the callback only keeps it from being thrown a second time.
  return pipeline(
    answer,
    (source: AsyncIterable<Buffer>) => bounded(source, maxBytes + CODING_BYTES),
    create(),
    () => undefined,
  )
}

const isCodingError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(Z_|ERR__|ERR_BROTLI)/.test(error.code)

const readChunks = async (
  stream: AsyncIterable<Buffer>,
  { maxBytes, isEnough }: BodyLimits,
): Promise<{ chunks: Buffer[]; isWhole: boolean }> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) return { chunks, isWhole: false }
    if (isEnough?.(chunk)) break
  }
  return { chunks, isWhole: true }
}

/** Reads a body up to a length of decoded bytes, and no further. Throws when the connection breaks. */
export const readBody = async (answer: IncomingMessage, limits: BodyLimits): Promise<BodyResult> => {
  const { maxBytes, cut } = limits
  const tooLarge: BodyResult = { fault: 'too_large', detail: `more than ${maxBytes} bytes` }
  const stream = decodedStream(answer, limits)
  if (stream === null) {
    answer.destroy()
    return { fault: 'encoding', detail: 'a coding that was not asked for' }
  }
  try {
    const { chunks, isWhole } = await readChunks(stream, limits)
    if (!isWhole || !answer.complete) answer.destroy()
    return isWhole || cut === true ? { body: Buffer.concat(chunks).subarray(0, maxBytes) } : tooLarge
  } catch (error) {
    answer.destroy()
    if (error instanceof TooLong) return tooLarge
    if (isCodingError(error)) return { fault: 'encoding', detail: 'not in the coding that it names' }
    throw error
  }
}
