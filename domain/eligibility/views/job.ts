import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { pinnedDefinition } from '../../sessions/snapshot.ts'
import { isTaken } from '../claim-state.ts'
import type { Evaluation } from '../evaluate.ts'
import { priorityWindowView } from '../priority-window.ts'
import { type JobFacts, type ServedJob, serveDefinition } from './definition.ts'
import type { DefinitionParts } from './preflight.ts'

/** What a served job needs of the job's latest session. */
type LatestPin = Pick<SessionRecord, 'jobSnapshot'> | null

/** What a served job needs of the chain: decimals of the reward asset. */
interface Money {
  asset: { decimals: number }
}

/** Terms a live or settled claim pinned; an expired claim pins nothing any more, whatever keeps the job from being claimed again. */
const pinnedOf = ({ assessment }: Evaluation, latest: LatestPin): JobDefinition | null =>
  latest !== null && isTaken(assessment.facts) ? pinnedDefinition(latest.jobSnapshot) : null

/** Facts from which a job is served, full or compact. */
export const jobFactsOf = (evaluation: Evaluation, latest: LatestPin, chain: Money): JobFacts => {
  const { facts, policy } = evaluation.assessment
  return {
    job: facts.job,
    pinned: pinnedOf(evaluation, latest),
    claimStatus: evaluation.claimStatus,
    fundingState: evaluation.fundingState,
    priorityWindow: priorityWindowView(facts.job, policy.priority),
    decimals: chain.asset.decimals,
    now: facts.now,
  }
}

/** A job as list, definition and admin answers show it. */
export const servedJob = (evaluation: Evaluation, latest: LatestPin, chain: Money, baseUrl: string): ServedJob =>
  serveDefinition(jobFactsOf(evaluation, latest, chain), baseUrl)

/** Parts of a served job that preflight and explain repeat. */
export const definitionParts = ({ lifecycle, submissionContract, verificationContract, disclosure }: ServedJob): DefinitionParts => ({
  lifecycle,
  submissionContract,
  verificationContract,
  disclosure,
})
