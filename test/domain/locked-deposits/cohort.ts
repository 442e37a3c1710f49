import type { Cohort } from '../../../domain/locked-deposits/gate.ts'
import { type Lock, sumOf } from '../../../domain/locked-deposits/lock.ts'

/** Sums up active locks of t30 and t90. */
export const cohortOf = (locks: readonly Pick<Lock, 'id' | 'amountRaw' | 'expiresAt'>[]): Cohort => {
  const [first] = locks.toSorted((left, right) => left.expiresAt - right.expiresAt || (left.id < right.id ? -1 : 1))
  return { totalRaw: sumOf(locks), count: locks.length, shortest: first ? { id: first.id, expiresAt: first.expiresAt } : null }
}
