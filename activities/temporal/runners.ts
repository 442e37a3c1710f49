import type { Client } from '@temporalio/client'
import { MAX_RUNNER_REASON, RUNNER_TASK_QUEUE, UNABLE_RUNNER_TASK_QUEUE } from '../../schemas/paid-verification/runner.ts'

// temporal.api.enums.v1.TaskQueueType: activity tasks.
const ACTIVITY_QUEUE = 2
/** A poll lasts about a minute; after two missed polls a runner is gone. */
const STALE_MS = 120_000

/** Runners that poll now: a fact of the engine, no configuration. */
export interface Runners {
  /** Number of runners that take work. */
  ready: number
  /** Why each of the others cannot. */
  unable: readonly string[]
}

const isRecent = ({ lastAccessTime }: { lastAccessTime?: { seconds?: unknown } | null }): boolean =>
  Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < STALE_MS

/** Asks the engine for the runners that poll. Rejects when it does not answer within `limitMs`. */
export const readRunners = async ({ connection, options: { namespace } }: Client, limitMs: number): Promise<Runners> => {
  const pollersOf = async (name: string) => {
    const request = { namespace, taskQueue: { name }, taskQueueType: ACTIVITY_QUEUE }
    const { pollers } = await connection.workflowService.describeTaskQueue(request)
    return (pollers ?? []).filter(isRecent).map(({ identity }) => identity ?? '')
  }
  const queues = () => Promise.all([pollersOf(RUNNER_TASK_QUEUE), pollersOf(UNABLE_RUNNER_TASK_QUEUE)])
  const [ready, unable] = await connection.withDeadline(Date.now() + limitMs, queues)
  return { ready: ready.length, unable: [...new Set(unable)].map((reason) => reason.slice(0, MAX_RUNNER_REASON)) }
}
