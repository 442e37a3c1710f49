import type { ClaimStatus, FundingState } from '../../schemas/catalogue/claim-status.ts'
import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { JobRecord, LifecycleStatus, PostingRoute } from '../../schemas/catalogue/record.ts'
import type { Hex } from '../common/hashes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { toDisplay } from '../common/money.ts'
import { type JobDisclosure, jobDisclosure } from '../pull-requests/disclosure.ts'
import { type VerificationContract, verificationContract } from '../verification/contract.ts'
import { type SettlementTerms, settlementTerms, verificationDepth } from './settlement-terms.ts'
import { type SchemaContract, type SubmissionContract, schemaContract, submissionContract } from './submission-contract.ts'

export type LifecycleState = LifecycleStatus | 'stale'

/** Content lifecycle of a job at an instant; `stale` is derived, never stored. */
export const lifecycleState = (job: JobRecord, now: number): LifecycleState =>
  job.lifecycleStatus === 'open' && job.staleAt !== null && job.staleAt <= now ? 'stale' : job.lifecycleStatus

export interface JobLifecycle {
  status: LifecycleStatus
  state: LifecycleState
  createdAt: string
  updatedAt: string
  staleAt: string | null
}

export const jobLifecycle = (job: JobRecord, now: number): JobLifecycle => ({
  status: job.lifecycleStatus,
  state: lifecycleState(job, now),
  createdAt: iso(job.createdAt),
  updatedAt: iso(job.updatedAt),
  staleAt: isoOrNull(job.staleAt),
})

export interface JobProvenance {
  posterAddress: string | null
  posterTier: 'operator-curated' | 'external-self-serve'
  postingRoute: PostingRoute
  firstSeenAt: string
  specHash: Hex
}

/** Where a job comes from and how far it was looked at. */
export interface JobTrust {
  listingStatus: 'listed' | 'delisted'
  contentTrust: 'operator-curated' | 'external-unreviewed'
  provenance: JobProvenance
}

export function jobTrust(job: JobRecord): JobTrust {
  const curated = job.postingRoute === 'curated'
  return {
    listingStatus: job.delistedAt === null ? 'listed' : 'delisted',
    contentTrust: curated ? 'operator-curated' : 'external-unreviewed',
    provenance: {
      posterAddress: job.posterAddress,
      posterTier: curated ? 'operator-curated' : 'external-self-serve',
      postingRoute: job.postingRoute,
      firstSeenAt: iso(job.createdAt),
      specHash: job.specHash,
    },
  }
}

/** Public path of a definition. */
export const definitionPath = (jobId: string): string => `/jobs/definition?jobId=${encodeURIComponent(jobId)}`

/** Reward in whole units as a number: for display only, arithmetic uses the raw twin. */
export const displayReward = (raw: bigint, decimals: number): number => Number(toDisplay(raw, decimals))

/** Everything an answer about a job needs besides its row. */
export interface JobFacts {
  job: JobRecord
  /** Terms pinned by the job's latest claim; null while nobody claimed it. */
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

/** A job as `GET /jobs` and `GET /jobs/definition` show it. Source: specification, "Job definition". */
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

/** The complete answer about one job; `publicBaseUrl` has no trailing slash. */
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
