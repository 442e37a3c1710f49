import { codeWords } from '../../pages/parts.ts'

/** Why something waits or ended, for the codes that need more words than their own. */
const REASONS: Readonly<Record<string, string>> = {
  job_claimed: 'The claim is on chain.',
  work_submitted: 'The submission is on chain.',
  claim_ttl_expired: 'The claim ran out without a submission.',
  verdict_recorded: 'The verdict is recorded on chain.',
  chain_state_diverged: 'Record and escrow differ. An operator has to look.',
  paused_system: 'The contracts are paused.',
  operator_overturn: 'An operator opened the dispute of a rejection.',
  pending_maintainer_approval: 'The maintainers of the repository have not approved yet.',
  chain_close_observed: 'The escrow closed the job on chain.',
  claim_removed_by_fork: 'The chain dropped the claim in a fork.',
  HUMAN_REVIEW_REQUIRED: 'The verifier cannot decide alone: a reviewer has to.',
  BENCHMARK_THRESHOLD_MISSED: 'The submission has fewer of the demanded terms than needed.',
  BENCHMARK_THRESHOLD_MET: 'The submission has the demanded terms.',
  DETERMINISTIC_MISMATCH: 'The answer is not the expected one.',
  DETERMINISTIC_MATCH: 'The answer is the expected one.',
  VERIFICATION_PROFILE_PASSED: 'The checks of the profile passed.',
  VERIFICATION_PROFILE_FAILED: 'A check of the profile failed.',
  DISPUTE_WON: 'The arbitrator decided for the worker.',
  DISPUTE_LOST: 'The arbitrator decided against the worker.',
  ARB_TIMEOUT: 'No arbitrator decided in time.',
  workflow_failing: 'A step of the workflow fails and is tried again.',
  step_refused: 'The next step of the workflow is refused.',
  source_silent: 'The source has given nothing for longer than its schedule allows.',
  source_creates_nothing: 'The source answers, and no run lists a job.',
  source_unreadable: 'The source did not answer, or not with what it documents.',
  source_rate_limited: 'The source asks to wait.',
  source_refused: 'The source refuses the request: access, address or input.',
  source_too_large: 'An answer of the source is longer than the service reads.',
  source_busy: 'Another run reads the source.',
  source_open_cap: 'The source has as many open jobs as it may.',
  source_text_parked: 'Its text breaks a rule of the screen.',
  budget_exhausted: 'The run has made as many requests as it may.',
  limit_reached: 'The run has listed as many jobs as it may.',
  lane_paused: 'An operator paused the lane.',
  paused_by_operator: 'An operator paused it.',
  paused_by_owner: 'Its owner paused it.',
  recurring_reserve_exhausted: 'The reserve of the template is spent.',
  failed_for_24_hours: 'Every delivery failed for 24 hours.',
  signing_key_removed: 'The key that signs its deliveries was removed.',
  finalize_exhausted: 'Every try to settle it was refused.',
  claimable: 'A worker can claim it.',
  job_session_completed: 'Its claim has ended, and it takes no further one.',
  retry_limit_exhausted: 'It had as many attempts as it may.',
  reward_funding_pending: 'Its reward is not funded yet.',
  reward_funding_unverified: 'Its funding could not be read.',
  verifier_not_ready: 'The service cannot verify such work now.',
  job_stale: 'It was listed too long ago.',
  tier_locked: 'It is for workers of a higher tier.',
  recurring_template: 'It is a template: its runs are claimed.',
}

/** A code of a reason as a sentence; one that this console does not know as its words. */
export const reasonWords = (code: string | null | undefined): string => {
  if (code === null || code === undefined || code === '') return '–'
  if (Object.hasOwn(REASONS, code)) return REASONS[code] as string
  const words = codeWords(code)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

const WAITS: Readonly<Record<string, string>> = {
  worker: 'the worker',
  chain: 'the chain',
  verifier: 'the verifier',
  pull_request: 'the pull request',
  reviewer: 'a reviewer',
  arbitrator: 'an arbitrator',
  operator: 'an operator',
}

/** Who or what must act next; a dash once nothing has to. */
export const waitWords = (code: string | null | undefined): string => (code ? (WAITS[code] ?? codeWords(code)) : '–')

/** What happens by itself at the deadline of a session, by its status. A dispute says so on its own page. */
const AT_DEADLINE: Readonly<Record<string, string>> = {
  claimed: 'The claim ends, the worker loses the bond, and the job takes the next claim.',
  submitted: 'Without a verdict until then, the work goes to reviewers.',
  disputed: 'The time-out of the dispute applies.',
  rejected: 'The rejection becomes final.',
}

/** What happens at the deadline of a session with this status; null where nothing is known to. */
export const atDeadline = (status: string): string | null => AT_DEADLINE[status] ?? null
