// The file of a dispute: its parts against one another, and its split computed again.
import { rawOf, wholeUnits } from './amounts.ts'
import { assert, canonical, isObject, type Members, Refused, textOf, toHex, utf8 } from './json.ts'
import { keccak256 } from './keccak.ts'
import { type CheckedReceipt, checkReceipt, items, readReceipt, receiptShape, signature } from './receipt.ts'
import { checkHistory, type SavedHead } from './session-log.ts'
import * as is from './shape.ts'

const amount = is.closed({ asset: is.text(/./), raw: is.raw, decimals: is.integer(0, 30), display: is.display })
const VERDICTS = ['approved', 'rejected', 'upheld', 'dismissed', 'split', 'timeout']

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
  terms: is.closed({
    specHash: is.bytes32,
    specDefinition: is.object,
    definitionHash: is.bytes32,
    definition: is.object,
    asset: is.closed({ symbol: is.text(/./), address: is.party, decimals: is.integer(0, 30) }),
    reward: amount,
    claimStake: amount,
    claimFee: amount,
    waived: is.flag,
    brokered: is.flag,
  }),
  submission: is.closed({ evidenceHash: is.bytes32, submittedAt: is.instant, content: is.anything }),
  verdicts: is.list(
    is.closed({
      verificationId: is.text(/./),
      handler: is.text(/./),
      version: is.integer(0),
      outcome: is.text(/./),
      reasonCode: is.text(/./),
      decidedAt: is.instant,
      items,
    }),
  ),
  rounds: is.list(
    is.closed({
      round: is.integer(1),
      source: is.oneOf('arbitrator', 'reviewer', 'verifier', 'timeout', 'chain'),
      verdict: is.oneOf(...VERDICTS),
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
  log: is.list(
    is.closed({
      sessionId: is.text(/./),
      seq: is.integer(1),
      from: is.nullable(is.text(/./)),
      to: is.text(/./),
      reason: is.anyText,
      at: is.instant,
      recordedAt: is.nullable(is.instant),
      metadata: is.object,
      previousHash: is.nullable(is.bytes32),
      hash: is.bytes32,
    }),
  ),
  attestation: is.anyText,
  canonicalUrl: is.address,
  signature,
})

export const isDisputeFile = (record: Members): boolean => record.schemaVersion === 'service.dispute-file.v1'

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
  const last = (file.rounds as Members[]).at(-1)
  const { verdict } = receipt.resolution as Members
  assert(last !== undefined && last.verdict === verdict, 'its last decision is not that of its receipt')
}

const checkParts = (file: Members, receipt: Members): void => {
  const terms = file.terms as Members
  const submission = file.submission as Members
  for (const name of ['sessionId', 'jobId', 'chainJobId', 'worker'])
    assert(file[name] === receipt[name], `its receipt is of another ${name}`)
  assert(file.chainId === (receipt.settlementProof as Members).chainId, 'its receipt is of another chain')
  assert((receipt.intent as Members).specHash === terms.specHash, 'its receipt is of other terms')
  assert(hashOf(terms.specDefinition) === terms.specHash, 'its terms are not those of their hash')
  assert(hashOf(terms.definition) === terms.definitionHash, 'its definition is not that of its hash')
  assert((receipt.execution as Members).evidenceHash === submission.evidenceHash, 'its receipt is of another submission')
  assert(submission.content === null || hashOf(submission.content) === submission.evidenceHash, 'its submission is not that of its hash')
  checkAmounts(file, terms)
  checkStatedTwice(file, terms, receipt)
  assert(textOf(file, 'canonicalUrl').endsWith(`/disputes/${file.disputeId}/file`), 'its address names another dispute')
  const signedAt = (document: Members): number => Date.parse(textOf(document.signature as Members, 'signedAt'))
  assert(signedAt(file) >= signedAt(receipt), 'it was signed before its receipt: it is backdated')
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

const checkLog = (file: Members, receipt: Members, heads: readonly SavedHead[]): void => {
  const log = file.log as Members[]
  const faults = checkHistory(log, heads)
  assert(faults.length === 0, `its history is not sound: ${faults.join('; ')}`)
  const last = log.at(-1)
  if (last === undefined || last.sessionId !== file.sessionId) throw new Refused('its history is of another session')
  const named = (last.metadata as Members).receiptId
  // A rejection becomes final without an entry of its own.
  const isFinalRejection = (receipt.resolution as Members).verdict === 'rejected'
  assert(isFinalRejection || named === receipt.receiptId, 'its history does not end with its receipt')
}

/** A file that was checked without its signatures. */
export interface CheckedFile extends CheckedReceipt {
  workerRaw: bigint
  posterRaw: bigint
}

export const checkDisputeFile = async (file: Members, heads: readonly SavedHead[]): Promise<CheckedFile> => {
  disputeFileShape(file, '')
  const receipt = file.receipt as Members
  const checked = await checkReceipt(receipt)
  checkParts(file, receipt)
  checkLog(file, receipt, heads)
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
