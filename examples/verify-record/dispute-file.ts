// The file of a dispute: its parts against one another, and its split computed again.
import { partOf, rawOf, wholeUnits } from './encoding/amounts.ts'
import {
  assert,
  assertRules,
  canonical,
  instantOf,
  isInOrder,
  isObject,
  type Members,
  type Rules,
  sha256Of,
  textOf,
  toHex,
  utf8,
} from './encoding/json.ts'
import { keccak256 } from './encoding/keccak.ts'
import { type CheckedReceipt, checkReceipt, describeReceipt, readReceipt, receiptShape } from './receipt.ts'
import { type Sentence, sentence } from './sentence.ts'
import { assertSound, type HistoryEvidence, logShape } from './session-log.ts'
import { type Bonds, bondsOf, type Settlement } from './settlement-proof.ts'
import * as is from './shape.ts'
import {
  checkExpectedOutputs,
  checkItems,
  verdict as decision,
  disputeIdOf,
  expectedOutputs,
  handlersOf,
  hasVersion,
  isFindingOf,
  items,
  outcome,
  outcomeOf,
  signature,
} from './verdict.ts'

const amount = is.closed({ asset: is.text(/./), raw: is.raw, decimals: is.integer(0, 30), display: is.display })
/** The sentence of every file. */
const STATEMENT =
  'States the terms, the work, what its worker says, the verdicts and decisions of a dispute, how it was settled, and the history of its session. Does not state that a decision was right, or who controls a wallet.'

/** Shape of `service.dispute-file.v1`. */
const disputeFileShape = is.closed({
  schemaVersion: is.oneOf('service.dispute-file.v1'),
  disputeId: is.text(/./),
  sessionId: is.text(/./),
  jobId: is.text(/./),
  chainJobId: is.bytes32,
  chainId: is.integer(1),
  worker: is.party,
  poster: is.nullable(is.party),
  origin: is.oneOf('review', 'participant', 'operator', 'platform'),
  reasonCode: is.text(/^\S+$/),
  openedAt: is.instant,
  remaining: amount,
  terms: is.closed(
    {
      specHash: is.bytes32,
      specDefinition: is.object,
      definitionHash: is.bytes32,
      definition: is.open({
        listedAt: is.instant,
        lifecycle: is.open({ createdAt: is.instant }),
        provenance: is.open({ firstSeenAt: is.instant, specHash: is.bytes32, postingRoute: is.anyText }),
      }),
      asset: is.closed({ symbol: is.text(/./), address: is.party, decimals: is.integer(0, 30) }),
      reward: amount,
      claimStake: amount,
      claimFee: amount,
      waived: is.flag,
      brokered: is.flag,
    },
    { expectedOutputs },
  ),
  submission: is.closed({ evidenceHash: is.bytes32, submittedAt: is.instant, content: is.anything }),
  statement: is.nullable(is.closed({ text: is.anyText, hash: is.bytes32, at: is.instant })),
  verdicts: is.list(
    is.closed({
      verificationId: is.text(/./),
      handler: is.text(/./),
      version: is.integer(0),
      outcome,
      reasonCode: is.text(/^\S+$/),
      decidedAt: is.instant,
      items,
    }),
  ),
  rounds: is.list(
    is.closed({
      round: is.integer(1),
      source: is.oneOf('arbitrator', 'reviewer', 'verifier', 'timeout', 'chain'),
      verdict: decision,
      reasonCode: is.text(/^\S+$/),
      by: is.text(/./),
      at: is.instant,
      workerPayout: is.nullable(amount),
      rationale: is.nullable(is.anyText),
      reasoningHash: is.nullable(is.bytes32),
      txHash: is.nullable(is.bytes32),
    }),
  ),
  deadlines: is.closed({ claimExpiresAt: is.instant, disputeWindowEndsAt: is.nullable(is.instant), arbitrationEndsAt: is.instant }),
  receipt: receiptShape,
  log: logShape,
  attestation: is.oneOf(STATEMENT),
  canonicalUrl: is.address,
  signature,
})

const hashOf = (value: unknown): string => toHex(keccak256(utf8(canonical(value))))

