import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { pinnedDefinition } from '../../sessions/snapshot.ts'
import { isTaken } from '../claim-state.ts'
import type { Evaluation } from '../evaluate.ts'
import { priorityWindowView } from '../priority-window.ts'
import { type JobFacts, type ServedJob, serveDefinition } from './definition.ts'
import type { DefinitionParts } from './preflight.ts'

/** Pinned terms of the job's latest session; null without a session. */
type LatestPin = Pick<SessionRecord, 'jobSnapshot'> | null

/** Chain with the decimals of the reward asset. */
interface ChainAsset {
  asset: { decimals: number }
}

/** Terms that a live or settled claim pinned; null after an expired claim. */
const pinnedOf = ({ assessment }: Evaluation, latest: LatestPin): JobDefinition | null =>
  latest !== null && isTaken(assessment.facts) ? pinnedDefinition(latest.jobSnapshot) : null

/** Input of the views of a job, complete or compact. */
export const jobFactsOf = (evaluation: Evaluation, latest: LatestPin, chain: ChainAsset): JobFacts => {
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

/** Complete job for list, definition and admin answers. */
export const servedJob = (evaluation: Evaluation, latest: LatestPin, chain: ChainAsset, baseUrl: string): ServedJob =>
  serveDefinition(jobFactsOf(evaluation, latest, chain), baseUrl)

/** Parts of a served job that preflight and explain repeat. */
export const definitionParts = ({ lifecycle, submissionContract, verificationContract, disclosure }: ServedJob): DefinitionParts => ({
  lifecycle,
  submissionContract,
  verificationContract,
  disclosure,
})
