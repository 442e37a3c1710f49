// How the processes of a run stand. An engine that is away says nothing.
import { WorkflowNotFoundError } from '@temporalio/client'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { pullRequestChanged, verifierWorkflowId } from '../../../schemas/verification/process.ts'
import type { CrashWorld } from '../crash-world.ts'

/** What the code host's hook says of a pull request; a verification that is over needs no news. */
export const tellOfChange = async ({ engine }: CrashWorld, sessionId: string): Promise<void> => {
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

/** True once the process that owned the session has told the claim of its end. */
export const isToldOf = async (world: CrashWorld, sessionId: string): Promise<boolean> =>
  (await statusOf(world, disputeWorkflowId(sessionId))) === 'COMPLETED'