const checkAmounts = (file: Members, terms: Members): void => {
  const { symbol, decimals } = terms.asset as Members
  const payouts = (file.rounds as Members[]).map(({ workerPayout }) => workerPayout)
  for (const one of [file.remaining, terms.reward, terms.claimStake, terms.claimFee, ...payouts].filter(isObject)) {
    assert(one.asset === symbol && one.decimals === decimals, 'an amount is of another asset than its terms')
    assert(one.display === wholeUnits(rawOf(one, 'raw'), Number(decimals)), 'an amount in whole units is not its amount in base units')
  }
}

/** What file and receipt both state. */
const checkStatedTwice = (file: Members, terms: Members, receipt: Members): void => {
  const intent = receipt.intent as Members
  const value = intent.valueAtRisk as Members
  const { settlement: paid } = receipt
  assert(file.poster === intent.poster, 'its receipt names another poster')
  assert((terms.reward as Members).raw === value.amountRaw, 'its reward is not that of its receipt')
  assert((terms.asset as Members).symbol === value.asset, 'its asset is not that of its receipt')
  if (isObject(paid)) {
    assert((terms.asset as Members).address === paid.asset, 'its asset is not that of the settlement')
    assert(terms.waived === paid.waived && terms.brokered === paid.brokered, 'its terms are not those of the settlement')
  }
  const timestamps = receipt.timestamps as Members
  assert((file.submission as Members).submittedAt === timestamps.submittedAt, 'its submission is of another time than its receipt says')
  assert((file.deadlines as Members).claimExpiresAt === intent.deadline, 'its deadline is not that of its receipt')
}

/** The bond in the terms, and what the decision did to it by the receipt. */
const checkBond = ({ waived, brokered, claimStake, claimFee }: Members, { resolution, settlement, verdict }: Members): void => {
  const [stakeRaw, feeRaw] = [claimStake, claimFee].map((one) => rawOf(one as Members, 'raw'))
  const { policyTags, workerConsequence } = verdict as { policyTags: string[]; workerConsequence: unknown }
  assert(waived !== true || (stakeRaw === 0n && feeRaw === 0n), 'its bond was waived and locked')
  const isTagged = policyTags.includes('bond_waived') === waived && policyTags.includes('gas_brokered') === brokered
  assert(isTagged, 'its terms are not those of its receipt')
  const isSlashed = stakeRaw !== 0n && (settlement === undefined || (resolution as Members).verdict === 'timeout')
  assert((workerConsequence === 'stake_slashed') === isSlashed, 'its receipt states another consequence than its bond has')
}

/** Hash of the reasons of a decision, as the one who decided stored them. */
const isReasonOf = async (disputeId: unknown, { source, verdict, workerPayout, rationale, reasoningHash }: Members): Promise<boolean> => {
  if (rationale === null) return true
  // A split of everything pays what a dismissal pays, and the chain does not tell them apart.
  for (const stated of [verdict, 'split', 'dismissed']) {
    const reasons = { kind: 'dispute_rationale', disputeId, verdict: stated, workerPayout: source === 'reviewer' ? null : workerPayout }
    if ((await sha256Of({ ...reasons, rationale })) === reasoningHash) return true
  }
  return false
}

/** The statement of the worker by its hash, as the service stored it. */
const checkStatement = async ({ disputeId, statement }: Members): Promise<void> => {
  if (!isObject(statement)) return
  const hash = await sha256Of({ kind: 'dispute_statement', disputeId, statement: statement.text })
  assert(hash === statement.hash, 'the statement of its worker is not that of its hash')
}

const VERDICTS_OF: Readonly<Record<string, readonly unknown[]>> = {
  arbitrator: ['upheld', 'dismissed', 'split', 'timeout'],
  reviewer: ['approved', 'rejected'],
  verifier: ['approved', 'rejected'],
}

/** Verdicts and decisions: what bears them out, their order, and that the last one is that of the receipt. */
const checkDecisions = async (file: Members, receipt: Members): Promise<void> => {
  const [verdicts, rounds] = [file.verdicts as Members[], file.rounds as Members[]]
  for (const { outcome: stated, items: checks } of verdicts) checkItems(stated, checks as Members[])
  for (const [place, one] of rounds.entries()) {
    assert(Number(one.round) > Number(rounds[place - 1]?.round ?? 0), 'its rounds are not in their order')
    assert((VERDICTS_OF[String(one.source)] ?? [one.verdict]).includes(one.verdict), 'a decision is none that its source can give')
    assert(await isReasonOf(file.disputeId, one), 'the reasons of a decision are not those of their hash')
  }
  const last = rounds.at(-1)
  const { kind, verdict } = receipt.resolution as Members
  // A dispute that a fork took back before its decision leaves the rejection.
  assert(last === undefined ? verdict === 'rejected' : last.verdict === verdict, 'its last decision is not that of its receipt')
  const reasons = (receipt.verdict as Members).rationaleHash ?? null
  assert(kind !== 'arbitration' || last?.reasoningHash === reasons, 'its last decision has other reasons than its receipt')
}

