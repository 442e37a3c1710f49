// What each handler of a verdict can find: outcome, reason and checks in their order. A verdict is one of these rows, or it is no verdict.
import { canonical, type Members } from './json.ts'

/** Evidence of each check: a pointer into the verdict, or into the dispute that decided. */
const EVIDENCE = {
  submission_valid: '/verificationInput',
  terms_distinguish_work: '/verifierConfigSnapshot',
  terms_found: '/verificationInput',
  quotes_in_revision: '/verificationInput',
  answer_expected: '/verificationInput',
  pinned_addresses_submitted: '/verificationInput',
  pinned_addresses_answer: '/verificationInput',
  pr_url_valid: '/checks/prUrlValid',
  repo_matches: '/checks/repoMatches',
  issue_referenced: '/checks/issueReferenced',
  test_evidence_submitted: '/checks/testEvidenceSubmitted',
  checks_not_failing: '/codehostLookup/ciStatus',
  not_closed_unmerged: '/codehostLookup/state',
  disclosure_present: '/checks/disclosureFooterPresent',
  claimant_bound: '/checks/claimantBinding',
  policy_gates_passed: '/policyGates',
  score_reached: '/score',
  terms_verify: '/verifierConfigSnapshot',
  reviewer_accepts: '/detail',
  verifier_accepts: '/txHash',
  arbitrator_accepts: '/verdict',
} as const
type Criterion = keyof typeof EVIDENCE
export const CRITERIA = Object.keys(EVIDENCE)

const NONE = 'not_applicable'
const ANY = `(met|unmet|${NONE})`

/** A verdict as one line. */
const lineOf = (outcome: unknown, reason: unknown, checks: readonly Members[]): string =>
  [outcome, reason, ...checks.map(({ criterion, result }) => `${criterion}=${result}`)].join(' ')
/** The lines of a row: outcome and reason are patterns too. */
const row = (outcome: string, reason: string, checks: Partial<Record<Criterion, string>> = {}): readonly [string, string, string] => [
  outcome,
  reason,
  Object.entries(checks)
    .map(([criterion, result]) => ` ${criterion}=${result}`)
    .join(''),
]
type Row = ReturnType<typeof row>

const benchmark = (outcome: string, reason: string, usable: string, found: string, quoted: string): Row =>
  row(outcome, reason, { terms_distinguish_work: usable, terms_found: found, quotes_in_revision: quoted })
const addresses = (outcome: string, reason: string, submitted: string, answer: string): Row =>
  row(outcome, `DETERMINISTIC_FETCH_EVIDENCE_${reason}`, { pinned_addresses_submitted: submitted, pinned_addresses_answer: answer })
const pullRequest = (outcome: string, reason: string): Row =>
  row(outcome, reason, {
    ...{ pr_url_valid: ANY, repo_matches: ANY, issue_referenced: ANY, test_evidence_submitted: ANY, checks_not_failing: ANY },
    ...{ not_closed_unmerged: ANY, disclosure_present: ANY, claimant_bound: ANY, policy_gates_passed: ANY, score_reached: ANY },
  })
/** The platform is at fault: terms of another handler, or terms that do not verify. */
const FAULTS = [row('platform_fault', 'VERIFIER_CONFIG_MISMATCH'), row('platform_fault', 'job_snapshot_[a-z_]+', { terms_verify: 'unmet' })]

