// What a work receipt says, and whether its sums and its proof bear that out.
import { commonDecimals, partOf, rawOf, wholeUnits } from './encoding/amounts.ts'
import {
  assert,
  assertRules,
  canonical,
  instantOf,
  isInOrder,
  isObject,
  type Members,
  Refused,
  type Rules,
  sha256Of,
  textOf,
} from './encoding/json.ts'
import { type Sentence, sentence } from './sentence.ts'
import { type Bonds, bondsOf, proofShape, readEvent, readProof, retainedGas, type Settlement } from './settlement-proof.ts'
import * as is from './shape.ts'
import {
  checkIds,
  checkItems,
  checkResolution,
  checkSigners,
  handlersOf,
  hasVersion,
  isDecision,
  isFindingOf,
  items,
  MODES,
  outcomeOf,
  reasonOf,
  resolution,
  signature,
  signers,
} from './verdict.ts'

/** The sentence of every receipt. */
const STATEMENT =
  'States which submission was judged under which terms, by which checks and with which outcome, and which transaction settled it. Does not state that the work has no defects, or who controls a wallet.'
const amounts = ['worker', 'protocolFee', 'reward', 'posterTotal', 'gasRetention']
const settlement = is.closed({
  worker: is.party,
  treasuryAccount: is.party,
  asset: is.party,
  assetSymbol: is.text(/./),
  settlementTx: is.bytes32,
  ...Object.fromEntries(amounts.flatMap((name) => [[`${name}Amount`, is.display] as const, [`${name}AmountRaw`, is.raw] as const])),
  protocolFeeBps: is.basisPoints,
  gasRetentionBps: is.basisPoints,
  brokered: is.flag,
  waived: is.flag,
})

const mode = is.oneOf(...MODES)

/** Shape of `service.work-receipt.v1`. */
export const receiptShape = is.closed(
  {
    schemaVersion: is.oneOf('service.work-receipt.v1'),
    kind: is.oneOf('run'),
    receiptType: is.oneOf('work_outcome'),
    receiptId: is.bytes32,
    sessionId: is.text(/./),
    jobId: is.text(/./),
    chainJobId: is.bytes32,
    worker: is.party,
    verifier: is.closed(
      {
        profile: mode,
        handler: is.text(/./),
        version: is.integer(1),
        mode: is.oneOf('benchmark', 'deterministic', 'human_fallback'),
      },
      { wallet: is.party, profileRef: is.text(/^[a-z0-9-]+@[1-9][0-9]*$/), profileDigest: is.bytes32, contractDigest: is.bytes32 },
    ),
    intent: is.closed({
      specHash: is.bytes32,
      specSource: is.oneOf('chain_verified', 'chain_unavailable_fail_open'),
      successPolicy: is.closed({ profile: mode, version: is.oneOf(1) }),
      valueAtRisk: is.closed({ asset: is.text(/./), amount: is.display, amountRaw: is.raw }),
      deadline: is.instant,
      poster: is.nullable(is.party),
      posterClass: is.oneOf('operator', 'external'),
    }),
    execution: is.closed({
      provider: is.party,
      providerClass: is.oneOf('operator-run', 'external', 'unknown'),
      artifactHash: is.bytes32,
      sourceBinding: is.closed({ method: is.oneOf('submission_hash'), verified: is.flag }),
      evidenceHash: is.bytes32,
      environment: is.nullable(is.closed({ kind: is.anyText, runtime: is.anyText, version: is.anyText })),
    }),
    verdict: is.closed(
      {
        outcome: is.oneOf('approved', 'rejected', 'inconclusive', 'platform_fault'),
        reasonCode: is.text(/^\S+$/),
        evidenceHash: is.bytes32,
        policyTags: is.list(is.anyText),
        workerConsequence: is.oneOf('none', 'stake_slashed', 'no_payout'),
        items,
      },
      { rationaleHash: is.bytes32 },
    ),
    resolution,
    settlementProof: proofShape,
    timestamps: is.closed({ claimedAt: is.instant, submittedAt: is.instant, verifiedAt: is.instant }),
    attestation: is.oneOf(STATEMENT),
    canonicalUrl: is.address,
    signature,
    signers,
  },
  { settlement },
)

const UNHASHED = ['receiptId', 'canonicalUrl', 'signers', 'signature']

const PEOPLE = ['chain', 'human_review', 'arbitration', 'timeout']

