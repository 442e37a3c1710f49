import type { Evaluation } from '../domain/eligibility.ts'
import { type JobFacts, type ServedJob, serveDefinition } from '../domain/job-definition.ts'
import type { DefinitionParts } from '../domain/preflight.ts'
import { priorityWindowView } from '../domain/priority-window.ts'
import { pinnedDefinition } from '../domain/snapshot.ts'
import type { ChainFile } from '../schemas/chain-file.ts'
import type { JobDefinition } from '../schemas/job-definition.ts'
import type { SessionRecord } from '../schemas/session-record.ts'

/** Terms a live or settled claim pinned; null while the job is free (an expired claim pins nothing any more). */
const pinnedOf = (evaluation: Evaluation, latest: SessionRecord | null): JobDefinition | null => {
  const free = evaluation.claimStatus.claimState === 'open' || evaluation.claimStatus.claimState === 'expired'
  return latest === null || free ? null : pinnedDefinition(latest.jobSnapshot)
}

/** Facts from which a job is served, full or compact. */
export const jobFactsOf = (evaluation: Evaluation, latest: SessionRecord | null, chain: ChainFile): JobFacts => {
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
export const servedJob = (evaluation: Evaluation, latest: SessionRecord | null, chain: ChainFile, baseUrl: string): ServedJob =>
  serveDefinition(jobFactsOf(evaluation, latest, chain), baseUrl)

/** Parts of a served job that preflight and explain repeat. */
export const definitionParts = ({ lifecycle, submissionContract, verificationContract, disclosure }: ServedJob): DefinitionParts => ({
  lifecycle,
  submissionContract,
  verificationContract,
  disclosure,
})