const checkDates = ({ signature: signed, openedAt, statement, verdicts, rounds, deadlines }: Members, receipt: Members): void => {
  const signedAt = textOf(signed as Members, 'signedAt')
  assert(
    instantOf(signedAt) >= instantOf(textOf(receipt.signature as Members, 'signedAt')),
    'it was signed before its receipt: it is backdated',
  )
  const stated = isObject(statement) ? [statement.at] : []
  const dates = [
    openedAt,
    ...stated,
    ...(verdicts as Members[]).map(({ decidedAt }) => decidedAt),
    ...(rounds as Members[]).map(({ at }) => at),
  ]
  assert(
    dates.every((date) => instantOf(String(date)) <= instantOf(signedAt)),
    'it states what came after its signature',
  )
  const { arbitrationEndsAt } = deadlines as Members
  assert(instantOf(String(arbitrationEndsAt)) > instantOf(String(openedAt)), 'its dispute ended before it was opened')
}

const checkParts = async (file: Members, receipt: Members): Promise<void> => {
  const terms = file.terms as Members
  const submission = file.submission as Members
  for (const name of ['sessionId', 'jobId', 'chainJobId', 'worker'])
    assert(file[name] === receipt[name], `its receipt is of another ${name}`)
  assert(file.chainId === (receipt.settlementProof as Members).chainId, 'its receipt is of another chain')
  assert((receipt.intent as Members).specHash === terms.specHash, 'its receipt is of other terms')
  assert(hashOf(terms.specDefinition) === terms.specHash, 'its terms are not those of their hash')
  assert(hashOf(terms.definition) === terms.definitionHash, 'its definition is not that of its hash')
  await checkExpectedOutputs((terms.specDefinition as Members).verifierConfig, (terms.expectedOutputs ?? []) as Members[])
  assert((receipt.execution as Members).evidenceHash === submission.evidenceHash, 'its receipt is of another submission')
  const isBound = hashOf(submission.content) === submission.evidenceHash
  assert(submission.content === null || isBound, 'its submission is not that of its hash')
  const { artifactHash, sourceBinding } = receipt.execution as Members
  assert((sourceBinding as Members).verified === isBound, 'its receipt says otherwise whether its submission was found')
  assert((await sha256Of(submission.content)) === artifactHash, 'its submission is not that of its receipt')
  checkAmounts(file, terms)
  checkStatedTwice(file, terms, receipt)
  checkBond(terms, receipt)
  for (const { id } of [terms.specDefinition as Members, terms.definition as Members])
    assert(id === file.jobId, 'its terms are of another job')
  const { profile } = receipt.verifier as Members
  assert((terms.specDefinition as Members).verifierMode === profile, 'its terms have another verifier than its receipt')
  assert(file.disputeId === disputeIdOf(String(file.sessionId)), 'its disputeId is not that of its session')
  assert(textOf(file, 'canonicalUrl').endsWith(`/disputes/${file.disputeId}/file`), 'its address names another dispute')
}

/** Payout of a decision over what the escrow held, base units; null where another hand chose the amount. */
const payoutOf = (verdict: unknown, heldRaw: bigint, decidedRaw: bigint | null): bigint | null => {
  if (verdict === 'dismissed' || verdict === 'approved') return heldRaw
  if (verdict === 'upheld' || verdict === 'rejected') return 0n
  if (verdict === 'timeout') return heldRaw / 2n
  return decidedRaw
}