/** Whether handler and mode are those of the decision. */
const checkHandler = ({ verifier, intent, resolution: decision }: Members): void => {
  const { handler, profile, mode: shown } = verifier as Members
  const { kind, verdict } = decision as Members
  const byItself = kind === 'verifier' ? !PEOPLE.slice(1).includes(String(handler)) : handler === kind
  // A time-out of the contract leaves the verdict before it, with its handler.
  assert(byItself || verdict === 'timeout', 'its handler is not that of its decision')
  const machine = profile === 'codehost_pr' || profile === 'verification_profile' ? 'deterministic' : profile
  const pins = ['profileRef', 'profileDigest', 'contractDigest'].filter((name) => (verifier as Members)[name] !== undefined)
  assert(
    pins.length === (profile === 'verification_profile' ? 3 : 0),
    'it names a profile and its contract, and no profile judged; or it names none',
  )
  assert(shown === (PEOPLE.includes(String(handler)) ? 'human_fallback' : machine), 'its mode is not that of its handler')
  assert(profile === ((intent as Members).successPolicy as Members).profile, 'its verifier has another profile than its terms')
}

/** What the decision does to the bond, and the tags that follow from decision and settlement. */
const checkConsequence = ({ verdict, settlement: paid, resolution: decision }: Members): void => {
  const { workerConsequence, policyTags } = verdict as Members
  const { kind, verdict: decided } = decision as Members
  const tags = policyTags as string[]
  const { waived, brokered } = isObject(paid) ? paid : { waived: tags.includes('bond_waived'), brokered: tags.includes('gas_brokered') }
  const expected = [waived === true && 'bond_waived', brokered === true && 'gas_brokered', kind !== 'verifier' && kind]
  assert(canonical(tags) === canonical(expected.filter((tag) => tag !== false)), 'its tags are not those of its decision and settlement')
  const unslashed = paid === undefined ? 'no_payout' : 'none'
  const mayBeSlashed = waived !== true && (paid === undefined || decided === 'timeout')
  const fits = workerConsequence === unslashed || (mayBeSlashed && workerConsequence === 'stake_slashed')
  assert(fits, 'its decision has another consequence for the worker')
}

const checkVerdict = (receipt: Members): void => {
  const { verdict, execution, settlement: paid, resolution: decision } = receipt
  const { outcome, items: checks, evidenceHash } = verdict as Members
  assert(evidenceHash === (execution as Members).evidenceHash, 'its verdict is on other evidence than its submission')
  assert((execution as Members).provider === receipt.worker, 'another wallet than its worker did the work')
  assert(outcome !== 'approved' || paid !== undefined, 'it approves work without a settlement')
  checkItems(outcome, checks as Members[])
  const paidRaw = isObject(paid) ? rawOf(paid, 'workerAmountRaw') + rawOf(paid, 'gasRetentionAmountRaw') : 0n
  const { submittedAt } = receipt.timestamps as { submittedAt: string }
  checkResolution({ resolution: decision as Members, paidRaw, submittedAt, signedAt: textOf(receipt.signature as Members, 'signedAt') })
  const expected = outcomeOf((decision as Members).verdict)
  assert(expected === null ? outcome !== 'approved' : outcome === expected, 'its outcome is not that of its decision')
  assert(expected !== 'rejected' || paid === undefined, 'its decision gives the worker nothing, and it has a settlement')
  checkHandler(receipt)
  checkConsequence(receipt)
}

/** Least and most base units of the reward that a decision gives the worker. */
const shareOfReward = (decided: unknown, rewardRaw: bigint, share: number): { least: bigint; most: bigint } => {
  // An earlier payment of the same job may have paid a part.
  if (decided === 'approved' || decided === 'dismissed') return { least: 1n, most: rewardRaw }
  if (decided === 'timeout') return { least: 0n, most: rewardRaw / 2n }
  // The share is rounded down, and the escrow may hold less than the reward.
  return { least: 0n, most: partOf(rewardRaw, share + 1) }
}

/**
 * Whether a fee is that of a payout, base units. Who gets all that the escrow holds owes the rest of the fee, for which the escrow has a
 * minimum; who gets a part owes its part, which an earlier payment of the same job can move by one unit.
 */
const isFee = (feeRaw: bigint, partRaw: bigint, getsAll: boolean): boolean =>
  getsAll ? feeRaw >= partRaw : feeRaw >= partRaw - 1n && feeRaw <= partRaw + 1n

