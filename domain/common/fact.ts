/**
 * One fact of the evaluator. `unknown` was not read, as chain facts of a list, and never refuses. `unreadable` could not be read, so gates
 * that fail closed refuse.
 */
export type Fact<T> = { known: T } | 'unknown' | 'unreadable'

/** A fact of the database. Never `unreadable`: without the database the request itself fails. */
export type RecordFact<T> = { known: T } | 'unknown'

/** A fact that was read. */
export const known = <T>(value: T): { known: T } => ({ known: value })

/** Value of a known fact; undefined for `unknown` and `unreadable`. */
export const knownValue = <T>(fact: Fact<T>): T | undefined => (typeof fact === 'object' ? fact.known : undefined)
