import type { ExpectedOutput } from '../../../schemas/catalogue/job-definition.ts'
import type { PosterRecordView } from '../../../schemas/catalogue/poster-record.ts'
import { definitionPath, displayReward, jobLifecycle, jobTrust } from '../../catalogue/job-definition.ts'
import { judgementTerms } from '../../catalogue/judgement-terms.ts'
import { readinessView } from '../../catalogue/readiness.ts'
import { settlementTerms, verificationDepth } from '../../catalogue/settlement-terms.ts'
import { schemaContract, submissionContract } from '../../catalogue/submission-contract.ts'
import { verificationContract } from '../../catalogue/verification-contract.ts'
import { iso } from '../../common/instants.ts'
import { jobDisclosure } from '../../pull-requests/disclosure.ts'
import { pinnedDefinition } from '../../sessions/snapshot.ts'
import { endsClaims } from '../../sessions/state-machine.ts'
import { isTaken } from '../claim-state.ts'
import type { Evaluation } from '../evaluate.ts'
import { priorityWindowView } from '../priority-window.ts'

/** Input of the views of a job, complete or compact. */
export const jobFactsOf = ({ assessment: { facts, policy }, claimStatus, fundingState }: Evaluation) => ({
  job: facts.job,
  /** Terms that a live or settled claim pinned; null while unclaimed and after an expired claim. */
  pinned: facts.latestSession !== null && isTaken(facts) ? pinnedDefinition(facts.latestSession.jobSnapshot) : null,
  claimStatus,
  fundingState,
  readiness: readinessView(facts.readiness),
  priorityWindow: priorityWindowView(facts.job, policy.priority),
  pullRequestReviewSeconds: policy.pullRequestReviewSeconds,
  /** Decimals of the reward asset. */
  decimals: policy.limits.asset.decimals,
  /** Epoch ms. */
  now: facts.now,
})
export type JobFacts = ReturnType<typeof jobFactsOf>

/** Member `priorityWindow` where the job has one. */
const windowMember = ({ priorityWindow }: JobFacts) => priorityWindow !== undefined && { priorityWindow }

/** What stands beside a definition for some readers. */
export interface DefinitionExtras {
  /** What opens its commitments, for a reader who may know. */
  outputs?: readonly ExpectedOutput[]
  /** Record of the poster of an external job. */
  poster?: PosterRecordView | undefined
  /** True for a row of a list, which does not tell who judges. */
  isRow?: boolean
}

/** Complete definition of one job; `publicBaseUrl` has no trailing slash. */
export function serveDefinition(facts: JobFacts, publicBaseUrl: string, { outputs = [], poster, isRow = false }: DefinitionExtras = {}) {
  const { job, claimStatus } = facts
  // Whom a job is meant for is not public.
  const { designatedClaimants: _named, ...definition } = facts.pinned ?? job.definition
  const disclosure = jobDisclosure(definition, `${publicBaseUrl}${definitionPath(job.id)}`)
  return {
    format: 'full' as const,
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
    verification: { ...definition.verification, readiness: facts.readiness },
    ...windowMember(facts),
    ...(disclosure !== undefined && { disclosure }),
    ...(outputs.length > 0 && { expectedOutputs: [...outputs] }),
    settlement: {
      ...settlementTerms(definition.verifierMode),
      ...(!isRow && { judgement: judgementTerms(definition.verifierConfig, facts.pullRequestReviewSeconds) }),
    },
    ...verificationDepth(definition.verifierMode),
    ...jobTrust(job),
    ...(poster !== undefined && { poster }),
  }
}
export type ServedJob = ReturnType<typeof serveDefinition>

/** Complete job for list, definition and admin answers. */
export const servedJob = (evaluation: Evaluation, baseUrl: string, extras: DefinitionExtras = {}): ServedJob =>
  serveDefinition(jobFactsOf(evaluation), baseUrl, extras)

/** Whether everyone may know the expected outputs of a job: it can no longer be claimed. */
export const isAnswerPublic = ({ assessment: { facts } }: Evaluation): boolean =>
  facts.latestSession !== null && endsClaims(facts.latestSession.status)