/** Computes the split again from the decision and what the escrow held. */
const checkSplit = (file: Members, receipt: Members): { workerRaw: bigint; posterRaw: bigint } => {
  const heldRaw = rawOf(file.remaining as Members, 'raw')
  const { verdict, workerShareBps } = receipt.resolution as Members
  const last = (file.rounds as Members[]).at(-1)
  const decided = last?.workerPayout
  const paid = receipt.settlement as Members | undefined
  const paidRaw = paid === undefined ? 0n : rawOf(paid, 'workerAmountRaw') + rawOf(paid, 'gasRetentionAmountRaw')
  const dueRaw = payoutOf(verdict, heldRaw, isObject(decided) ? rawOf(decided, 'raw') : null)
  assert(rawOf((file.terms as Members).reward as Members, 'raw') >= heldRaw, 'the escrow held more than the reward')
  assert(dueRaw === null || paidRaw === dueRaw, 'the worker was not paid what the decision gives')
  const share = verdict === 'approved' || heldRaw === 0n ? workerShareBps : Number((paidRaw * 10_000n) / heldRaw)
  assert(share === workerShareBps, 'the share of the worker is not that of its payout')
  return { workerRaw: paidRaw, posterRaw: heldRaw - paidRaw }
}

/** Status of a session by the outcome of its dispute; the time-out of the contract closes it. */
const LAST = { approved: 'resolved', rejected: 'rejected' }

const checkLog = (file: Members, receipt: Members, evidence: HistoryEvidence): void => {
  const log = file.log as Members[]
  assertSound(log, evidence)
  const last = log.at(-1)
  assert(last?.sessionId === file.sessionId, 'its history is of another session')
  const stated = outcomeOf((receipt.resolution as Members).verdict)
  assert(last?.to === (stated === null ? 'closed' : LAST[stated]), 'its history ends otherwise than its receipt')
  assert(
    log.some(({ to }) => to === 'disputed'),
    'its history has no dispute',
  )
}

/** A file with its parts. */
interface Facts {
  file: Members
  terms: Members
  receipt: Members
  log: readonly Members[]
  verdicts: readonly Members[]
  rounds: readonly Members[]
  /** The decision of a dispute that counts: the rejection of a verifier needs none. */
  last: Members | undefined
  /** Whether the work is finally rejected without a decision on chain: then nothing in the file is dated by its settlement. */
  isRejected: boolean
  claimedAt: string
  submittedAt: string
  verifiedAt: string
  /** Paid to the worker, base units as digits. */
  paid: unknown
  bonds: Bonds | null
}

const factsOf = (file: Members, receipt: Members, proof: Settlement): Facts => {
  const { terms, log, verdicts, rounds } = file as { terms: Members; log: Members[]; verdicts: Members[]; rounds: Members[] }
  const { claimedAt, submittedAt, verifiedAt } = receipt.timestamps as Record<'claimedAt' | 'submittedAt' | 'verifiedAt', string>
  const isRejected = (receipt.resolution as Members).verdict === 'rejected'
  const paid = (receipt.settlement as Members | undefined)?.workerAmountRaw ?? '0'
  const dates = { claimedAt, submittedAt, verifiedAt }
  return {
    file,
    terms,
    receipt,
    log,
    verdicts,
    rounds,
    last: rounds.at(-1),
    isRejected,
    ...dates,
    paid,
    bonds: bondsOf(proof, receipt.worker),
  }
}

const rawIn = (members: Members, name: string): bigint => rawOf(members[name] as Members, 'raw')
const isNear = (left: unknown, right: unknown): boolean => isInOrder(left, right) && isInOrder(right, left)
const DAY_SECONDS = 86_400
const isLater = (later: unknown, earlier: unknown, seconds: number): boolean =>
  instantOf(String(later)) - instantOf(String(earlier)) === seconds * 1_000

const canBeGiven = ({ receipt, verdicts }: Facts): boolean => {
  const handlers = handlersOf((receipt.verifier as Members).profile)
  return verdicts.every(({ handler, version, outcome: stated, reasonCode, items: checks }) => {
    const isUnread = version === 0 && stated === 'platform_fault'
    const isKnown = handlers.includes(handler) && (isUnread || hasVersion(handler, version))
    return isKnown && isFindingOf([handler], { outcome: stated, reasonCode, items: checks })
  })
}

