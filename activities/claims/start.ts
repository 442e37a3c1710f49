import { claimWorkflowId, type NewClaim } from '../../schemas/claims/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

/** Start options of a claim's run, unless one is running. Requests that join the run attach to the update with this id. */
export const claimStart = (claim: NewClaim, updateId: string) => {
  const { title, chainJobId, verifierMode, ...input } = claim
  return {
    workflowId: claimWorkflowId(claim.jobId),
    taskQueue: TASK_QUEUE,
    workflowIdConflictPolicy: 'FAIL' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    args: [{ v: 1 as const, ...input }] as [{ v: 1 } & typeof input],
    staticSummary: `Claim ${title}`,
    staticDetails: `Job ${claim.jobId}, claimed by ${claim.wallet}.`,
    memo: { wallet: claim.wallet, updateId },
    typedSearchAttributes: [
      { key: SEARCH.jobId, value: claim.jobId },
      { key: SEARCH.wallet, value: claim.wallet },
      { key: SEARCH.chainJobId, value: chainJobId },
      { key: SEARCH.verifierMode, value: verifierMode },
      { key: SEARCH.sessionState, value: 'claimed' },
    ],
  }
}

/** Run of a job's claim that was running when another one was to start. `wallet`: lower case; null when its memo has none. */
export interface RunningClaim {
  wallet: string | null
  runId: string
}

/** Starts the run of a claim; answers the running one of its job, and null where it started. */
export type StartClaim = (claim: NewClaim) => Promise<RunningClaim | null>
