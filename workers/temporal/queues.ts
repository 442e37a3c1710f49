import { Worker, type WorkerOptions } from '@temporalio/worker'
import { type QueueKind, TASK_QUEUES } from '../../schemas/processes.ts'

/**
 * Steps that a worker takes at once. One that waits for the chain keeps its place, so `claims` has places for many more than can work at once: the pool
 * of the database bounds what works. The others leave it the most.
 */
const PLACES: Readonly<Record<QueueKind, number>> = { claims: 1_000, chain: 20, verification: 100, webhooks: 200, ingestion: 50 }

/** Options of every worker of a process; the task queue comes with its kind. */
type Shared = Omit<WorkerOptions, 'taskQueue' | 'maxConcurrentActivityTaskExecutions'>

/** The workflow code and its cache, for the one kind that runs processes. */
const WORKFLOW_OPTIONS = ['workflowBundle', 'workflowsPath', 'maxCachedWorkflows'] as const

const withoutWorkflows = ({ interceptors, ...options }: Shared): Shared => {
  const { activity } = interceptors ?? {}
  const left = Object.entries(options).filter(([name]) => !(WORKFLOW_OPTIONS as readonly string[]).includes(name))
  return { ...(Object.fromEntries(left) as Shared), ...(activity && { interceptors: { activity } }) }
}

/** Workers of one process that start and end together. */
export interface QueueWorkers {
  states(): ReturnType<Worker['getState']>[]
  /** Resolves when all have ended. Where one fails, `onFailure` stops the others, and it rejects. */
  run(onFailure?: () => void): Promise<void>
  shutdown(): void
}

/** Creates a worker for the task queue of each kind. Only that of `claims` runs processes. */
export const createQueueWorkers = async (kinds: readonly QueueKind[], shared: Shared): Promise<QueueWorkers> => {
  const workers = await Promise.all(
    [...new Set(kinds)].map((kind) =>
      Worker.create({
        ...(kind === 'claims' ? shared : withoutWorkflows(shared)),
        taskQueue: TASK_QUEUES[kind],
        maxConcurrentActivityTaskExecutions: PLACES[kind],
      }),
    ),
  )
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  return {
    states: () => workers.map((worker) => worker.getState()),
    run: async (onFailure = shutdown) => {
      const runOne = (worker: Worker): Promise<void> =>
        worker.run().catch((error: unknown) => {
          onFailure()
          throw error
        })
      const ended = await Promise.allSettled(workers.map(runOne))
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
    shutdown,
  }
}
