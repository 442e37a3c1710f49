import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import type { SignerStatus } from '../../activities/chain/journal/nonce-status.ts'
import type { StoppedRuns } from '../temporal/engine.ts'

/** How the process finds out whether what it depends on answers. Each rejects when it does not. */
export interface Probes {
  database(): Promise<void>
  /** Wall-clock epoch ms of the last poll of any worker on the task queue; null when there was none. */
  temporal(): Promise<{ lastPollAt: number | null }>
  /** Processes that do not go on by themselves. */
  stopped(): Promise<StoppedRuns>
  /** Time of the latest block, epoch ms, and whether the contracts take no call at all. */
  chain(): Promise<{ blockTime: number; paused: boolean }>
  /** Where every signer of the journal stands; asks database and chain. */
  nonces(): Promise<Pick<SignerStatus, 'signer' | 'trouble'>[]>
  /** How far the records are behind the chain; null while nobody ever followed it. */
  follower(): Promise<FollowerLag | null>
}

export type Probed<T> = { ok: true; value: T } | { ok: false }

const TIME_OUT_MS = 450
const TRIES = 3

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${TIME_OUT_MS} ms`)), TIME_OUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks up to three times in a row: a single failed read does not make a dependency unwell. */
export const probe = async <T>(ask: () => Promise<T>, note: (error: unknown) => void): Promise<Probed<T>> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return { ok: true, value: await inTime(ask()) }
    } catch (error) {
      note(error)
    }
  }
  return { ok: false }
}