/** Computes every sum of a settlement again. Returns the decimals of its asset. */
const checkSums = (receipt: Members): number => {
  const { valueAtRisk } = receipt.intent as Members
  const value = { raw: rawOf(valueAtRisk as Members, 'amountRaw'), display: textOf(valueAtRisk as Members, 'amount') }
  const paid = receipt.settlement
  if (!isObject(paid)) return commonDecimals([value])
  const paidRaw = (name: string): bigint => rawOf(paid, `${name}AmountRaw`)
  const [feeRaw, rewardRaw, gasRaw] = [paidRaw('protocolFee'), paidRaw('reward'), paidRaw('gasRetention')]
  const payout = paidRaw('worker') + gasRaw
  const { verdict: decided, workerShareBps } = receipt.resolution as Members
  const { least, most } = shareOfReward(decided, rewardRaw, Number(workerShareBps))
  assert(paidRaw('posterTotal') === payout + feeRaw, 'the total of the poster is not the sum of its parts')
  assert(rewardRaw === value.raw, 'its reward is not the value of its terms')
  assert(payout >= least && payout <= most, 'its payout is not what its decision gives')
  const part = partOf(payout, Number(paid.protocolFeeBps))
  assert(isFee(feeRaw, part, workerShareBps === 10_000), 'its fee is not its part of the payout')
  assert(gasRaw === 0n || (decided === 'approved' && paid.brokered === true && paid.waived === false), 'it retains gas where none is due')
  const gasBps = payout === 0n ? 0n : (gasRaw * 10_000n) / payout
  assert(BigInt(Number(paid.gasRetentionBps)) === gasBps, 'its rate of the gas is not that of its amounts')
  assert(paid.worker === receipt.worker, 'it pays another wallet than its worker')
  assert(paid.assetSymbol === (valueAtRisk as Members).asset, 'its settlement is of another asset than its terms')
  return commonDecimals([value, ...amounts.map((name) => ({ raw: paidRaw(name), display: textOf(paid, `${name}Amount`) }))])
}

const checkEvent = (receipt: Members, proof: Settlement): void => {
  const event = readEvent(proof)
  assert(event.chainJobId === receipt.chainJobId, 'its event is of another job')
  assert(event.worker === receipt.worker, 'its event is of another worker')
  const { settlement: paid } = receipt
  if (!isObject(paid)) {
    assert(event.paid === null, 'its event pays the worker, and it says nothing of a payment')
    return
  }
  if (event.paid === null) throw new Refused('its event pays nothing, and it has a settlement')
  assert(paid.settlementTx === proof.transactionHash, 'its settlement is another transaction than its proof')
  assert(paid.treasuryAccount === event.paid.treasuryAccount && paid.asset === event.paid.asset, 'its event names other accounts')
  assert(rawOf(paid, 'workerAmountRaw') === event.paid.workerRaw, 'its event pays the worker another amount')
  assert(rawOf(paid, 'protocolFeeAmountRaw') === event.paid.protocolFeeRaw, 'its event has another fee')
  assert(paid.protocolFeeBps === event.paid.protocolFeeBps, 'its event has another rate of the fee')
  const gas = retainedGas(proof)
  assert(gas === null || gas === rawOf(paid, 'gasRetentionAmountRaw'), 'its transaction retained another amount of gas')
}

const checkDates = (receipt: Members, { mined }: Settlement): void => {
  const { verifier, worker, intent } = receipt as Record<string, Members>
  const { claimedAt, submittedAt, verifiedAt } = receipt.timestamps as Record<'claimedAt' | 'submittedAt' | 'verifiedAt', string>
  const signedAt = textOf(receipt.signature as Members, 'signedAt')
  const [claim, work, verdict, signed] = [claimedAt, submittedAt, verifiedAt, signedAt].map(instantOf) as [number, number, number, number]
  assert(claim <= work && work <= verdict, 'its claim, submission and verdict are not in this order')
  assert(work <= instantOf(textOf(intent as Members, 'deadline')), 'its submission came after its deadline')
  assert(signed >= verdict, 'it was signed before its verdict: it is backdated')
  assert(mined === null || signed >= mined.at, 'it was signed before the block of its settlement: it is backdated')
  // A rejection becomes final in a later block.
  const isFinal = (receipt.resolution as Members).verdict === 'rejected'
  assert(mined === null || (isFinal ? verdict <= mined.at : verdict === mined.at), 'its verdict is not of the block of its settlement')
  const parties = { poster: intent?.poster, worker, verifier: verifier?.wallet ?? null, submittedAt, decidedAt: verifiedAt, signedAt }
  checkSigners(receipt.signers as Members[], parties)
}

