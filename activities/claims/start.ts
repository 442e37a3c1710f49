import { randomUUID } from 'node:crypto'
import { claimWorkflowId, type NewClaim, type ResumedClaim } from '../../schemas/claims/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

const claimAttributes = ({
  jobId,
  wallet,
  chainJobId,
  verifierMode,
}: Pick<NewClaim, 'jobId' | 'wallet' | 'chainJobId' | 'verifierMode'>) => [
  { key: SEARCH.jobId, value: jobId },
  { key: SEARCH.wallet, value: wallet },
  { key: SEARCH.chainJobId, value: chainJobId },
  { key: SEARCH.verifierMode, value: verifierMode },
  { key: SEARCH.sessionState, value: 'claimed' },
]

/** Start options of a claim's run, unless one is running. Requests that join the run attach to the update with this id. */
export const claimStart = (claim: NewClaim, updateId: string) => {
  const { title, chainJobId: _chainJobId, verifierMode: _verifierMode, ...input } = claim
  return {
    workflowId: claimWorkflowId(claim.jobId),
    taskQueue: TASK_QUEUE,
    workflowIdConflictPolicy: 'FAIL' as const,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    args: [{ v: 1 as const, ...input }] as [{ v: 1 } & typeof input],
    staticSummary: `Claim ${title}`,
    staticDetails: `Job ${claim.jobId}, claimed by ${claim.wallet}.`,
    memo: { wallet: claim.wallet, updateId },
    typedSearchAttributes: claimAttributes(claim),
  }
}

/** Start options of a claim's run that takes over a recorded session. */
export const resumedClaimStart = (claim: Omit<ResumedClaim, 'v'> & Pick<NewClaim, 'title' | 'chainJobId' | 'verifierMode'>) => {
  const { title, chainJobId: _chainJobId, verifierMode: _verifierMode, ...input } = claim
  return {
    workflowId: claimWorkflowId(claim.jobId),
    taskQueue: TASK_QUEUE,
    args: [{ v: 1 as const, ...input }],
    staticSummary: `Claim ${title}`,
    staticDetails: `Job ${claim.jobId}, claimed by ${claim.wallet}. Taken over from a process that was lost.`,
    memo: { wallet: claim.wallet, updateId: randomUUID() },
    typedSearchAttributes: claimAttributes(claim),
  }
}

/** Run of a job's claim that was running when another one was to start. `wallet`: lower case; null when its memo has none. */
export interface RunningClaim {
  wallet: string | null
  runId: string
}

/** Starts the run of a claim; answers the running one of its job, and null where it started. */
export type StartClaim = (claim: NewClaim) => Promise<RunningClaim | null>
