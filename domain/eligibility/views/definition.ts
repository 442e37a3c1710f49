import type { FundingState } from '../../../schemas/catalogue/claim-status.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'
import type { ClaimStatus } from '../../../schemas/catalogue/shapes.ts'
import { definitionPath, displayReward, jobLifecycle, jobTrust } from '../../catalogue/job-definition.ts'
import { settlementTerms, verificationDepth } from '../../catalogue/settlement-terms.ts'
import { schemaContract, submissionContract } from '../../catalogue/submission-contract.ts'
import { verificationContract } from '../../catalogue/verification-contract.ts'
import { iso } from '../../common/instants.ts'
import { jobDisclosure } from '../../pull-requests/disclosure.ts'

/** Input of every view of a job. */
export interface JobFacts {
  job: JobRecord
  /** Terms pinned by the job's latest claim; null while unclaimed. */
  pinned: JobDefinition | null
  claimStatus: ClaimStatus
  fundingState: FundingState | null
  priorityWindow?: { openAt: string; qualifiesWith: string } | undefined
  /** Decimals of the reward asset. */
  decimals: number
  /** Epoch ms. */
  now: number
}

/** Member `verificationDepth` where the mode has one. */
export const depthMember = ({ verifierMode }: JobDefinition): { verificationDepth?: string } => {
  const depth = verificationDepth(verifierMode)
  return depth === undefined ? {} : { verificationDepth: depth }
}

/** Member `priorityWindow` where the job has one. */
export const windowMember = ({ priorityWindow }: JobFacts) => priorityWindow !== undefined && { priorityWindow }

/** Complete definition of one job; `publicBaseUrl` has no trailing slash. */
export function serveDefinition(facts: JobFacts, publicBaseUrl: string) {
  const { job, claimStatus } = facts
  const definition = facts.pinned ?? job.definition
  const disclosure = jobDisclosure(definition, `${publicBaseUrl}${definitionPath(job.id)}`)
  return {
    ...definition,
    ...claimStatus,
    rewardAmount: displayReward(job.rewardRaw, facts.decimals),
    retryLimit: definition.retryLimit,
    lifecycle: jobLifecycle(job, facts.now),
    submissionContract: submissionContract(definition),
    schemaContract: schemaContract(definition),
    verificationContract: verificationContract(definition),
    definitionSource: facts.pinned === null ? ('catalogue' as const) : ('claim_snapshot' as const),
    claimStatus,
    fundingState: facts.fundingState,
    listedAt: iso(job.listedAt),
    ...windowMember(facts),
    ...(disclosure !== undefined && { disclosure }),
    settlement: settlementTerms(definition.verifierMode),
    ...depthMember(definition),
    ...jobTrust(job),
  }
}
export type ServedJob = ReturnType<typeof serveDefinition>
