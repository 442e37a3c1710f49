// What a work receipt says, and whether its sums and its proof bear that out.
import { commonDecimals, partOf, rawOf, wholeUnits } from './amounts.ts'
import { assert, isObject, type Members, Refused, sha256Of, textOf } from './json.ts'
import { proofShape, readEvent, readProof, retainedGas, type Settlement } from './settlement-proof.ts'
import * as is from './shape.ts'

export const items = is.list(
  is.closed({ criterion: is.text(/^[a-z_]+$/), result: is.oneOf('met', 'unmet', 'not_applicable'), evidence: is.nullable(is.text(/^\//)) }),
)
export const signature = is.closed({ alg: is.oneOf('ES256'), kid: is.text(/./), sig: is.text(/^[\w-]+\.\.[\w-]+$/), signedAt: is.instant })
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
        profile: is.text(/./),
        handler: is.text(/./),
        version: is.integer(1),
        mode: is.oneOf('benchmark', 'deterministic', 'human_fallback'),
      },
      { wallet: is.party },
    ),
    intent: is.closed({
      specHash: is.bytes32,
      specSource: is.oneOf('chain_verified', 'chain_unavailable_fail_open'),
      successPolicy: is.closed({ profile: is.text(/./), version: is.integer(1) }),
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
        reasonCode: is.text(/./),
        evidenceHash: is.bytes32,
        policyTags: is.list(is.anyText),
        workerConsequence: is.oneOf('none', 'stake_slashed', 'no_payout'),
        items,
      },
      { rationaleHash: is.bytes32 },
    ),
    resolution: is.closed(
      {
        kind: is.oneOf('verifier', 'human_review', 'arbitration', 'timeout'),
        verdict: is.oneOf('approved', 'rejected', 'upheld', 'dismissed', 'split', 'timeout'),
        workerShareBps: is.basisPoints,
      },
      { replacedVerdict: is.closed({ outcome: is.anyText, reasonCode: is.text(/./), resolvedAt: is.instant, items }) },
    ),
    settlementProof: proofShape,
    timestamps: is.closed({ claimedAt: is.instant, submittedAt: is.instant, verifiedAt: is.instant }),
    attestation: is.anyText,
    canonicalUrl: is.address,
    signature,
    signers: is.list(
      is.closed(
        { role: is.oneOf('operator', 'verifier', 'worker'), wallet: is.text(/^0x[0-9a-fA-F]{40}$/), at: is.instant },
        { status: is.anyText },
      ),
    ),
  },
  { settlement },
)

const UNHASHED = ['receiptId', 'canonicalUrl', 'signers', 'signature']

export const isReceipt = (record: Members): boolean => record.schemaVersion === 'service.work-receipt.v1'

const checkVerdict = ({ verdict, execution, settlement: paid, resolution }: Members): void => {
  const { outcome, items: checks, evidenceHash } = verdict as Members
  const unmet = (checks as Members[]).filter(({ result }) => result === 'unmet').map(({ criterion }) => criterion)
  assert(evidenceHash === (execution as Members).evidenceHash, 'its verdict is on other evidence than its submission')
  assert(outcome !== 'approved' || paid !== undefined, 'it approves work without a settlement')
  assert(outcome !== 'approved' || (checks as Members[]).length > 0, 'it approves work without a check')
  assert(outcome !== 'approved' || unmet.length === 0, `it approves work over unmet checks: ${unmet.join(', ')}`)
  assert(outcome !== 'rejected' || unmet.length > 0, 'it rejects work without an unmet check')
  const { verdict: decided, workerShareBps } = resolution as Members
  const whole = decided === 'approved' || decided === 'dismissed'
  const none = decided === 'rejected' || decided === 'upheld'
  assert(!whole || workerShareBps === 10_000, 'its decision gives the worker everything, and its share says otherwise')
  assert(!none || workerShareBps === 0, 'its decision gives the worker nothing, and its share says otherwise')
  assert(!none || paid === undefined, 'its decision gives the worker nothing, and it has a settlement')
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
  assert(paid.worker === receipt.worker, 'it pays another wallet than its worker')
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

/** A receipt that was checked without its signature. */
export interface CheckedReceipt {
  proof: Settlement
  decimals: number
}

/** Checks shape, id, verdict, sums, event, proof and dates of a receipt. */
export const checkReceipt = async (receipt: Members): Promise<CheckedReceipt> => {
  receiptShape(receipt, '')
  const hashed = Object.fromEntries(Object.entries(receipt).filter(([name]) => !UNHASHED.includes(name)))
  assert((await sha256Of(hashed)) === receipt.receiptId, 'its id is not the hash of its content')
  assert(textOf(receipt, 'canonicalUrl').endsWith(`/receipts/${receipt.receiptId}`), 'its address names another receipt')
  checkVerdict(receipt)
  const decimals = checkSums(receipt)
  const proof = readProof(receipt.settlementProof as Members)
  checkEvent(receipt, proof)
  const signedAt = Date.parse(textOf(receipt.signature as Members, 'signedAt'))
  assert(signedAt >= Date.parse(textOf(receipt.timestamps as Members, 'verifiedAt')), 'it was signed before its verdict: it is backdated')
  assert(proof.mined === null || signedAt >= proof.mined.at, 'it was signed before the block of its settlement: it is backdated')
  return { proof, decimals }
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

export const RECEIPT_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'that the checks were the right ones, or that the work has no defects',
  'what the work was: the submission is bound by its hash only',
]