/** Whether the receipt judges as its verdicts do: one of them counts, or the decision of the dispute after all of them. */
const isJudgedByVerdicts = ({ receipt, verdicts }: Facts): boolean => {
  const { handler, version } = receipt.verifier as Members
  const { outcome: stated, items: checks } = receipt.verdict as Members
  const { kind, replacedVerdict = null } = receipt.resolution as Members
  const shown = canonical({ handler, version, checks, replacedVerdict })
  return [...verdicts, null].some((counted, place) => {
    const before = verdicts[place - 1]
    const isReplaced = before !== undefined && before.outcome !== stated
    const replaced = isReplaced
      ? { outcome: before.outcome, reasonCode: before.reasonCode, resolvedAt: before.decidedAt, items: before.items }
      : null
    const confirmed = before === undefined || isReplaced ? [] : (before.items as Members[])
    const own = (checks as Members[]).slice(-1)
    const judged =
      counted === null
        ? { handler: kind, version: 1, checks: [...confirmed, ...own] }
        : { handler: counted.handler, version: Math.max(1, Number(counted.version)), checks: counted.items }
    return canonical({ ...judged, replacedVerdict: replaced }) === shown
  })
}

const SOURCES_OF: Readonly<Record<string, readonly unknown[]>> = {
  verifier: ['verifier', 'reviewer', 'chain'],
  human_review: ['reviewer', 'chain'],
  arbitration: ['arbitrator', 'chain'],
  split: ['timeout'],
  timeout: ['arbitrator', 'chain'],
}
const isFromSource = ({ receipt, last }: Facts): boolean => {
  const { kind, verdict } = receipt.resolution as Members
  return last === undefined || (SOURCES_OF[String(kind === 'timeout' ? verdict : kind)] ?? []).includes(last.source)
}

/** Whether a decision of another hand names who sent it and when. */
const isSentAsProven = ({ receipt, last, isRejected, verifiedAt }: Facts): boolean => {
  const { wallet } = receipt.verifier as Members
  return isRejected || last?.source !== 'chain' || ((wallet === undefined || last.by === wallet) && last.at === verifiedAt)
}

const isPaidAsDecided = ({ rounds, last, terms, isRejected, paid }: Facts): boolean => {
  const isWithin = rounds.every(({ verdict, workerPayout }) => {
    const raw = isObject(workerPayout) ? rawOf(workerPayout, 'raw') : 0n
    return raw <= rawIn(terms, 'reward') && (outcomeOf(verdict) !== 'rejected' || raw === 0n)
  })
  return isWithin && (isRejected || (isObject(last?.workerPayout) && last.workerPayout.raw === paid))
}

const hasReasonOfLast = ({ receipt, last }: Facts): boolean => {
  const { kind } = receipt.resolution as Members
  return (kind !== 'arbitration' && kind !== 'timeout') || last?.reasonCode === (receipt.verdict as Members).reasonCode
}

/** Whether the window to dispute ends seven days after a rejection of the history; a fork can move the block of one. */
const isWindow = ({ file, log }: Facts): boolean => {
  const { disputeWindowEndsAt: end } = file.deadlines as Members
  const rejections = log.filter(({ to }) => to === 'rejected')
  if (end === null) return rejections.length === 0
  const rejectedAt = new Date(instantOf(String(end)) - 7 * DAY_SECONDS * 1_000).toISOString()
  return rejections.some(({ at }) => isNear(at, rejectedAt))
}

const isDeadline = ({ terms, receipt, claimedAt }: Facts): boolean => {
  const { specSource, deadline } = receipt.intent as Members
  const seconds = Number((terms.specDefinition as Members).claimTtlSeconds)
  return specSource !== 'chain_verified' || isLater(deadline, claimedAt, seconds)
}

const isServed = ({ terms }: Facts): boolean => {
  const { specDefinition, definition, specHash } = terms as Record<'specDefinition' | 'definition', Members> & { specHash: unknown }
  const isWhole = Object.entries(specDefinition).every(([name, value]) => canonical(definition[name] ?? null) === canonical(value))
  return isWhole && (definition.provenance as Members).specHash === specHash
}

const isRewarded = ({ terms: { specDefinition, definition, reward, asset } }: Facts): boolean => {
  const { rewardAmountRaw, rewardAsset } = specDefinition as Members
  const { raw, display } = reward as Members
  return rewardAmountRaw === raw && rewardAsset === (asset as Members).symbol && (definition as Members).rewardAmount === Number(display)
}

