import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import type { SignerStatus } from '../../activities/chain/journal/nonce-status.ts'
import type { StoppedRuns } from '../temporal/engine.ts'

/** Checks of the dependencies. Each rejects when its dependency does not answer. */
export interface Probes {
  database(): Promise<void>
  /** Wall-clock epoch ms of the last poll of any worker on the task queue; null when there was none. */
  temporal(): Promise<{ lastPollAt: number | null }>
  /** Workflows that are blocked or fail in every task. */
  stopped(): Promise<StoppedRuns>
  /** Time of the latest block, epoch ms, and whether the contracts are paused. */
  chain(): Promise<{ blockTime: number; paused: boolean }>
  /** Status of every signer of the transaction journal; reads database and chain. */
  nonces(): Promise<Pick<SignerStatus, 'signer' | 'trouble'>[]>
  /** How far the records are behind the chain; null when no worker has followed it yet. */
  follower(): Promise<FollowerLag | null>
}

export type Probed<T> = { ok: true; value: T } | { ok: false }

const TIME_OUT_MS = 450
const TRIES = 3

const withTimeout = async <T>(work: Promise<T>): Promise<T> => {
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

/** Probes up to three times: one failed read does not mark a dependency as down. */
export const probe = async <T>(check: () => Promise<T>, onFailure: (error: unknown) => void): Promise<Probed<T>> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return { ok: true, value: await withTimeout(check()) }
    } catch (error) {
      onFailure(error)
    }
  }
  return { ok: false }
}
