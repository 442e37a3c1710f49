// How the processes of a run stand. An engine that is away says nothing.
import { claimWorkflowId } from '../../schemas/processes/claim-session.ts'
import { disputeWorkflowId } from '../../schemas/processes/dispute.ts'
import type { CrashWorld } from './crash-world.ts'

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