/** A receipt with its parts, and what its transaction did to the bonds of its worker. */
interface Facts {
  verifier: Members
  decision: Members
  verdict: Members
  claimedAt: string
  deadline: string
  /** Instant of the listing; null where the poster is not known. */
  listedAt: unknown
  environment: unknown
  bonds: Bonds | null
}

/** Whether a dispute decided, and no verdict counts. */
const isOfDispute = ({ verifier: { handler }, decision: { kind } }: Facts): boolean =>
  handler === kind && (kind === 'arbitration' || kind === 'timeout')

/** Whether handler, outcome, reason and checks belong together. A time-out of the contract leaves the verdict before it. */
const isJudged = (facts: Facts): boolean => {
  const { verifier, decision, verdict } = facts
  const { outcome, reasonCode, items: checks } = verdict
  const handlers = handlersOf(verifier.profile)
  const { verdict: decided } = decision
  if (isOfDispute(facts)) return reasonCode === reasonOf(decided) && isDecision(decision, outcome, checks, handlers)
  if (!handlers.includes(verifier.handler)) return false
  if (decided !== 'timeout') return isFindingOf([verifier.handler], { outcome, reasonCode, items: checks })
  const outcomes = outcome === 'inconclusive' ? ['inconclusive', 'disputed'] : [outcome]
  const isStanding = outcomes.some((one) => isFindingOf([verifier.handler], { outcome: one, reasonCode: null, items: checks }))
  return isStanding && reasonCode === reasonOf(decided)
}

/** Whether the transaction slashed the stake, if the receipt says so. One that ended other jobs too can have slashed theirs. */
const isSlashedAsStated = ({ verdict: { workerConsequence }, bonds }: Facts): boolean => {
  if (bonds === null) return true
  return workerConsequence === 'stake_slashed' ? bonds.slashed.length > 0 : bonds.slashed.length === 0 || !bonds.isAlone
}

/** Seconds from a claim to its deadline. */
const TIME = { least: 60, most: 31_536_000 }

const RULES: Rules<Facts> = {
  'its checks, its outcome and its reason are none that its handler can have': isJudged,
  'its handler never had this version': ({ verifier: { handler, version } }) => hasVersion(handler, version),
  'it states where a verdict was computed, and a dispute decided; or neither': (facts) =>
    (facts.environment === null) === isOfDispute(facts),
  'a wallet signed a verdict on chain after a time-out, or none signed a decision': ({ verifier: { wallet }, decision: { verdict } }) =>
    verdict === 'rejected' || (wallet === undefined) === (verdict === 'timeout'),
  'it has reasons, and no person decided': ({ verifier: { handler }, verdict: { rationaleHash } }) =>
    rationaleHash === undefined || handler === 'human_review' || handler === 'arbitration',
  'its deadline is none that a job can have': ({ claimedAt, deadline }) => {
    const seconds = (instantOf(deadline) - instantOf(claimedAt)) / 1_000
    return seconds >= TIME.least && seconds <= TIME.most
  },
  'its job was claimed before it was listed': ({ listedAt, claimedAt }) => listedAt === null || isInOrder(listedAt, claimedAt),
  'its transaction did something else to the bond': isSlashedAsStated,
}

const checkRules = (receipt: Members, proof: Settlement): void => {
  const { verifier, verdict, resolution: decision, intent, execution } = receipt as Record<string, Members>
  const { claimedAt } = receipt.timestamps as { claimedAt: string }
  const listedAt = (receipt.signers as Members[]).find(({ role }) => role === 'operator')?.at ?? null
  const { deadline } = intent as { deadline: string }
  const parts = { verifier, decision, verdict } as Pick<Facts, 'verifier' | 'decision' | 'verdict'>
  const facts = { ...parts, claimedAt, deadline, listedAt, environment: execution?.environment }
  assertRules(RULES, { ...facts, bonds: bondsOf(proof, receipt.worker) })
}

/** A receipt that was checked without its signature. */
export interface CheckedReceipt {
  proof: Settlement
  decimals: number
}

