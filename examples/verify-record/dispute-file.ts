// The file of a dispute: its parts against one another, and its split computed again.
import { rawOf, wholeUnits } from './amounts.ts'
import { checkRules } from './dispute-rules.ts'
import { assert, canonical, instantOf, isObject, type Members, sha256Of, textOf, toHex, utf8 } from './json.ts'
import { keccak256 } from './keccak.ts'
import { type CheckedReceipt, checkReceipt, readReceipt, receiptShape } from './receipt.ts'
import { assertSound, type HistoryEvidence, logShape } from './session-log.ts'
import * as is from './shape.ts'
import {
  checkExpectedOutputs,
  checkItems,
  verdict as decision,
  disputeIdOf,
  expectedOutputs,
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
  reasonCode: is.text(/./),
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
      reasonCode: is.text(/./),
      decidedAt: is.instant,
      items,
    }),
  ),
  rounds: is.list(
    is.closed({
      round: is.integer(1),
      source: is.oneOf('arbitrator', 'reviewer', 'verifier', 'timeout', 'chain'),
      verdict: decision,
      reasonCode: is.text(/./),
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

export const FILE_DOES_NOT_PROVE = [
  'that a decision was right',
  'that the wallets belong to certain persons or programs',
  'that an entry of the history was true when it was made; signed heads show that it was not altered later',
]
