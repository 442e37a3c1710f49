import type { VerifierConfig } from '../../schemas/catalogue/job-definition.ts'
import type { JudgementTerms } from '../../schemas/catalogue/judgement.ts'
import { ARBITRATOR_SLA_SECONDS, inDays, inHours, REVIEW_SLA_SECONDS } from '../common/constants.ts'

/** Part of the reward that a worker gets when people decide nothing in their time, basis points. */
const DEFAULT_WORKER_SHARE_BPS = 5_000

const BY_DEFAULT = [
  'Without a decision of theirs the worker gets half of the reward and its bond back, and the rest goes back to the poster.',
  `Where only the contract may divide it, that comes ${inDays(ARBITRATOR_SLA_SECONDS)} later at most, and the bond is lost.`,
].join(' ')
const PEOPLE_NEXT = `Without a verdict within ${inHours(REVIEW_SLA_SECONDS)} of the submission people decide, within another ${inDays(ARBITRATOR_SLA_SECONDS)}.`

const JUDGES: Readonly<Record<VerifierConfig['handler'], string>> = {
  benchmark: 'The benchmark verifier judges a submission as soon as it arrives.',
  deterministic: 'The deterministic verifier judges a submission as soon as it arrives.',
  codehost_pr: 'The verifier reads the pull request, and again until it can decide.',
  human_fallback: 'The job approves every valid submission as soon as it arrives.',
}

/** Last instants of people, seconds after the submission. They are asked at once, or when the verifier had its time. */
const PEOPLE = { judge: 'people', deadlineSeconds: REVIEW_SLA_SECONDS + ARBITRATOR_SLA_SECONDS, byDefault: 'split' } as const
const VERIFIER = { judge: 'verifier', deadlineSeconds: REVIEW_SLA_SECONDS, byDefault: 'people_decide' } as const

/**
 * Who judges the work of a job, until when, and what follows without a judgement. Known before any claim; a session has the dates. Not a part of
 * the hashed definition. Source: lifecycle, "Review loop".
 */
export function judgementTerms(config: VerifierConfig): JudgementTerms {
  const isByPeople = config.handler === 'human_fallback' && !config.autoApprove
  const whoAndWhen = isByPeople
    ? `People judge a submission, within ${inDays(ARBITRATOR_SLA_SECONDS)} of their being asked, which is at most ${inHours(REVIEW_SLA_SECONDS)} after it.`
    : `${JUDGES[config.handler]} ${PEOPLE_NEXT}`
  return {
    description: `${whoAndWhen} ${BY_DEFAULT}`,
    stages: isByPeople ? [PEOPLE] : [VERIFIER, PEOPLE],
    defaultWorkerShareBps: DEFAULT_WORKER_SHARE_BPS,
  }
}
