import type { Payload, PayloadCodec } from '@temporalio/common'

const ENCODINGS: ReadonlySet<string> = new Set(['binary/null', 'binary/plain', 'json/plain'])
/** What a process is given instead: nothing at all. */
const NOTHING: Payload = { metadata: { encoding: new TextEncoder().encode('binary/null') } }

/** Eight times the body limit of the API, whose one longer body never comes to a process. The engine gives a task ten seconds, and a burst of larger ones takes longer. */
const MOST_BYTES = 512 * 1024

/** A byte order mark stays where it is, as for the converter that reads the payload in the end. */
const textOf = (bytes: Uint8Array | null | undefined): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array())

const isReadable = ({ metadata, data }: Payload): boolean => {
  try {
    const encoding = textOf(metadata?.encoding)
    if (!ENCODINGS.has(encoding) || (data?.length ?? 0) > MOST_BYTES) return false
    if (encoding === 'json/plain') JSON.parse(textOf(data))
    return true
  } catch {
    return false
  }
}

/** What is sent from here must be readable here: a step that gives more fails where somebody sees it. */
const inSize = (payload: Payload): Payload => {
  const size = payload.data?.length ?? 0
  if (size > MOST_BYTES) throw new RangeError(`a payload of ${size} bytes: a process is given ${MOST_BYTES} at most`)
  return payload
}

/**
 * Whoever reaches the engine can send a signal with bytes that nobody can read, or more of them than a task has time for. Decoding them
 * fails the workflow task, again and again, and with it every timer of the process: such a payload counts as none, and the process judges
 * that like any other it does not understand.
 */
export const readablePayloads: PayloadCodec = {
  encode: async (payloads) => payloads.map(inSize),
  decode: async (payloads) => payloads.map((payload) => (isReadable(payload) ? payload : NOTHING)),
}