interface Handler {
  /** Newest version of its rule. */
  version: number
  rows: readonly Row[]
}
const HANDLERS: Readonly<Record<string, Handler>> = {
  benchmark: {
    version: 2,
    rows: [
      benchmark('rejected', 'BENCHMARK_CONFIG_UNSAFE', 'unmet', NONE, NONE),
      benchmark('rejected', 'BENCHMARK_THRESHOLD_MISSED', 'met', 'unmet', NONE),
      benchmark('approved', 'BENCHMARK_THRESHOLD_MET', 'met', 'met', NONE),
      benchmark('rejected', 'BENCHMARK_REVISION_ANCHOR_MISMATCH', 'met', 'met', 'unmet'),
      benchmark('approved', 'BENCHMARK_REVISION_ANCHORS_MET', 'met', 'met', 'met'),
      ...FAULTS,
    ],
  },
  deterministic: {
    version: 1,
    rows: [
      row('approved', 'DETERMINISTIC_MATCH', { answer_expected: 'met' }),
      row('rejected', 'DETERMINISTIC_MISMATCH', { answer_expected: 'unmet' }),
      addresses('rejected', 'MISMATCH', 'unmet', NONE),
      addresses('inconclusive', 'UNREACHABLE', 'met', 'unmet'),
      addresses('approved', 'VERIFIED', 'met', 'met'),
      ...FAULTS,
    ],
  },
  codehost_pr: {
    version: 1,
    rows: [pullRequest('approved', 'CODEHOST_PR_EVIDENCE_ACCEPTED'), pullRequest('rejected', 'CODEHOST_PR_EVIDENCE_INCOMPLETE'), ...FAULTS],
  },
  // A reviewer has to decide: by the terms, by the pull request, or because no verdict came in time.
  human_fallback: {
    version: 1,
    rows: [
      row('approved', 'HUMAN_FALLBACK_AUTO_APPROVE', { submission_valid: 'met' }),
      row('disputed', 'HUMAN_REVIEW_REQUIRED', { submission_valid: 'met' }),
      row('disputed', 'HUMAN_REVIEW_REQUIRED'),
      pullRequest('disputed', 'HUMAN_REVIEW_REQUIRED'),
      ...FAULTS,
    ],
  },
  human_review: {
    version: 1,
    rows: [
      row('approved', 'HUMAN_REVIEW_APPROVED', { reviewer_accepts: 'met' }),
      row('rejected', 'HUMAN_REVIEW_REJECTED', { reviewer_accepts: 'unmet' }),
    ],
  },
  chain: {
    version: 1,
    rows: [
      row('approved', 'CHAIN_VERDICT_OBSERVED', { verifier_accepts: 'met' }),
      row('rejected', 'CHAIN_VERDICT_OBSERVED', { verifier_accepts: 'unmet' }),
    ],
  },
}

/** A verdict of a handler; null for what the record does not state. */
export interface Finding {
  handler: unknown
  outcome: unknown
  reasonCode: unknown
  items: unknown
}

/** Whether a handler can find this: its checks, all of them, once and in their order, with their evidence, and what follows from them. */
export const isFinding = ({ handler, outcome, reasonCode, items }: Finding): boolean => {
  const checks = items as readonly Members[]
  const isEvident = checks.every(({ criterion, result, evidence }) => result === NONE || evidence === EVIDENCE[criterion as Criterion])
  const line = lineOf(outcome ?? 'any', reasonCode ?? 'any', checks)
  const rows = Object.hasOwn(HANDLERS, String(handler)) ? (HANDLERS[String(handler)]?.rows ?? []) : []
  const patterns = rows.map(
    ([found, reason, list]) => `^${outcome === null ? 'any' : found} ${reasonCode === null ? 'any' : reason}${list}$`,
  )
  return isEvident && patterns.some((pattern) => new RegExp(pattern).test(line))
}

/** Whether one of the handlers can find this. */
export const isFindingOf = (handlers: readonly unknown[], finding: Omit<Finding, 'handler'>): boolean =>
  handlers.some((handler) => isFinding({ handler, ...finding }))

/** Whether a rule of a handler has had this version. */
export const hasVersion = (handler: unknown, version: unknown): boolean =>
  Number(version) >= 1 && Number(version) <= (Object.hasOwn(HANDLERS, String(handler)) ? (HANDLERS[String(handler)]?.version ?? 0) : 1)

/** Handlers that can judge work of a verifier mode. */
export const handlersOf = (profile: unknown): readonly unknown[] => [profile, 'human_fallback', 'human_review', 'chain']

const REASONS: Readonly<Record<string, string>> = {
  dismissed: 'DISPUTE_OVERTURNED',
  split: 'DISPUTE_PARTIAL',
  upheld: 'DISPUTE_LOST',
  timeout: 'ARB_TIMEOUT',
}

/** Reason of the decision of a dispute. */
export const reasonOf = (decided: unknown): string | undefined => REASONS[String(decided)]

/** Whether the last check is that of the decision of a dispute, which a time-out does not judge, and those before it are its verdict's. */
export const isDecision = (
  { kind, verdict: decided }: Members,
  outcome: unknown,
  items: unknown,
  handlers: readonly unknown[],
): boolean => {
  const checks = items as readonly Members[]
  const judged = decided === 'upheld' ? 'unmet' : 'met'
  const isTimeout = kind === 'timeout'
  const expected = {
    criterion: 'arbitrator_accepts',
    result: isTimeout ? NONE : judged,
    evidence: isTimeout ? null : EVIDENCE.arbitrator_accepts,
  }
  const confirmed = checks.slice(0, -1)
  const isConfirmed = confirmed.length === 0 || isFindingOf(handlers, { outcome, reasonCode: null, items: confirmed })
  return canonical(checks.at(-1) ?? null) === canonical(expected) && isConfirmed
}

const MODES = ['benchmark', 'deterministic', 'human_fallback', 'codehost_pr'] as const
/** All handlers of verdicts. */
export const ALL_HANDLERS = [...MODES, 'human_review', 'chain']