const isListed = ({ terms, receipt }: Facts): boolean => {
  const { listedAt, lifecycle, provenance } = terms.definition as { listedAt: string; lifecycle: Members; provenance: Members }
  const poster = (receipt.signers as Members[]).find(({ role }) => role === 'operator')
  const isOne = lifecycle.createdAt === provenance.firstSeenAt && isInOrder(lifecycle.createdAt, listedAt)
  return isOne && (poster === undefined || poster.at === listedAt)
}

/** Whether the stake is a part of the reward in whole basis points. */
const isStake = ({ terms }: Facts): boolean => {
  const [stakeRaw, rewardRaw] = [rawIn(terms, 'claimStake'), rawIn(terms, 'reward')]
  const points = rewardRaw === 0n ? 0n : (stakeRaw * 10_000n + rewardRaw - 1n) / rewardRaw
  return points <= 10_000n && partOf(rewardRaw, points) === stakeRaw
}

/** Whether the transaction gave back or slashed this bond. An earlier payment of the same job gives a part of it back. */
const isBond = ({ file, terms, receipt, bonds }: Facts): boolean => {
  if (bonds === null || rawIn(file, 'remaining') !== rawIn(terms, 'reward')) return true
  const [stakeRaw, feeRaw] = [rawIn(terms, 'claimStake'), rawIn(terms, 'claimFee')]
  const isSlashed = receipt.settlement === undefined || (receipt.resolution as Members).verdict === 'timeout'
  const moves = isSlashed
    ? ([
        [bonds.slashed, stakeRaw],
        [bonds.feesSlashed, feeRaw],
      ] as const)
    : ([[bonds.released, stakeRaw + feeRaw]] as const)
  return moves.every(([moved, raw]) => (raw === 0n ? moved.length === 0 || !bonds.isAlone : moved.includes(raw)))
}

const isDated = ({ log, claimedAt, submittedAt, verifiedAt, isRejected }: Facts): boolean => {
  const isEnd = isRejected ? log.some(({ to, at }) => to === 'rejected' && isNear(at, verifiedAt)) : log.at(-1)?.at === verifiedAt
  return log[0]?.at === claimedAt && log.find(({ to }) => to === 'submitted')?.at === submittedAt && isEnd
}

/** Whether the last entry alone names the receipt, with its reason, its transaction and what it paid. */
const isEnded = ({ log, receipt, isRejected, paid }: Facts): boolean => {
  const named = log.filter(({ metadata }) => (metadata as Members).receiptId !== undefined)
  if (isRejected) return named.length === 0
  const last = log.at(-1)
  const { receiptId, txHash, workerPayout } = (last?.metadata ?? {}) as Members
  const { transactionHash } = receipt.settlementProof as Members
  const isPaid = isObject(workerPayout) && workerPayout.raw === paid
  const isNamed = named.length === 1 && receiptId === receipt.receiptId && txHash === transactionHash
  return isNamed && isPaid && last?.reason === (receipt.verdict as Members).reasonCode
}

const isOpened = ({ file, log }: Facts): boolean => {
  const { openedAt, reasonCode, origin } = file
  const entry = log.findLast(({ to }) => to === 'disputed')
  const isByOperator = (origin === 'operator') === (reasonCode === 'operator_overturn')
  const isByParticipant = reasonCode !== 'dispute_opened' || origin === 'participant'
  return entry?.reason === reasonCode && isInOrder(entry?.at, openedAt) && isByOperator && isByParticipant
}

