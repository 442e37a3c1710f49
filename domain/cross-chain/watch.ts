import type { UnclearReason } from '../../schemas/cross-chain/record.ts'
import { plusSeconds } from '../common/instants.ts'

/** How long a balance is watched, and the pause between two readings, s. Source: money, "Cross-chain requests". */
export const OBSERVATION_SECONDS = 15 * 60
export const POLL_SECONDS = 15

/** keccak256("BALANCE_OBSERVATION_TIMEOUT"): the failure code of a request whose amount did not arrive in time. */
export const OBSERVATION_TIMEOUT_CODE = '0x19f800d9f7e28210802138d60cda15ec94016cfb24f6a8c293a6cb83150c720d'

/** End of a watch that starts at an instant; both epoch ms. */
export const watchEnd = (startedAt: number): number => plusSeconds(startedAt, OBSERVATION_SECONDS)

/** Next reading of a watched balance: after the usual pause, and exactly at the end of the watch. Epoch ms. */
export const nextReading = (now: number, endsAt: number): number => {
  const next = plusSeconds(now, POLL_SECONDS)
  return now < endsAt ? Math.min(next, endsAt) : next
}

/** Amount that has to arrive: the least output of the request, and at least one base unit. */
export const expectedArrival = (minimumOutputRaw: bigint): bigint => (minimumOutputRaw > 0n ? minimumOutputRaw : 1n)

/** A success by the watched balance, and what else could have brought it about. Amounts in base units. */
export interface Arrival {
  kind: 'deposit' | 'withdraw'
  arrivedRaw: bigint
  requestedAssetsRaw: bigint
  minimumOutputRaw: bigint
  /** Whether another dispatched request of the wrapper has not ended. */
  isAnotherUnderWay: boolean
}

/** Why an arrival may not be that of its request; null when it is. */
export const uncertaintyOf = ({ kind, arrivedRaw, requestedAssetsRaw, ...arrival }: Arrival): UnclearReason | null => {
  if (arrival.isAnotherUnderWay) return 'another_request_under_way'
  if (arrival.minimumOutputRaw === 0n) return 'no_least_output'
  return kind === 'deposit' && arrivedRaw > requestedAssetsRaw ? 'more_than_requested' : null
}

/** A watched balance at one reading. Amounts in base units, instants in epoch ms. */
export interface WatchedBalance {
  startRaw: bigint
  expectedRaw: bigint
  endsAt: number
  balanceRaw: bigint
  /** Instant before the reading. */
  now: number
}

/** What has arrived, and what the reading decides: an arrival counts also at the end of the watch and after it. */
export const judgeBalance = ({ startRaw, expectedRaw, endsAt, balanceRaw, now }: WatchedBalance) => {
  const arrivedRaw = balanceRaw > startRaw ? balanceRaw - startRaw : 0n
  const decision = arrivedRaw >= expectedRaw ? 'succeeded' : now >= endsAt ? 'timed_out' : 'open'
  return { arrivedRaw, decision } as const
}
