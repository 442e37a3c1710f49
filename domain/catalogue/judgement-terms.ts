import type { VerifierConfig } from '../../schemas/catalogue/job-definition.ts'
import type { JudgementTerms } from '../../schemas/catalogue/judgement.ts'
import { ARBITRATOR_SLA_SECONDS, inDays, inHours, PROFILE_SLA_SECONDS, REVIEW_SLA_SECONDS } from '../common/constants.ts'

/** Part of the reward that a worker gets when people decide nothing in their time, basis points. */
const DEFAULT_WORKER_SHARE_BPS = 5_000

const BY_DEFAULT = [
  'Without a decision of theirs the worker gets half of the reward and its bond back, and the rest goes back to the poster.',
  `Where only the contract may divide it, that comes ${inDays(ARBITRATOR_SLA_SECONDS)} later at most, and the bond is lost.`,
].join(' ')

const JUDGES: Readonly<Record<VerifierConfig['handler'], string>> = {
  benchmark: 'The benchmark verifier judges a submission as soon as it arrives.',
  deterministic: 'The deterministic verifier judges a submission as soon as it arrives.',
  codehost_pr: 'The verifier reads the pull request, and again until it can decide.',
  human_fallback: 'The job approves every valid submission as soon as it arrives.',
  verification_profile: 'The pinned profile runs on a submission as soon as it arrives, and again until it has a result.',
}

/** The profile is the only judge, and only its passing result pays. */
const PROFILE_TERMS: JudgementTerms = {
  description: [
    JUDGES.verification_profile,
    `Without a result within ${inDays(PROFILE_SLA_SECONDS)} of the submission the worker gets one base unit of the reward and its bond back.`,
    'The rest goes back to the poster.',
  ].join(' '),
  stages: [{ judge: 'verifier', deadlineSeconds: PROFILE_SLA_SECONDS, byDefault: 'split' }],
  defaultWorkerShareBps: 0,
}

/**
 * Who judges the work of a job, until when, and what follows without a judgement. Known before any claim; a session has the dates. Not a part of
 * the hashed definition. `pullRequestSeconds`: time of the verifier for a pull request, a setting. Source: lifecycle, "Review loop".
 */
export function judgementTerms(config: VerifierConfig, pullRequestSeconds: number = REVIEW_SLA_SECONDS): JudgementTerms {
  if (config.handler === 'verification_profile') return PROFILE_TERMS
  const reviewSeconds = Math.ceil(config.handler === 'codehost_pr' ? pullRequestSeconds : REVIEW_SLA_SECONDS)
  const verifier = { judge: 'verifier', deadlineSeconds: reviewSeconds, byDefault: 'people_decide' } as const
  // People are asked at once, or when the verifier had its time.
  const people = { judge: 'people', deadlineSeconds: reviewSeconds + ARBITRATOR_SLA_SECONDS, byDefault: 'split' } as const
  const isByPeople = config.handler === 'human_fallback' && !config.autoApprove
  const whoAndWhen = isByPeople
    ? `People judge a submission, within ${inDays(ARBITRATOR_SLA_SECONDS)} of their being asked, which is at most ${inHours(reviewSeconds)} after it.`
    : `${JUDGES[config.handler]} Without a verdict within ${inHours(reviewSeconds)} of the submission people decide, within another ${inDays(ARBITRATOR_SLA_SECONDS)}.`
  return {
    description: `${whoAndWhen} ${BY_DEFAULT}`,
    stages: isByPeople ? [people] : [verifier, people],
    defaultWorkerShareBps: DEFAULT_WORKER_SHARE_BPS,
  }
}
