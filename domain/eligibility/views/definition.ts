import type { ClaimStatus, FundingState } from '../../../schemas/catalogue/claim-status.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'
import { definitionPath, displayReward, type JobLifecycle, type JobTrust, jobLifecycle, jobTrust } from '../../catalogue/job-definition.ts'
import { type SettlementTerms, settlementTerms, verificationDepth } from '../../catalogue/settlement-terms.ts'
import { type SchemaContract, type SubmissionContract, schemaContract, submissionContract } from '../../catalogue/submission-contract.ts'
import { type VerificationContract, verificationContract } from '../../catalogue/verification-contract.ts'
import { iso } from '../../common/instants.ts'
import { type JobDisclosure, jobDisclosure } from '../../pull-requests/disclosure.ts'

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

type ClaimStatusCopies = Omit<ClaimStatus, 'retryLimit'>

/** Job of `GET /jobs` and `GET /jobs/definition`. Source: specification, "Job definition". */
export interface ServedJob extends JobDefinition, ClaimStatusCopies, JobTrust {
  rewardAmount: number
  lifecycle: JobLifecycle
  submissionContract: SubmissionContract
  schemaContract: SchemaContract
  verificationContract: VerificationContract
  definitionSource: 'claim_snapshot' | 'catalogue'
  claimStatus: ClaimStatus
  fundingState: FundingState | null
  listedAt: string
  priorityWindow?: { openAt: string; qualifiesWith: string }
  disclosure?: JobDisclosure
  settlement: SettlementTerms
  verificationDepth?: string
}

/** Member `verificationDepth` where the mode has one. */
export const depthMember = ({ verifierMode }: JobDefinition): { verificationDepth?: string } => {
  const depth = verificationDepth(verifierMode)
  return depth === undefined ? {} : { verificationDepth: depth }
}

/** Member `priorityWindow` where the job has one. */
export const windowMember = ({ priorityWindow }: JobFacts) => (priorityWindow === undefined ? {} : { priorityWindow })

/** Complete definition of one job; `publicBaseUrl` has no trailing slash. */
export function serveDefinition(facts: JobFacts, publicBaseUrl: string): ServedJob {
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
    definitionSource: facts.pinned === null ? 'catalogue' : 'claim_snapshot',
    claimStatus,
    fundingState: facts.fundingState,
    listedAt: iso(job.listedAt),
    ...windowMember(facts),
    ...(disclosure === undefined ? {} : { disclosure }),
    settlement: settlementTerms(definition.verifierMode),
    ...depthMember(definition),
    ...jobTrust(job),
  }
}
