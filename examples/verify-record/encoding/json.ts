// Strict JSON and its canonical text (RFC 8785). Runs in Node and in browsers.

/** Text of UTF-8 bytes without one leading byte order mark; undefined for other bytes. */
export const decodeText = (bytes: Uint8Array | ArrayBuffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The same for a named file. Throws where the bytes are not UTF-8. */
export const getText = (bytes: Uint8Array | ArrayBuffer, name: string): string => {
  const text = decodeText(bytes)
  if (text === undefined) throw new Error(`${name} is not UTF-8`)
  return text
}

/** What a reader can choose to have a refused record read in another way. */
export type Choice = 'now' | 'unpublished'

/** What a record is refused for. */
export class Refused extends Error {
  readonly choice: Choice | null
  constructor(message: string, choice: Choice | null = null) {
    super(message)
    this.choice = choice
  }
}

/** A refusal for want of evidence: other keys or later heads can bear the record out. */
export class Undecided extends Refused {}

/** A refusal of what is none of the records that are checked here. */
export class UnknownRecord extends Refused {}

export const assert = (holds: boolean, why: string): void => {
  if (!holds) throw new Refused(why)
}

/** Rules of a record, by the reason to refuse a record that breaks one. */
export type Rules<Facts> = Readonly<Record<string, (facts: Facts) => boolean>>

export const assertRules = <Facts>(rules: Rules<Facts>, facts: Facts): void => {
  for (const [why, holds] of Object.entries(rules)) assert(holds(facts), why)
}

/** A token of JSON in which each escape is two other characters: so no number of escapes exhausts the stack. */
const TOKEN = /"[^"]*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Most levels of a value, so that none exhausts the stack. */
const MOST_LEVELS = 64

/** Parses JSON. Refuses what two readers could read differently: a member twice, or a number that is not written as its double is. */
export const parseStrict = (text: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UnknownRecord('it is not JSON')
  }
  const open: (Set<string> | null)[] = []
  let before = ''
  for (const { 0: match, index } of text.replaceAll(/\\./g, '__').matchAll(TOKEN)) {
    const token = text.slice(index, index + match.length)
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') noteMember(open.at(-1), JSON.parse(before))
    else if (/^-?\d/.test(token)) assertNumber(token)
    if (open.length > MOST_LEVELS) throw new UnknownRecord(`it has more than ${MOST_LEVELS} levels`)
    before = token
  }
  return value
}

const noteMember = (members: Set<string> | null | undefined, name: string): void => {
  if (members?.has(name)) throw new Refused(`it has the member ${printable(name)} twice`)
  members?.add(name)
}

/** The digits count: `0.99999999999999999` is no 1. */
const assertNumber = (token: string): void => {
  const value = Number(token)
  if (JSON.stringify(value) !== token || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new Refused(`it has the number ${printable(token)}, which readers round differently`)
}

/** Canonical text of a JSON value: members sorted, no white space. Refuses text that has no UTF-8 form. */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Refused('it has half of a surrogate pair')
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${canonical(name)}:${canonical(member)}`).join(',')}}`
}

export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that must be text. */
export const textOf = (value: Members, name: string): string => {
  const member = value[name]
  if (typeof member !== 'string') throw new Refused(`its ${name} is no text`)
  return member
}

/** Epoch ms of an instant in the one form that records have. Refuses another form, and a day that no calendar has. */
export const instantOf = (text: string): number => {
  const at = Date.parse(text)
  if (Number.isNaN(at) || new Date(at).toISOString() !== text)
    throw new Refused(`${printable(text)} is no instant of the form 2026-01-02T03:04:05.000Z`)
  return at
}

/** How far the clocks of service, chain and reader may differ. */
const CLOCKS_DIFFER_MS = 86_400_000

/** Whether one instant is not later than the other, as clocks that differ may date them. */
export const isInOrder = (first: unknown, second: unknown): boolean =>
  instantOf(String(first)) <= instantOf(String(second)) + CLOCKS_DIFFER_MS

/** Refuses an instant that has not come at `now`, epoch ms. */
export const assertPast = (text: string, now: number, what: string): void => {
  if (instantOf(text) > now + CLOCKS_DIFFER_MS) throw new Refused(`${what} is dated ${text}, and that has not come`, 'now')
}

/** Text without characters that move a terminal's cursor. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')

export const toHex = (bytes: Uint8Array): string => `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** SHA-256 of the canonical text of a value. */
export const sha256Of = async (value: unknown): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(canonical(value)))))
