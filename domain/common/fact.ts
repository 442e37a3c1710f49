/**
 * One fact of the evaluator. `unknown` was not read (a list does not ask the chain) and never refuses;
 * `unreadable` was asked for and could not be had, so gates that fail closed refuse on it.
 */
export type Fact<T> = { known: T } | 'unknown' | 'unreadable'

/** A fact of the service's own records: where they cannot be read there is no answer at all, so it is never `unreadable`. */
export type RecordFact<T> = { known: T } | 'unknown'

export const known = <T>(value: T): { known: T } => ({ known: value })

/** Value of a known fact; undefined for both ways of not knowing. */
export const knownValue = <T>(fact: Fact<T>): T | undefined => (typeof fact === 'object' ? fact.known : undefined)
