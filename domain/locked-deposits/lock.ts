import type { Tables } from '../../schemas/entities/tables.ts'
import type { ExitReason, ReleaseReason } from '../../schemas/locked-deposits/record.ts'
import { plusSeconds } from '../common/instants.ts'

/** Time from the request of an early exit to the release; specification, "Limits". */
export const EXIT_DELAY_SECONDS = 48 * 3_600
const DAY_SECONDS = 86_400

/** A lock as it is recorded; instants in epoch ms. */
export type Lock = Omit<Tables['locked_deposit'], 'requestId' | 'walletCapRaw' | 'cohortCapRaw'>

/** End of a term that begins at `lockedAt`. */
export const termEnd = (lockedAt: number, termDays: number): number => plusSeconds(lockedAt, termDays * DAY_SECONDS)

/** The lock at `now`: a term or a delay that is over has ended at its own instant, whether or not that was recorded. */
export const lockAt = (lock: Lock, now: number): Lock => {
  const end = endOf(lock)
  if (end === null || now < end.at) return lock
  return { ...lock, status: 'released', releasedAt: end.at, releaseReason: end.reason }
}

/** When time alone ends a lock, and why; null for a released one. */
export const endOf = ({ status, expiresAt, releaseAt }: Lock): { at: number; reason: ReleaseReason } | null => {
  if (status === 'active') return { at: expiresAt, reason: 'term_completed' }
  if (status === 'exiting' && releaseAt !== null) return { at: releaseAt, reason: 'early_exit_vesting_completed' }
  return null
}

/** The lock after an exit at `now`. One that exits already, or is released, stays as it is. */
export const exitAt = (lock: Lock, reason: ExitReason, now: number): Lock => {
  const current = lockAt(lock, now)
  if (current.status !== 'active') return current
  return { ...current, status: 'exiting', exitRequestedAt: now, exitReason: reason, releaseAt: plusSeconds(now, EXIT_DELAY_SECONDS) }
}

/** What locks bind at `now`: the amounts of active and exiting ones, base units. */
export const encumberedRaw = (locks: readonly Lock[], now: number): bigint =>
  sumOf(locks.filter((lock) => lockAt(lock, now).status !== 'released'))

/** Locks that are in their term at `now`. */
export const activeLocks = <Row extends Lock>(locks: readonly Row[], now: number): Row[] =>
  locks.filter((lock) => lockAt(lock, now).status === 'active')

export const sumOf = (locks: readonly Pick<Lock, 'amountRaw'>[]): bigint => locks.reduce((sum, { amountRaw }) => sum + amountRaw, 0n)

/** Whether a balance still covers what is locked: liquid and allocated together. Source: money, "States". */
export const covers = ({ liquid, strategyAllocated }: { liquid: bigint; strategyAllocated: bigint }, lockedRaw: bigint): boolean =>
  liquid + strategyAllocated >= lockedRaw
