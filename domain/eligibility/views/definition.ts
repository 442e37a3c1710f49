import type { ExpectedOutput } from '../../../schemas/catalogue/job-definition.ts'
import { definitionPath, displayReward, jobLifecycle, jobTrust } from '../../catalogue/job-definition.ts'
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
  /** Decimals of the reward asset. */
  decimals: policy.limits.asset.decimals,
  /** Epoch ms. */
  now: facts.now,
})
export type JobFacts = ReturnType<typeof jobFactsOf>

/** Member `priorityWindow` where the job has one. */
const windowMember = ({ priorityWindow }: JobFacts) => priorityWindow !== undefined && { priorityWindow }

/** Complete definition of one job; `publicBaseUrl` has no trailing slash. `outputs`: what opens its commitments, for a reader who may know. */
export function serveDefinition(facts: JobFacts, publicBaseUrl: string, outputs: readonly ExpectedOutput[] = []) {
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
    settlement: settlementTerms(definition.verifierMode),
    ...verificationDepth(definition.verifierMode),
    ...jobTrust(job),
  }
}
export type ServedJob = ReturnType<typeof serveDefinition>

/** Complete job for list, definition and admin answers. */
export const servedJob = (evaluation: Evaluation, baseUrl: string, outputs: readonly ExpectedOutput[] = []): ServedJob =>
  serveDefinition(jobFactsOf(evaluation), baseUrl, outputs)

/** Whether everyone may know the expected outputs of a job: it can no longer be claimed. */
export const isAnswerPublic = ({ assessment: { facts } }: Evaluation): boolean =>
  facts.latestSession !== null && endsClaims(facts.latestSession.status)
