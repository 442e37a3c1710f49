import { base64, hex } from '@scure/base'

/** Shortest run that is decoded, and shortest one that is a blob whatever it decodes to. */
const SHORTEST_TEXT = 24
const SHORTEST_BLOB = 100
/** Shortest line that is joined with the next one. */
const SHORTEST_LINE = 32

const RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/g
const LINE = /^[ \t>]*([A-Za-z0-9+/_-]{32,}={0,2})[ \t]*$/

const isHex = (run: string): boolean => /^(?:0x)?[0-9a-f]+$/i.test(run)

/** Whether nearly all bytes print. */
const isText = (bytes: Uint8Array): boolean => {
  const printed = bytes.reduce((count, byte) => count + (byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127) ? 1 : 0), 0)
  return bytes.length > 0 && printed >= bytes.length * 0.95
}

const decode = (run: string): Uint8Array => {
  const digits = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  return base64.decode(digits.slice(0, digits.length - (digits.length % 4)))
}

/** Share of neighbours of different kinds: high in encoded bytes, low in names and paths. */
const isMixed = (run: string): boolean => {
  const kinds = Array.from(run, (letter) => (/[a-z]/.test(letter) ? 0 : /[A-Z]/.test(letter) ? 1 : /\d/.test(letter) ? 2 : 3))
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length
  return changes >= run.length / 4 && new Set(kinds).size >= 3
}

/** Whether a run of letters, digits and signs is an encoded text, or a long piece of encoded bytes. */
function isEncoded(run: string, isInAddress: boolean): boolean {
  if (isHex(run)) {
    const digits = run.replace(/^0x/i, '')
    return digits.length >= 2 * SHORTEST_TEXT && digits.length % 2 === 0 && isText(hex.decode(digits.toLowerCase()))
  }
  if (run.length >= SHORTEST_TEXT && isText(decode(run))) return true
  return !isInAddress && run.length >= SHORTEST_BLOB && isMixed(run)
}

/** Lines that hold nothing but one run, joined with their neighbours. */
function joinLines(text: string): string[] {
  const joined: string[] = []
  let open = ''
  for (const line of text.split(/\r?\n/)) {
    const [, run] = LINE.exec(line) ?? []
    open += run ?? ''
    const isLast = run === undefined || run.length < SHORTEST_LINE
    if (!isLast) continue
    if (open !== '') joined.push(open)
    open = ''
  }
  return open === '' ? joined : [...joined, open]
}

/** Whether a text holds encoded bytes. */
export function hasEncodedBytes(text: string): boolean {
  const addresses = text.match(/(?:https|ipfs|schema):\/\/\S+/gi) ?? []
  const rest = text.replaceAll(/(?:https|ipfs|schema):\/\/\S+/gi, ' ')
  const runs = (part: string): string[] => part.match(RUN) ?? []
  return (
    addresses.flatMap(runs).some((run) => isEncoded(run, true)) || [...runs(rest), ...joinLines(rest)].some((run) => isEncoded(run, false))
  )
}
