// Verdicts, decisions, participants and ids, as badges, receipts and dispute files state them.
import { ALL_HANDLERS, CRITERIA, isFindingOf } from './findings.ts'
import { assert, assertRules, canonical, instantOf, isInOrder, isObject, type Members, type Rules, textOf, toHex, utf8 } from './json.ts'
import { keccak256 } from './keccak.ts'
import { fromHex } from './rlp.ts'
import * as is from './shape.ts'

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
  { replacedVerdict: is.closed({ outcome, reasonCode: is.text(/./), resolvedAt: is.instant, items }) },
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

/** Share of the worker where no decision came in time: half of what the escrow held, rounded down; a last base unit goes to the worker. */
const isTimeoutShare = ({ resolution: { verdict: decided, workerShareBps }, paidRaw }: Decision): boolean => {
  const shares = [5_000n, (paidRaw * 10_000n) / (paidRaw * 2n + 1n), ...(decided === 'split' && paidRaw === 1n ? [10_000n] : [])]
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
