import type { Payload, PayloadCodec } from '@temporalio/common'

const ENCODINGS: ReadonlySet<string> = new Set(['binary/null', 'binary/plain', 'json/plain'])
/** Replaces an unreadable payload. */
const EMPTY: Payload = { metadata: { encoding: new TextEncoder().encode('binary/null') } }

/** Eight times the body limit of the API. A workflow task has ten seconds; decoding a burst of larger payloads takes longer. */
const MAX_BYTES = 512 * 1024

/** Keeps a byte order mark, as the converter that reads the payload does. */
const textOf = (bytes: Uint8Array | null | undefined): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array())

const isReadable = ({ metadata, data }: Payload): boolean => {
  try {
    const encoding = textOf(metadata?.encoding)
    if (!ENCODINGS.has(encoding) || (data?.length ?? 0) > MAX_BYTES) return false
    if (encoding === 'json/plain') JSON.parse(textOf(data))
    return true
  } catch {
    return false
  }
}

/** Rejects an outgoing payload that could not be decoded again, so that the failure appears at its sender. */
const assertSize = (payload: Payload): Payload => {
  const size = payload.data?.length ?? 0
  if (size > MAX_BYTES) throw new RangeError(`a payload of ${size} bytes exceeds the limit of ${MAX_BYTES}`)
  return payload
}

/**
 * Every client of the Temporal namespace can send a signal with unreadable or oversized bytes. Decoding them would fail the workflow task
 * forever and block its timers. Such a payload becomes empty, and the process ignores it like any malformed one.
 */
export const readablePayloads: PayloadCodec = {
  encode: async (payloads) => payloads.map(assertSize),
  decode: async (payloads) => payloads.map((payload) => (isReadable(payload) ? payload : EMPTY)),
}
