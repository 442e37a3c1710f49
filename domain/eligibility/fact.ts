/**
 * One fact of the evaluator. `unknown` was not read (a list does not ask the chain) and never refuses;
 * `unreadable` was asked for and could not be had, so gates that fail closed refuse on it.
 */
export type Fact<T> = { known: T } | 'unknown' | 'unreadable'

export const known = <T>(value: T): Fact<T> => ({ known: value })

/** Value of a known fact; undefined for both ways of not knowing. */
export const knownValue = <T>(fact: Fact<T>): T | undefined => (typeof fact === 'object' ? fact.known : undefined)
