import { randomUUID } from 'node:crypto'
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { claimStart, type RunningClaim, type StartClaim } from '../claims/start.ts'

/** The running claim of a job; null without one. */
export const findRunning = async (client: Client, jobId: string): Promise<RunningClaim | null> => {
  try {
    const { status, memo, runId } = await client.workflow.getHandle(claimWorkflowId(jobId)).describe()
    if (status.name !== 'RUNNING') return null
    return { wallet: typeof memo?.wallet === 'string' ? memo.wallet : null, runId }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}

/** Starts claims that no request waits for. Rejects where the run that it met has ended since: a repeat then starts one. */
export const createClaimStarter =
  (client: Client): StartClaim =>
  async (claim) => {
    try {
      await client.workflow.start('claimSession', claimStart(claim, randomUUID()))
      return null
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      const running = await findRunning(client, claim.jobId)
      if (running === null) throw error
      return running
    }
  }