const RULES: Rules<Facts> = {
  'a verdict of it is none that its handler can give': canBeGiven,
  'it has a verdict twice': ({ verdicts }) => new Set(verdicts.map(({ verificationId }) => verificationId)).size === verdicts.length,
  'its receipt judges otherwise than its verdicts': isJudgedByVerdicts,
  'its last decision has a source that cannot have decided so': isFromSource,
  'its last decision names another sender or block than its receipt': isSentAsProven,
  'its last decision was carried out by another transaction': ({ receipt, last, isRejected }) =>
    isRejected || last?.txHash === (receipt.settlementProof as Members).transactionHash,
  'its last decision has another reason than its receipt': hasReasonOfLast,
  'a decision of it paid what its verdict and its receipt do not give': isPaidAsDecided,
  'it has a verdict or a decision before the work': ({ verdicts, rounds, submittedAt }) =>
    [...verdicts.map(({ decidedAt }) => decidedAt), ...rounds.map(({ at }) => at)].every((at) => isInOrder(submittedAt, at)),
  'its dispute was not opened between the work and its end': ({ file: { openedAt }, submittedAt, verifiedAt, isRejected }) =>
    isInOrder(submittedAt, openedAt) && (isRejected || isInOrder(openedAt, verifiedAt)),
  'its dispute was not opened as its history says': isOpened,
  'its arbitration does not end fourteen days after its opening': ({ file: { openedAt, deadlines } }) =>
    isLater((deadlines as Members).arbitrationEndsAt, openedAt, 14 * DAY_SECONDS),
  'its window does not end seven days after a rejection of its history': isWindow,
  'its deadline is not that of its terms': isDeadline,
  'its definition is not that of its terms': isServed,
  'its reward is not that of its definition': isRewarded,
  'its job was listed at another time than its definition says': isListed,
  'its poster is of another class than its definition': ({ terms, receipt }) =>
    (((terms.definition as Members).provenance as Members).postingRoute === 'external-direct') ===
    ((receipt.intent as Members).posterClass === 'external'),
  'its stake is no part of its reward in whole basis points': isStake,
  'its bond is not that of its transaction': isBond,
  'its history is of other instants than its receipt': isDated,
  'its history does not end with its receipt': isEnded,
}

/** Refuses a file whose parts contradict one another. */
const checkRules = (file: Members, receipt: Members, proof: Settlement): void => assertRules(RULES, factsOf(file, receipt, proof))

/** A file that was checked without its signatures. */
export interface CheckedFile extends CheckedReceipt {
  workerRaw: bigint
  posterRaw: bigint
}

export const checkDisputeFile = async (file: Members, evidence: HistoryEvidence): Promise<CheckedFile> => {
  disputeFileShape(file, '')
  const receipt = file.receipt as Members
  const checked = await checkReceipt(receipt)
  const { decimals } = (file.terms as Members).asset as Members
  assert(checked.decimals === decimals, 'its receipt has other decimals than its asset')
  await checkParts(file, receipt)
  await checkStatement(file)
  await checkDecisions(file, receipt)
  checkDates(file, receipt)
  checkLog(file, receipt, evidence)
  checkRules(file, receipt, checked.proof)
  return { ...checked, ...checkSplit(file, receipt) }
}

/** A checked file in one sentence. */
export const describeDisputeFile = (file: Members, checked: CheckedFile): Sentence =>
  sentence`The dispute ${{ id: String(file.disputeId) }} was opened on ${{ at: String(file.openedAt) }}. ${describeReceipt(file.receipt as Members, checked)}`

/** Sentences that a checked file states. */
export const readDisputeFile = (file: Members, checked: CheckedFile): string[] => {
  const { symbol, decimals } = (file.terms as Members).asset as { symbol: string; decimals: number }
  const shown = (rawAmount: bigint): string => `${wholeUnits(rawAmount, decimals)} ${symbol}`
  return [
    `The dispute ${file.disputeId} was opened at ${file.openedAt} (${file.origin}: ${file.reasonCode}).`,
    ...(file.verdicts as Members[]).map(
      ({ handler, outcome, reasonCode, decidedAt }) => `${handler} judged the work at ${decidedAt}: ${outcome} (${reasonCode}).`,
    ),
    ...(file.rounds as Members[]).map(
      ({ round, verdict, source, by, at }) => `Round ${round}: ${verdict}, decided by ${source} (${by}) at ${at}.`,
    ),
    `Computed again: of ${shown(rawOf(file.remaining as Members, 'raw'))} in the escrow ${shown(checked.workerRaw)} went to the worker's side, ${shown(checked.posterRaw)} back to the poster.`,
    ...readReceipt(file.receipt as Members, checked),
    `The history of the session has ${(file.log as Members[]).length} entries with sound hashes.`,
  ]
}

export const FILE_CHECKED = [
  'The signatures of the file and of its receipt fit, and their keys were valid on that day.',
  'Terms, submission and reasons have the hashes that the receipt states.',
  'The split was computed again from what the escrow held.',
  'Verdicts, decisions, deadlines and bond are those of the receipt.',
  'The entries of the history follow one another.',
]

export const FILE_DOES_NOT_PROVE = [
  'that a decision was right',
  'that the wallets belong to certain persons or programs',
  'that an entry of the history was true when it was made; signed heads show that it was not altered later',
]