/** Checks shape, id, verdict, sums, event, proof and dates of a receipt. */
export const checkReceipt = async (receipt: Members): Promise<CheckedReceipt> => {
  receiptShape(receipt, '')
  checkIds(receipt)
  const hashed = Object.fromEntries(Object.entries(receipt).filter(([name]) => !UNHASHED.includes(name)))
  assert((await sha256Of(hashed)) === receipt.receiptId, 'its id is not the hash of its content')
  assert(textOf(receipt, 'canonicalUrl').endsWith(`/receipts/${receipt.receiptId}`), 'its address names another receipt')
  checkVerdict(receipt)
  const decimals = checkSums(receipt)
  const proof = readProof(receipt.settlementProof as Members)
  checkEvent(receipt, proof)
  checkDates(receipt, proof)
  checkRules(receipt, proof)
  return { proof, decimals }
}

/** Who decided, in words. */
const DECIDERS: Readonly<Record<string, string>> = {
  verifier: 'the verifier of the job decided',
  human_review: 'a reviewer decided',
  arbitration: 'an arbitrator decided',
  timeout: 'no decision came in time',
}

/** Outcomes, in words. */
const OUTCOMES: Readonly<Record<string, string>> = {
  approved: 'approved',
  rejected: 'rejected',
  inconclusive: 'not judged',
  platform_fault: 'not judged, by a fault of the service',
}

/** What the worker was paid, and of how much. */
const paymentText = ({ settlement: paid, intent }: Members, decimals: number): string => {
  const { amount, asset } = (intent as Members).valueAtRisk as Members
  if (!isObject(paid)) return `nothing of ${amount} ${asset}`
  return `${wholeUnits(rawOf(paid, 'workerAmountRaw'), decimals)} of ${wholeUnits(rawOf(paid, 'rewardAmountRaw'), decimals)} ${asset}`
}

/** A checked receipt in one sentence. */
export const describeReceipt = (receipt: Members, { decimals }: CheckedReceipt): Sentence => {
  const { worker, jobId, verdict, resolution: decision, timestamps } = receipt as Record<string, Members>
  const [outcome, decider] = [OUTCOMES[String(verdict?.outcome)] ?? '', DECIDERS[String(decision?.kind)] ?? '']
  return sentence`Wallet ${{ id: String(worker) }} did the job ${{ id: String(jobId) }} and was paid ${paymentText(receipt, decimals)}; the work was ${outcome} on ${{ at: String(timestamps?.verifiedAt) }}, and ${decider}.`
}

/** Sentences that a checked receipt states. */
export const readReceipt = (receipt: Members, { proof, decimals }: CheckedReceipt): string[] => {
  const { verdict, resolution, settlement: paid } = receipt as Record<string, Members>
  const value = (receipt.intent as Members).valueAtRisk as Members
  const amount = (name: string): string => `${wholeUnits(rawOf(paid as Members, `${name}AmountRaw`), decimals)} ${paid?.assetSymbol}`
  const checks = verdict?.items as Members[]
  return [
    `Wallet ${receipt.worker} did the job ${receipt.jobId}; the session is ${receipt.sessionId}.`,
    `The outcome is ${verdict?.outcome} (${verdict?.reasonCode}), decided by ${resolution?.kind}: ${resolution?.verdict}.`,
    ...checks.map(({ criterion, result }) => `  ${criterion}: ${result}`),
    paid === undefined
      ? `The worker was paid nothing of ${value.amount} ${value.asset}.`
      : `The worker was paid ${amount('worker')} of ${amount('reward')}; fee ${amount('protocolFee')}, retained gas ${amount('gasRetention')}.`,
    proof.mined === null
      ? `Transaction ${proof.transactionHash} settled it, as the service says; only number ${proof.blockNumber} and hash ${proof.blockHash} of the block are bound.`
      : `The event of the settlement, of the contract ${proof.event.address}, lies in the block ${proof.blockNumber} with the hash ${proof.blockHash}, mined at ${new Date(proof.mined.at).toISOString()}.`,
    `Its transaction is ${proof.transactionHash}, as the service says.`,
  ]
}

export const RECEIPT_CHECKED = [
  'The signature fits the record, and its key was valid on that day.',
  'Every member has its form, none was added, and the id is the hash of the content.',
  'Outcome, checks and decision belong together.',
  'Every sum was computed again.',
  'The event of the settlement names this job, this worker and these amounts.',
  'Dates are in their order.',
]

export const RECEIPT_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'that the checks were the right ones, or that the work has no defects',
  'what the work was: the submission is bound by its hash only',
]
