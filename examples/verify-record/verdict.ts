// Verdicts, decisions, participants and ids, as badges, receipts and dispute files state them.
import {
  assert,
  assertRules,
  canonical,
  instantOf,
  isInOrder,
  isObject,
  type Members,
  type Rules,
  textOf,
  toHex,
  utf8,
} from './encoding/json.ts'
import { keccak256 } from './encoding/keccak.ts'
import { fromHex } from './encoding/rlp.ts'
import * as is from './shape.ts'

/** Evidence of each check: a pointer into the verdict, or into the dispute that decided. */
const EVIDENCE = {
  claim_admitted: '/detail',
  submission_provided: '/verificationInput',
  submission_valid: '/verificationInput',
  terms_distinguish_work: '/verifierConfigSnapshot',
  terms_found: '/verificationInput',
  quotes_in_revision: '/verificationInput',
  answer_expected: '/verificationInput',
  pinned_addresses_submitted: '/verificationInput',
  pinned_addresses_answer: '/verificationInput',
  source_unchanged: '/detail',
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
  patch_for_base: '/verificationInput',
  profile_passed: '/profileRun',
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
/** One check for each expected output where all of them have to be there. */
const answers = (outcome: string, reason: string, checks: string): Row => [outcome, reason, checks]
const addresses = (outcome: string, reason: string, submitted: string, answer: string): Row =>
  row(outcome, `DETERMINISTIC_FETCH_EVIDENCE_${reason}`, { pinned_addresses_submitted: submitted, pinned_addresses_answer: answer })
const pullRequest = (outcome: string, reason: string): Row =>
  row(outcome, reason, {
    ...{ pr_url_valid: ANY, repo_matches: ANY, issue_referenced: ANY, test_evidence_submitted: ANY, checks_not_failing: ANY },
    ...{ not_closed_unmerged: ANY, disclosure_present: ANY, claimant_bound: ANY, policy_gates_passed: ANY, score_reached: ANY },
  })
/** The platform is at fault: terms of another handler, or terms that do not verify. */
const FAULTS = [row('platform_fault', 'VERIFIER_CONFIG_MISMATCH'), row('platform_fault', 'job_snapshot_[a-z_]+', { terms_verify: 'unmet' })]
/** Claims that a wallet made on chain itself: without a right to the job, or without its work. No rule of the job was asked. */
const UNJUDGED = [
  row('rejected', 'CLAIMANT_NOT_ADMITTED', { claim_admitted: 'unmet' }),
  row('rejected', 'SUBMISSION_NOT_PROVIDED', { submission_provided: 'unmet' }),
]

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
      ...UNJUDGED,
    ],
  },
  deterministic: {
    version: 1,
    rows: [
      answers('approved', 'DETERMINISTIC_MATCH', '( answer_expected=met)+'),
      answers('rejected', 'DETERMINISTIC_MISMATCH', '(?=.*=unmet)( answer_expected=(un)?met)+'),
      // Facts of a pinned source, which was read again since they were not all there.
      answers('rejected', 'DETERMINISTIC_MISMATCH', '(?=.* answer_expected=unmet)( answer_expected=(un)?met)+ source_unchanged=met'),
      answers('inconclusive', 'DETERMINISTIC_SOURCE_CHANGED', '( answer_expected=(un)?met)+ source_unchanged=unmet'),
      answers('inconclusive', 'DETERMINISTIC_SOURCE_UNREACHABLE', '( answer_expected=(un)?met)+ source_unchanged=not_applicable'),
      // The service lost what opens the commitments.
      row('platform_fault', 'VERIFIER_CONFIG_MISMATCH', { terms_verify: 'unmet' }),
      addresses('rejected', 'MISMATCH', 'unmet', NONE),
      addresses('inconclusive', 'UNREACHABLE', 'met', 'unmet'),
      addresses('approved', 'VERIFIED', 'met', 'met'),
      ...FAULTS,
      ...UNJUDGED,
    ],
  },
  codehost_pr: {
    version: 1,
    rows: [
      pullRequest('approved', 'CODEHOST_PR_EVIDENCE_ACCEPTED'),
      pullRequest('rejected', 'CODEHOST_PR_EVIDENCE_INCOMPLETE'),
      ...FAULTS,
      ...UNJUDGED,
    ],
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
      ...UNJUDGED,
    ],
  },
  verification_profile: {
    version: 1,
    rows: [
      row('approved', 'VERIFICATION_PROFILE_PASSED', { profile_passed: 'met' }),
      row('rejected', 'VERIFICATION_PROFILE_(FAILED|POLICY_VIOLATION)', { profile_passed: 'unmet' }),
      // A patch that no run could take.
      row('rejected', 'VERIFICATION_PROFILE_FAILED', { patch_for_base: 'unmet' }),
      row('inconclusive', 'VERIFICATION_PROFILE_WITHOUT_RESULT'),
      ...FAULTS,
      ...UNJUDGED,
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
  // A space in it would read as a check.
  const isReason = reasonCode === null || /^\S+$/.test(String(reasonCode))
  return isEvident && isReason && patterns.some((pattern) => new RegExp(pattern).test(line))
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

export const MODES = ['benchmark', 'deterministic', 'human_fallback', 'codehost_pr', 'verification_profile'] as const
/** All handlers of verdicts. */
export const ALL_HANDLERS = [...MODES, 'human_review', 'chain']

const judged = is.closed({
  criterion: is.oneOf(...CRITERIA),
  result: is.oneOf('met', 'unmet'),
  evidence: is.text(/^\/[A-Za-z/]+$/),
})
const unjudged = is.closed({ criterion: is.oneOf(...CRITERIA), result: is.oneOf('not_applicable'), evidence: is.oneOf(null) })

/** Checks of a verdict; one that was judged names its evidence. */
export const items = is.list((item, place) => (isObject(item) && item.result === 'not_applicable' ? unjudged : judged)(item, place))

export const outcome = is.oneOf('approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault')
export const verdict = is.oneOf('approved', 'rejected', 'upheld', 'dismissed', 'split', 'timeout')

export const resolution = is.closed(
  { kind: is.oneOf('verifier', 'human_review', 'arbitration', 'timeout'), verdict, workerShareBps: is.basisPoints },
  { replacedVerdict: is.closed({ outcome, reasonCode: is.text(/^\S+$/), resolvedAt: is.instant, items }) },
)

/** What opens the commitments of a verifier config. */
export const expectedOutputs = is.list(is.closed({ value: is.anyText, salt: is.bytes32 }), 1)

export const signature = is.closed({ alg: is.oneOf('ES256'), kid: is.text(/./), sig: is.text(/^[\w-]+\.\.[\w-]+$/), signedAt: is.instant })

export const signers = is.list(
  is.closed({
    role: is.oneOf('operator', 'worker', 'verifier'),
    wallet: is.party,
    at: is.instant,
    status: is.oneOf('posted', 'submitted', 'signed'),
  }),
)

/** Refuses an outcome that its checks do not bear out. */
export const checkItems = (stated: unknown, checks: readonly Members[]): void => {
  const unmet = checks.filter(({ result }) => result === 'unmet').map(({ criterion }) => criterion)
  assert(stated !== 'approved' || checks.length > 0, 'it approves work without a check')
  assert(stated !== 'approved' || unmet.length === 0, `it approves work over unmet checks: ${unmet.join(', ')}`)
  assert(stated !== 'rejected' || unmet.length > 0, 'it rejects work without an unmet check')
}

const VERDICTS_OF: Readonly<Record<string, readonly unknown[]>> = {
  verifier: ['approved', 'rejected'],
  human_review: ['approved', 'rejected'],
  arbitration: ['upheld', 'dismissed', 'split'],
  timeout: ['split', 'timeout'],
}

/** Outcome of a decision; null where a time-out leaves the verdict before it. */
export const outcomeOf = (decided: unknown): 'approved' | 'rejected' | null => {
  if (decided === 'timeout') return null
  return decided === 'rejected' || decided === 'upheld' ? 'rejected' : 'approved'
}

/** A decision, what it paid in base units before gas was retained, and when work and record came. */
export interface Decision {
  resolution: Members
  paidRaw: bigint
  /** Null where the record does not state it. */
  submittedAt: string | null
  signedAt: string
}

/** Share of the worker where no decision came in time: half of what the escrow held, rounded down; a last base unit goes to the worker, and one of any sum where only a profile pays. */
const isTimeoutShare = ({ resolution: { verdict: decided, workerShareBps }, paidRaw }: Decision): boolean => {
  const shares = [5_000n, (paidRaw * 10_000n) / (paidRaw * 2n + 1n), ...(decided === 'split' && paidRaw === 1n ? [10_000n, 0n] : [])]
  return shares.includes(BigInt(Number(workerShareBps)))
}

const RESOLUTION_RULES: Rules<Decision> = {
  'its decision is none that its kind can have': ({ resolution: { kind, verdict: decided } }) =>
    (VERDICTS_OF[String(kind)] ?? []).includes(decided),
  'its decision gives the worker everything, and its share says otherwise': ({ resolution: { verdict: decided, workerShareBps } }) =>
    !['approved', 'dismissed'].includes(String(decided)) || workerShareBps === 10_000,
  'its decision gives the worker nothing, and its share says otherwise': ({ resolution: { verdict: decided, workerShareBps } }) =>
    outcomeOf(decided) !== 'rejected' || workerShareBps === 0,
  'no decision came in time, and its share is not half': (decision) => decision.resolution.kind !== 'timeout' || isTimeoutShare(decision),
}

type Replaced = Decision & { replaced: Members }
const REPLACED_RULES: Rules<Replaced> = {
  'its decision replaces a verdict of the same outcome': ({ resolution: { verdict: decided }, replaced }) =>
    replaced.outcome !== outcomeOf(decided),
  'it replaces a verdict that came after its signature': ({ replaced, signedAt }) =>
    instantOf(textOf(replaced, 'resolvedAt')) <= instantOf(signedAt),
  'it replaces a verdict that came before the work': ({ replaced, submittedAt }) =>
    submittedAt === null || isInOrder(submittedAt, replaced.resolvedAt),
  'it replaces a verdict that no verifier can give': ({ replaced: { outcome: stated, reasonCode, items: checks } }) =>
    isFindingOf(ALL_HANDLERS, { outcome: stated, reasonCode, items: checks }),
}

/** Refuses a decision that its kind cannot have, another share than it gives, and a verdict that it cannot replace. */
export const checkResolution = (decision: Decision): void => {
  const { replacedVerdict: replaced } = decision.resolution
  assertRules(RESOLUTION_RULES, decision)
  if (!isObject(replaced)) return
  checkItems(replaced.outcome, replaced.items as Members[])
  assertRules(REPLACED_RULES, { ...decision, replaced })
}

/** Form in which the verifier compares texts: NFKC, without case, each run of white space one space. */
const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replace(/[\s\u0085]+/g, ' ')
    .trim()

/** Refuses expected outputs that are not those to which the config of the verifier commits, in their order. Returns their number. */
export const checkExpectedOutputs = async (config: unknown, outputs: readonly Members[]): Promise<number> => {
  const commitments = isObject(config) && Array.isArray(config.commitments) ? config.commitments : []
  assert(outputs.length === commitments.length, 'it has another number of expected outputs than of commitments to them')
  for (const [place, { value, salt }] of outputs.entries()) {
    const bytes = new Uint8Array([...fromHex(String(salt)), ...utf8(normalise(String(value)))])
    const digest = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
    assert(digest === commitments[place], 'an expected output is not the one that its terms commit to')
  }
  return outputs.length
}

/** Participants of a record; a wallet is null where it is not known, an instant where the record does not state it. */
export interface Parties {
  poster: unknown
  worker: unknown
  verifier: unknown
  submittedAt: string | null
  decidedAt: string
  signedAt: string
}

/** Refuses signers that are not the participants of the record, or that acted at another time. */
export const checkSigners = (stated: readonly Members[], { poster, worker, verifier, submittedAt, decidedAt, signedAt }: Parties): void => {
  const row = (role: string, status: string, wallet: unknown, at: string | null) => (wallet === null ? [] : [{ role, status, wallet, at }])
  const expected = [
    ...row('operator', 'posted', poster, null),
    ...row('worker', 'submitted', worker, submittedAt),
    ...row('verifier', 'signed', verifier, decidedAt),
  ]
  const shown = stated.map(({ at, ...signer }, place) => ({ ...signer, at: expected[place]?.at === null ? null : at }))
  assert(canonical(shown) === canonical(expected), 'its signers are not the participants that it names')
  const isLate = stated.some(({ at, role }) => instantOf(String(at)) > instantOf(role === 'operator' ? signedAt : decidedAt))
  assert(!isLate, 'a signer of it acted after its decision')
  const [listed, submitted] = ['operator', 'worker'].map((role) => stated.find((signer) => signer.role === role)?.at)
  assert(listed === undefined || isInOrder(listed, submitted), 'its work was submitted before its job was listed')
}

const keccakOfText = (text: string): string => toHex(keccak256(utf8(text)))

/** EIP-55 spelling of an address. */
const checksummed = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = keccakOfText(digits).slice(2)
  return `0x${[...digits].map((digit, place) => (Number.parseInt(hash[place] ?? '0', 16) > 7 ? digit.toUpperCase() : digit)).join('')}`
}

/** Id of the dispute of a session. */
export const disputeIdOf = (sessionId: string): string => `dispute-${keccakOfText(sessionId).slice(2, 14)}`

/** Refuses a chain id that is not that of the job, and the session of another job or worker. */
export const checkIds = (record: Members): void => {
  const [jobId, sessionId] = [textOf(record, 'jobId'), textOf(record, 'sessionId')]
  const expected = /^0x[0-9a-fA-F]{64}$/.test(jobId) ? jobId.toLowerCase() : keccakOfText(jobId)
  assert(record.chainJobId === expected, 'its chainJobId is not that of its jobId')
  const first = `${jobId}:${checksummed(textOf(record, 'worker'))}`
  // A second attempt of the same worker has its number.
  const attempt = sessionId.startsWith(first) ? sessionId.slice(first.length) : null
  assert(attempt !== null && /^(:([2-9]|[1-9][0-9]{1,8}))?$/.test(attempt), 'its session is of another job or worker')
}
