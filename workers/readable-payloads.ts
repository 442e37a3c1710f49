import type { Payload, PayloadCodec } from '@temporalio/common'

const ENCODINGS: ReadonlySet<string> = new Set(['binary/null', 'binary/plain', 'json/plain'])
/** What a process is given instead: nothing at all. */
const NOTHING: Payload = { metadata: { encoding: new TextEncoder().encode('binary/null') } }

const isReadable = ({ metadata, data }: Payload): boolean => {
  const encoding = new TextDecoder().decode(metadata?.encoding ?? new Uint8Array())
  if (!ENCODINGS.has(encoding)) return false
  if (encoding !== 'json/plain') return true
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data ?? new Uint8Array()))
    return true
  } catch {
    return false
  }
}

/**
 * Whoever reaches the engine can send a signal with bytes that nobody can read. Decoding them fails the workflow task, again and again, and
 * with it every timer of the process: such a payload counts as none, and the process judges that like any other it does not understand.
 */
export const readablePayloads: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => payloads.map((payload) => (isReadable(payload) ? payload : NOTHING)),
}
