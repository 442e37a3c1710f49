// What the parts of a dispute file say of one another: verdicts, decisions, terms, bond, dates and history.
import { partOf, rawOf } from './amounts.ts'
import { handlersOf, hasVersion, isFindingOf } from './findings.ts'
import { assertRules, canonical, instantOf, isInOrder, isObject, type Members, type Rules } from './json.ts'
import { type Bonds, bondsOf, type Settlement } from './settlement-proof.ts'
import { outcomeOf } from './verdict.ts'

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
const isLater = (later: unknown, earlier: unknown, days: number): boolean =>
  instantOf(String(later)) - instantOf(String(earlier)) === days * 86_400_000

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
  const rejectedAt = new Date(instantOf(String(end)) - 7 * 86_400_000).toISOString()
  return rejections.some(({ at }) => isNear(at, rejectedAt))
}

const isDeadline = ({ terms, receipt, claimedAt }: Facts): boolean => {
  const { specSource, deadline } = receipt.intent as Members
  const seconds = Number((terms.specDefinition as Members).claimTtlSeconds)
  return specSource !== 'chain_verified' || isLater(deadline, claimedAt, seconds / 86_400)
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
    isLater((deadlines as Members).arbitrationEndsAt, openedAt, 14),
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
export const checkRules = (file: Members, receipt: Members, proof: Settlement): void => assertRules(RULES, factsOf(file, receipt, proof))
