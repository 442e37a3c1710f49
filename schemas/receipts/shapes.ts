import { z } from 'zod'
import { Bytes32, DigitString, DocumentSignatureShape, IsoTime, literal, RawAmount } from '../operations/values.ts'
import { SignerShape } from '../reputation/shapes.ts'
import { StatedResolutionShape, VerdictItemShape } from '../sessions/shapes.ts'

/** Lower case, and not the zero address. */
export const Party = z
  .string()
  .regex(/^0x(?!0{40}$)[0-9a-f]{40}$/)
  .meta({ description: 'Lower-case 0x address other than the zero address.' })
const Display = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/)
  .meta({ description: 'Whole units, as a decimal string.' })
const Bps = z.int().min(0).max(10_000)
const Bytes = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/)
  .meta({ description: 'Bytes as 0x and lower-case hex digits.' })

/** Outcomes of a receipt. `inconclusive`: the work was never judged. */
export const RECEIPT_OUTCOMES = ['approved', 'rejected', 'inconclusive', 'platform_fault'] as const
const WORKER_CONSEQUENCES = ['none', 'stake_slashed', 'no_payout'] as const

/** Amounts that the settlement moved; `reward` is the whole reward of the job. */
const SettlementShape = z
  .strictObject({
    worker: Party,
    treasuryAccount: Party,
    asset: Party,
    assetSymbol: z.string(),
    workerAmount: Display,
    workerAmountRaw: RawAmount,
    protocolFeeAmount: Display,
    protocolFeeAmountRaw: RawAmount,
    protocolFeeBps: Bps,
    rewardAmount: Display,
    rewardAmountRaw: RawAmount,
    posterTotalAmount: Display,
    posterTotalAmountRaw: RawAmount,
    gasRetentionAmount: Display,
    gasRetentionAmountRaw: RawAmount,
    gasRetentionBps: Bps,
    brokered: z.boolean(),
    waived: z.boolean(),
    settlementTx: Bytes32,
  })
  .meta({ id: 'ReceiptSettlement', description: 'Amounts of a settlement.' })

const proofMembers = {
  chainId: z.int().min(1),
  transactionHash: Bytes32,
  blockNumber: DigitString,
  blockHash: Bytes32,
  event: z
    .strictObject({
      name: z.enum(['SettlementSplit', 'JobClosed']),
      address: Party,
      topics: z.array(Bytes32).min(1),
      data: Bytes,
      logIndex: z.int().min(0),
    })
    .meta({ id: 'SettlementEvent', description: 'Event of the escrow that ended the work.' }),
}

/** The event that ended the work on chain, and what binds it to its block: the path in the receipt trie, if the node gave what it needs. */
const ProofShape = z.discriminatedUnion('binding', [
  z
    .strictObject({
      ...proofMembers,
      binding: z.literal('receipt_trie'),
      inclusion: z
        .strictObject({ header: Bytes, receiptsRoot: Bytes32, transactionIndex: z.int().min(0), nodes: z.array(Bytes).min(1) })
        .meta({ id: 'ReceiptInclusion', description: 'Path of the receipt of the transaction in the receipt trie of the block.' }),
    })
    .meta({ id: 'SettlementPath', description: 'The event of the settlement with its path from the root of the block.' }),
  z
    .strictObject({ ...proofMembers, binding: z.literal('hash_and_number') })
    .meta({ id: 'SettlementBlock', description: 'The event of the settlement with hash and number of its block; no path was available.' }),
])

/** Work receipt. Source: identity, "Work receipts". Every object is closed. */
export const WorkReceiptShape = z
  .strictObject({
    schemaVersion: literal('service.work-receipt.v1'),
    kind: literal('run'),
    receiptType: literal('work_outcome'),
    receiptId: Bytes32,
    sessionId: z.string(),
    jobId: z.string(),
    chainJobId: Bytes32,
    worker: Party,
    verifier: z
      .strictObject({
        profile: z.string(),
        handler: z.string(),
        version: z.int().min(1),
        mode: z.enum(['benchmark', 'deterministic', 'human_fallback']),
        wallet: Party.optional(),
      })
      .meta({ id: 'ReceiptVerifier', description: 'Who judged the work.' }),
    intent: z
      .strictObject({
        specHash: Bytes32,
        specSource: z.enum(['chain_verified', 'chain_unavailable_fail_open']),
        successPolicy: z
          .strictObject({ profile: z.string(), version: z.int().min(1) })
          .meta({ id: 'SuccessPolicy', description: 'Rules of approval.' }),
        valueAtRisk: z
          .strictObject({ asset: z.string(), amount: Display, amountRaw: RawAmount })
          .meta({ id: 'ValueAtRisk', description: 'The whole reward of the job.' }),
        deadline: IsoTime,
        poster: Party.nullable(),
        posterClass: z.enum(['operator', 'external']),
      })
      .meta({ id: 'ReceiptIntent', description: 'Terms of the work, as the claim pinned them.' }),
    execution: z
      .strictObject({
        provider: Party,
        providerClass: z.enum(['operator-run', 'external', 'unknown']),
        artifactHash: Bytes32,
        sourceBinding: z
          .strictObject({ method: literal('submission_hash'), verified: z.boolean() })
          .meta({ id: 'SourceBinding', description: 'How the submission is bound to the claim.' }),
        evidenceHash: Bytes32,
        environment: z
          .strictObject({ kind: z.string(), runtime: z.string(), version: z.string() })
          .meta({ id: 'ReceiptEnvironment', description: 'Where the verdict was computed.' })
          .nullable(),
      })
      .meta({ id: 'ReceiptExecution', description: 'The submitted work.' }),
    verdict: z
      .strictObject({
        outcome: z.enum(RECEIPT_OUTCOMES),
        reasonCode: z.string(),
        evidenceHash: Bytes32,
        policyTags: z.array(z.string()),
        workerConsequence: z.enum(WORKER_CONSEQUENCES),
        rationaleHash: Bytes32.optional(),
        items: z.array(VerdictItemShape),
      })
      .meta({ id: 'ReceiptVerdict', description: 'The outcome and its checks.' }),
    resolution: StatedResolutionShape,
    settlement: SettlementShape.optional(),
    settlementProof: ProofShape,
    timestamps: z
      .strictObject({ claimedAt: IsoTime, submittedAt: IsoTime, verifiedAt: IsoTime })
      .meta({ id: 'ReceiptTimestamps', description: 'Instants of the work.' }),
    attestation: z.string(),
    signers: z.array(SignerShape),
    canonicalUrl: z.url(),
    signature: DocumentSignatureShape,
  })
  .meta({ id: 'WorkReceipt', description: 'Signed statement of what was judged, by which checks, and which transaction settled it.' })
export type WorkReceipt = z.infer<typeof WorkReceiptShape>
