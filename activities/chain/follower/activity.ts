import type { ChainFollowerActivities, FollowProgress } from '../../../schemas/chain/process.ts'
import type { FollowerLag } from './cursor.ts'
import type { Follower, FollowerStep } from './follower.ts'

/** Maximum time of one call. Afterwards the workflow records the progress. */
const ROUND_MS = 60_000
/** Wait after a failed step. It doubles up to ten seconds. */
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

/** Minimum time between two readings of the progress while no block is read. */
const PROGRESS_MS = 2_000

/** Steps after which nothing is left to read for now. */
const PAUSING: ReadonlySet<FollowerStep['kind']> = new Set(['idle', 'rechecked', 'node_behind'])

export interface FollowChainDeps {
  follower: Pick<Follower, 'advance'>
  /** Notifies processes of recorded events; returns how many. */
  notifyWorkflows: () => Promise<number>
  lag: () => Promise<FollowerLag | null>
  /** Wait between two steps when all confirmed blocks are read, ms. */
  pollMs: number
  /** Sends a heartbeat with the progress and waits. Returns false if the worker stops or the workflow is cancelled. */
  wait: (milliseconds: number, progress: FollowProgress) => Promise<boolean>
  /** Called with the result of each step. */
  onStep: (step: FollowerStep) => void
  /** Called with a failure; with null after the next success. */
  onFailure: (error: unknown | null) => void
  /** Formats a failure in one line. */
  formatError: (error: unknown) => string
  /** Monotonic clock, ms. */
  monotonic?: () => number
  roundMs?: number
}

const NOWHERE: FollowProgress = { cursor: '0', head: '0', lagSeconds: 0, trouble: null }

/**
 * The activity of the workflow `chain-follower/<chainId>`: reads, records and notifies until its round ends. It does not fail; it retries
 * while a dependency is down.
 */
export const createFollowChain = ({
  follower,
  notifyWorkflows,
  lag,
  pollMs,
  wait,
  onStep,
  onFailure,
  formatError,
  monotonic = () => performance.now(),
  roundMs = ROUND_MS,
}: FollowChainDeps): ChainFollowerActivities => {
  const readProgress = async (known: FollowProgress): Promise<FollowProgress> => {
    const read = await lag()
    return read === null
      ? known
      : { ...known, cursor: read.cursor.toString(), head: read.head.toString(), lagSeconds: Math.floor(read.lagSeconds) }
  }

  /** Runs one step and its notifications. Returns the pause until the next step, ms. */
  const step = async (): Promise<number> => {
    const step = await follower.advance()
    onStep(step)
    const notified = await notifyWorkflows()
    return PAUSING.has(step.kind) && notified === 0 ? pollMs : 0
  }

  return {
    followChain: async () => {
      const end = monotonic() + roundMs
      let progress = NOWHERE
      let retry = FIRST_RETRY_MS
      let isRunning = true
      let readAt = Number.NEGATIVE_INFINITY
      while (isRunning && monotonic() < end) {
        let pause = pollMs
        try {
          pause = await step()
          const isDue = pause === 0 || progress.trouble !== null || monotonic() - readAt >= PROGRESS_MS
          if (isDue) {
            progress = await readProgress({ ...progress, trouble: null })
            readAt = monotonic()
          }
          onFailure(null)
          retry = FIRST_RETRY_MS
        } catch (error) {
          onFailure(error)
          progress = { ...progress, trouble: formatError(error) }
          pause = retry
          retry = Math.min(retry * 2, LONGEST_RETRY_MS)
        }
        isRunning = await wait(pause, progress)
      }
      return progress
    },
  }
}
