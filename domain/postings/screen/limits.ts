import type { Finding, ListingText } from './finding.ts'

/** Largest listing that the screen admits, in UTF-16 code units, entries and levels. Source: http, "External posting", listing screen. */
export const SCREEN_LIMITS = {
  title: 240,
  description: 4000,
  /** Each acceptance criterion. */
  criterion: 1500,
  /** Each instruction to the agent. */
  instruction: 1500,
  /** A member whose name ends in `ref` or `refs`. */
  reference: 240,
  /** Every other text, names of members included. */
  text: 8000,
  /** Of one array or object. */
  entries: 100,
  /** Objects and arrays inside each other; the definition itself is the first. */
  depth: 12,
  /** Texts, names and printed values together; an empty array or object counts as two. */
  total: 24_000,
} as const

/** What the definition holds, as far as its limits admit it. */
export interface MeasuredListing {
  texts: ListingText[]
  findings: Finding[]
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Limit of a string by its place. */
function limitOf(path: readonly string[]): number {
  const [top = ''] = path
  if (path.length === 1 && (top === 'title' || top === 'description')) return SCREEN_LIMITS[top]
  if (top === 'acceptanceCriteria') return SCREEN_LIMITS.criterion
  if (top === 'agentInstructions') return SCREEN_LIMITS.instruction
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? ''
  return /(?:Refs?|^refs?|_refs?)$/.test(name) ? SCREEN_LIMITS.reference : SCREEN_LIMITS.text
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Walks the definition once and stops at each limit, so that later work is bounded by the limits and not by the input. */
export function measureListing(definition: unknown): MeasuredListing {
  const texts: ListingText[] = []
  const findings: Finding[] = []
  let total = 0
  const add = (pointer: string, rule: string, message: string, limit?: number): void => {
    findings.push({ pointer, rule, ...(limit === undefined ? {} : { limit }), message })
  }
  const isFull = (): boolean => total > SCREEN_LIMITS.total
  const takeText = (pointer: string, value: string, limit: number, isName: boolean): void => {
    total += value.length
    if (value.length > limit) add(pointer, 'text_too_long', `The text has more than ${limit} characters.`, limit)
    else if (!value.isWellFormed()) add(pointer, 'unreadable_character', 'The text holds half of a character.')
    else texts.push({ pointer, value, isName })
  }
  const visit = (value: unknown, path: readonly string[], pointer: string): void => {
    if (isFull()) return
    if (typeof value === 'string') takeText(pointer, value, limitOf(path), false)
    else if (isContainer(value)) visitEntries(value, path, pointer)
    else if (value === null || typeof value === 'boolean' || Number.isFinite(value)) total += String(value).length
    else add(pointer, 'not_json', 'The definition holds a value that JSON cannot hold.')
  }
  const visitEntries = (value: object, path: readonly string[], pointer: string): void => {
    total += 2
    if (path.length >= SCREEN_LIMITS.depth) {
      add(pointer, 'too_deep', `The definition nests more than ${SCREEN_LIMITS.depth} levels.`, SCREEN_LIMITS.depth)
      return
    }
    const isList = Array.isArray(value)
    const names = Object.keys(value)
    const entries = isList ? value.length : names.length
    if (entries > SCREEN_LIMITS.entries) {
      add(pointer, 'too_many_entries', `The array or object has more than ${SCREEN_LIMITS.entries} entries.`, SCREEN_LIMITS.entries)
      return
    }
    for (const name of names) {
      if (isFull()) return
      const entry = `${pointer}/${escapePointer(name)}`
      if (!isList) takeText(entry, name, SCREEN_LIMITS.text, true)
      visit((value as Record<string, unknown>)[name], [...path, name], entry)
    }
  }
  if (!isContainer(definition) || Array.isArray(definition)) add('', 'not_json', 'The definition is not a JSON object.')
  else visit(definition, [], '')
  if (isFull()) {
    add('', 'listing_too_long', `The definition has more than ${SCREEN_LIMITS.total} characters in all.`, SCREEN_LIMITS.total)
  }
  // A listing above the total is refused for it; none of its texts is read.
  return { texts: isFull() ? [] : texts, findings }
}
