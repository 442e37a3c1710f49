import { heartbeat, sleep } from '@temporalio/activity'
import { CancelledFailure } from '@temporalio/common'
import type { Logger } from 'pino'
import { createScanClient } from '../../activities/chain/clients.ts'
import { createFollowChain } from '../../activities/chain/follower/activity.ts'
import { readFollowerLag } from '../../activities/chain/follower/cursor.ts'
import { createChainEvents } from '../../activities/chain/follower/events.ts'
import { createFollower, type FollowerStep } from '../../activities/chain/follower/follower.ts'
import { createWorkflowNotifier } from '../../activities/chain/follower/notify.ts'
import { createChainScan } from '../../activities/chain/follower/scan.ts'
import { isWantedBy } from '../../activities/chain/follower/subscriber.ts'
import type { ChainFollowerActivities, FollowProgress } from '../../schemas/chain/process.ts'
import { createAlarm } from '../observability/alarm.ts'
import { brief } from '../observability/error-line.ts'
import type { WorkerDeps } from '../subjects.ts'

/** Pause between two reads of the node. A local chain mines at once; a remote node has a block every few seconds and limits requests. */
const POLL_MS = { local: 250, remote: 2_000 }
/** A node that lacks recorded blocks may lag; after this time they count as removed. */
const PATIENCE_MS = { local: 1_000, remote: 60_000 }

/** Waits between two reads and reports the progress by heartbeat. Returns false when the worker stops or the activity is cancelled. */
export const createWait =
  (stopping: AbortSignal) =>
  async (milliseconds: number, progress: FollowProgress): Promise<boolean> => {
    heartbeat(progress)
    try {
      await sleep(milliseconds)
      return !stopping.aborted
    } catch (error) {
      if (error instanceof CancelledFailure) return false
      throw error
    }
  }

/** Logs forks and refused pages, and each failure while it lasts and when it is over. */
export const createFollowerLog = (logger: Pick<Logger, 'info' | 'warn'>, now: () => number = Date.now) => {
  const alarm = createAlarm({ now })
  const logGap = (missed: number, gapBlock: bigint | null): void => {
    if (missed > 0) logger.warn({ missed }, 'events that the node had left out were added')
    alarm({
      subject: 'gap',
      cause: gapBlock === null ? null : gapBlock.toString(),
      raise: () => logger.warn({ block: String(gapBlock) }, 'the node leaves out events of own transactions: reading the block again'),
      end: () => logger.info('the events of all own transactions are recorded again'),
    })
  }
  return {
    onStep: (step: FollowerStep): void => {
      if (step.kind === 'rewound')
        logger.warn({ toBlock: step.to.toString() }, 'the chain forked below the cursor: reading the blocks again')
      if (step.kind === 'smaller') logger.info({ reason: brief(step.reason) }, 'the node refused a page of logs: requesting fewer blocks')
      if (step.kind === 'rechecked') logGap(step.missed, step.gapBlock)
      if (step.kind === 'page' && step.removed > 0) logger.warn({ removed: step.removed }, 'events that a fork removed were marked')
    },
    onFailure: (error: unknown | null): void => {
      const reason = error === null ? null : brief(error)
      const raise = () => logger.warn({ reason }, 'the chain cannot be followed')
      alarm({ subject: 'failure', cause: reason, raise, end: () => logger.info('the chain is followed again') })
    },
  }
}

/** Activities of the process that follows the chain. */
export const createFollowerActivities = (deps: WorkerDeps): ChainFollowerActivities => {
  const { chain, clients, database, send, subscribers, recorders, clock, logger, stopping } = deps
  const { chainId } = chain
  const where = chain.local ? 'local' : 'remote'
  const scan = createChainScan(chain, createScanClient(chain, clients.nodes))
  const events = createChainEvents({
    database,
    chainId,
    contracts: scan.contracts,
    escrows: scan.escrows,
    recorders,
    movesProcess: isWantedBy(subscribers),
    now: clock.now,
  })
  const follower = createFollower({
    chain,
    database,
    scan,
    events,
    nodeLagToleranceMs: PATIENCE_MS[where],
    isNodeLagging: clients.nodes.choice.isLagging,
  })
  const notifyWorkflows = createWorkflowNotifier({ send, database, chainId, subscribers })
  const lag = () => readFollowerLag(database.rows, chainId)
  return createFollowChain({
    follower,
    notifyWorkflows,
    lag,
    pollMs: POLL_MS[where],
    wait: createWait(stopping),
    formatError: brief,
    ...createFollowerLog(logger),
  })
}
