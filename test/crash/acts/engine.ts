// Reads the state of the processes of a run. An engine that is down answers nothing.
import { WorkflowNotFoundError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { pullRequestChanged, verifierWorkflowId } from '../../../schemas/verification/process.ts'
import type { CrashWorld } from '../crash-world.ts'

/** Signals a change of the pull request, as the webhook does. A verification that has ended needs no signal. */
export const signalPullRequestChange = async ({ engine }: CrashWorld, sessionId: string): Promise<void> => {
  try {
    await engine.workflow.getHandle(verifierWorkflowId(sessionId)).signal(pullRequestChanged, { deliveryId: sessionId })
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

const statusOf = async ({ engine }: CrashWorld, workflowId: string): Promise<string | undefined> => {
  const found = await engine.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => undefined)
  return found?.status.name
}

/** True while a claim of the job is under way. */
export const isStarted = async (world: CrashWorld, jobId: string): Promise<boolean> =>
  (await statusOf(world, claimWorkflowId(jobId))) === 'RUNNING'

/** True once the dispute process has ended, after it has notified the claim. */
export const isDisputeCompleted = async (world: CrashWorld, sessionId: string): Promise<boolean> =>
  (await statusOf(world, disputeWorkflowId(sessionId))) === 'COMPLETED'

/** Time without a sign of life after which the engine gives a step of a killed worker to another one. */
const LOST_MS = 3_000
/** `PENDING_ACTIVITY_STATE_STARTED`. */
const STARTED = 2

/** Gives the steps of one process that began in a killed worker to others, and its next workflow task to any worker. */
const releaseLost = async (
  { engine }: Pick<CrashWorld, 'engine'>,
  { workflowId, runId }: { workflowId: string; runId: string },
  pids: ReadonlySet<number>,
): Promise<void> => {
  const { namespace } = engine.options
  await engine.workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId, runId } })
  const { raw } = await engine.workflow.getHandle(workflowId, runId).describe()
  for (const { activityId, lastWorkerIdentity, state } of raw.pendingActivities ?? []) {
    if (state !== STARTED || !pids.has(Number(lastWorkerIdentity?.split('@')[0]))) continue
    await engine.workflowService.updateActivityExecutionOptions({
      namespace,
      workflowId,
      runId,
      activityId: activityId ?? '',
      activityOptions: { heartbeatTimeout: msToTs(LOST_MS) },
      updateMask: { paths: ['heartbeat_timeout'] },
    })
  }
}

/**
 * Lets the engine miss the workers with these process ids within seconds. Without it each kill costs a quarter of a minute, and a process that
 * has ended meanwhile is of no interest.
 */
export const reportLost = async (world: Pick<CrashWorld, 'engine'>, pids: ReadonlySet<number>): Promise<void> => {
  const reports: Promise<void>[] = []
  for await (const run of world.engine.workflow.list({ query: 'ExecutionStatus="Running"' }))
    reports.push(releaseLost(world, run, pids).catch(() => undefined))
  await Promise.all(reports)
}
