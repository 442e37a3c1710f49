/** Longest fact that a job commits to, UTF-16 units. */
const FACT_MAX = 2_000

/** Names of the first record of a table, and the number of records after it. */
export interface Table {
  columns: string[]
  rows: number
}

/** Fields of a record beyond which a text is no table. */
const FIELDS_MAX = 10_000
const QUOTE = '"'

/** Where a quoted field that begins at `start` ends: behind its closing quotation mark; null without one. */
function endOfQuoted(text: string, start: number): number | null {
  let index = start + 1
  for (;;) {
    const mark = text.indexOf(QUOTE, index)
    if (mark === -1) return null
    if (text[mark + 1] !== QUOTE) return mark + 1
    index = mark + 2
  }
}

/** One field: its text, where the next begins, and whether its record ends with it; null for an open quotation mark or text behind a closed one. */
function readField(text: string, start: number): { value: string; next: number; endsRecord: boolean } | null {
  const isQuoted = text[start] === QUOTE
  const closed = isQuoted ? endOfQuoted(text, start) : start
  if (closed === null) return null
  let end = closed
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1
  if (isQuoted && end !== closed) return null
  const value = isQuoted ? text.slice(start + 1, closed - 1).replaceAll('""', QUOTE) : text.slice(start, end)
  if (text[end] === ',') return { value, next: end + 1, endsRecord: false }
  const next = text.startsWith('\r\n', end) ? end + 2 : end + 1
  return { value, next, endsRecord: true }
}

/** Table of comma-separated text; blank lines do not count. Null where quotation marks do not pair or nothing is in it. Source: RFC 4180. */
export function readTable(given: string): Table | null {
  const text = given.endsWith('\n') ? given : `${given}\n`
  let columns: string[] | null = null
  let rows = 0
  let record: string[] = []
  for (let index = 0; index < text.length; ) {
    const field = readField(text, index)
    if (field === null || record.length >= FIELDS_MAX) return null
    record.push(field.value.trim())
    index = field.next
    if (!field.endsRecord) continue
    const isBlank = record.length === 1 && record[0] === ''
    if (columns !== null && !isBlank) rows += 1
    columns ??= isBlank ? null : record
    record = []
  }
  return columns === null ? null : { columns, rows }
}

const isFact = (fact: string): boolean => fact.length <= FACT_MAX && fact.isWellFormed() && !fact.includes('\u0000')

/** Names of columns that the verifier could take for another fact, or whose first character it skips. */
const isUnclear = (names: string): boolean =>
  !/^[\p{L}\p{N}_]/u.test(names) || /(?:sha256|bytes|columns|rows)["'`*“”]*[ :=]/i.test(names.normalize('NFKC'))

/** `columns a,b,c` and `rows <n>` of comma-separated text, without a fact that could not be stated clearly; none where it is no table. */
export function tableFacts(text: string): string[] {
  const table = readTable(text)
  if (table === null) return []
  const names = table.columns.join(',')
  const columns = `columns ${names}`
  return [...(isUnclear(names) || !isFact(columns) ? [] : [columns]), `rows ${table.rows}`]
}

/** `top-level array|object` and `entries <n>`, elements or members; none where the text is no JSON or a single value. */
export function jsonFacts(text: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return []
  }
  if (Array.isArray(value)) return ['top-level array', `entries ${value.length}`]
  if (value === null || typeof value !== 'object') return []
  return ['top-level object', `entries ${Object.keys(value).length}`]
}
