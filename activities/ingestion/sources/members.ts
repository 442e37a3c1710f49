/** Members of an answer that any member may lack, or have in another form. */
export type Members = Readonly<Record<string, unknown>>

/** The value as an object; empty for anything else. */
export const membersOf = (value: unknown): Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Members) : {}

/** The first elements of a list; none for anything else. */
export const elementsOf = (value: unknown, most: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : [])

/** A text that is more than white space; null for anything else. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

/** A whole number greater than zero; null for anything else. */
export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null

const DATE = /^\d{4}-\d{2}-\d{2}/
const TIME_WITHOUT_ZONE = /T[\d:.]+$/

/** ISO instant of a date or time; a time without a zone is UTC. Null for anything else, such as a frequency. */
export function instantOrNull(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 40 || !DATE.test(value)) return null
  const epochMs = Date.parse(TIME_WITHOUT_ZONE.test(value) ? `${value}Z` : value)
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString()
}

/** Absolute http or https address of at most 2,000 characters without credentials; null for anything else. */
export function addressOrNull(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2_000) return null
  const url = URL.parse(value.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' && url.href.length <= 2_000 ? url.href : null
}
