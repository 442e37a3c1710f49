import { z } from 'zod'
import { Bytes32, closedShape, DigitString, DocumentSignatureShape, literal, RawAmount, SignedTime } from '../operations/values.ts'
import { BadgeMode, SignerShape } from '../reputation/shapes.ts'
import { StatedResolutionShape, VerdictItemShape } from '../sessions/shapes.ts'

/** Lower case, and not the zero address. */
export const Party = z.string().regex(/^0x(?!0{40}$)[0-9a-f]{40}$/)
const Display = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/)
  .meta({ description: 'Whole units, as a decimal string.' })
const Bps = z.int().min(0).max(10_000)
const Bytes = z.string().regex(/^0x([0-9a-f]{2})*$/)

/** Outcomes of a receipt. `inconclusive`: the work was never judged. */
export const RECEIPT_OUTCOMES = ['approved', 'rejected', 'inconclusive', 'platform_fault'] as const
const WORKER_CONSEQUENCES = ['none', 'stake_slashed', 'no_payout'] as const

/** Amounts that the settlement moved; `reward` is the whole reward of the job. */
const SettlementShape = closedShape('ReceiptSettlement', 'Amounts of a settlement.', {
  worker: Party,
  treasuryAccount: Party.describe('Account that got the protocol fee.'),
  asset: Party.describe('Address of the token.'),
  assetSymbol: z.string(),
  workerAmount: Display.describe('Paid to the worker, in whole units.'),
  workerAmountRaw: RawAmount,
  protocolFeeAmount: Display,
  protocolFeeAmountRaw: RawAmount,
  protocolFeeBps: Bps.describe('In basis points.'),
  rewardAmount: Display.describe('Whole reward of the job, in whole units; a dispute can divide less.'),
  rewardAmountRaw: RawAmount,
  posterTotalAmount: Display.describe('Payment, retained gas and protocol fee together, in whole units.'),
  posterTotalAmountRaw: RawAmount,
  gasRetentionAmount: Display.describe('Kept from the payment for gas, in whole units.'),
  gasRetentionAmountRaw: RawAmount,
  gasRetentionBps: Bps.describe('In basis points of the payment.'),
  brokered: z.boolean().describe('Whether the operator sent the claim for the worker.'),
  waived: z.boolean().describe('Whether stake and fee were waived at the claim.'),
  settlementTx: Bytes32,
})

const proofMembers = {
  chainId: z.int().min(1),
  transactionHash: Bytes32,
  blockNumber: DigitString,
  blockHash: Bytes32,
  event: closedShape('SettlementEvent', 'Event of the escrow that ended the work.', {
    name: z.enum(['SettlementSplit', 'JobClosed']),
    address: Party,
    topics: z.array(Bytes32).min(1),
    data: Bytes,
    logIndex: z.int().min(0).describe('Index of the event in its block.'),
  }),
}

/** The event that ended the work on chain, and what binds it to its block: the path in the receipt trie, if the node gave what it needs. */
const ProofShape = z.discriminatedUnion('binding', [
  closedShape('SettlementPath', 'The event of the settlement with its path from the root of the block.', {
    ...proofMembers,
    binding: z.literal('receipt_trie'),
    inclusion: closedShape('ReceiptInclusion', 'Path of the receipt of the transaction in the receipt trie of the block.', {
      header: Bytes.describe('Header of the block in RLP; its keccak256 is `blockHash`.'),
      receiptsRoot: Bytes32.describe('Root of the receipt trie, as the header states it.'),
      transactionIndex: z.int().min(0),
      nodes: z.array(Bytes).min(1).describe('Nodes of the path in RLP, root first.'),
    }),
  }),
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
    receiptId: Bytes32.describe('SHA-256 of the canonical receipt without `receiptId`, `canonicalUrl`, `signers` and `signature`.'),
    sessionId: z.string(),
    jobId: z.string(),
    chainJobId: Bytes32,
    worker: Party,
    verifier: closedShape('ReceiptVerifier', 'Who judged the work.', {
      profile: z.string().describe('Verifier mode of the job.'),
      handler: z.string().describe('Handler of the verdict that counts, or how a dispute was decided.'),
      version: z.int().min(1),
      mode: BadgeMode,
      profileRef: z.string().optional().describe('`name@version` of the profile that judged; absent where none did.'),
      profileDigest: Bytes32.optional().describe('SHA-256 of the canonical document of that profile.'),
      contractDigest: Bytes32.optional().describe('SHA-256 of the test contract that was frozen before the work.'),
      wallet: Party.optional().describe('Wallet that signed the verdict on chain; absent where none did.'),
    }),
    intent: closedShape('ReceiptIntent', 'Terms of the work, as the claim pinned them.', {
      specHash: Bytes32.describe('Hash of the definition of the job.'),
      specSource: z
        .enum(['chain_verified', 'chain_unavailable_fail_open'])
        .describe('Whether the terms were compared with the chain at the claim.'),
      successPolicy: z
        .strictObject({ profile: z.string().describe('Verifier mode of the job.'), version: z.int().min(1) })
        .meta({ id: 'SuccessPolicy', description: 'Rules of approval.' }),
      valueAtRisk: z
        .strictObject({ asset: z.string(), amount: Display, amountRaw: RawAmount })
        .meta({ id: 'ValueAtRisk', description: 'The whole reward of the job.' }),
      deadline: SignedTime.describe('Last instant at which a submission was accepted.'),
      poster: Party.nullable().describe('Null where it is not known.'),
      posterClass: z.enum(['operator', 'external']),
    }),
    execution: closedShape('ReceiptExecution', 'The submitted work.', {
      provider: Party.describe('The worker.'),
      providerClass: z.enum(['operator-run', 'external', 'unknown']),
      artifactHash: Bytes32.describe('SHA-256 of the canonical submission.'),
      sourceBinding: closedShape('SourceBinding', 'How the submission is bound to the claim.', {
        method: literal('submission_hash'),
        verified: z.boolean().describe('Whether `evidenceHash` is the hash of the stored submission.'),
      }),
      evidenceHash: Bytes32.describe('keccak256 of the canonical submission, as it was sent on chain.'),
      environment: z
        .strictObject({ kind: z.string(), runtime: z.string(), version: z.string() })
        .meta({ id: 'ReceiptEnvironment', description: 'Where the verdict was computed.' })
        .nullable()
        .describe('Null where no verdict was computed.'),
    }),
    verdict: closedShape('ReceiptVerdict', 'The outcome and its checks.', {
      outcome: z.enum(RECEIPT_OUTCOMES),
      reasonCode: z.string(),
      evidenceHash: Bytes32.describe('Equals that of `execution`.'),
      policyTags: z.array(z.string()).describe('`bond_waived`, `gas_brokered`, and who decided if not a verifier.'),
      workerConsequence: z.enum(WORKER_CONSEQUENCES),
      rationaleHash: Bytes32.optional().describe('Content hash of the reasons; absent without any.'),
      items: z.array(VerdictItemShape),
    }),
    resolution: StatedResolutionShape,
    settlement: SettlementShape.optional().describe('Absent where the worker was paid nothing.'),
    settlementProof: ProofShape.describe('The event that ended the work on chain, with what binds it to its block.'),
    timestamps: z
      .strictObject({ claimedAt: SignedTime, submittedAt: SignedTime, verifiedAt: SignedTime })
      .meta({ id: 'ReceiptTimestamps', description: 'Instants of the work.' }),
    attestation: z.string().describe('What the document states and what it does not.'),
    signers: z.array(SignerShape),
    canonicalUrl: z.url(),
    signature: DocumentSignatureShape,
  })
  .meta({ id: 'WorkReceipt', description: 'Signed statement of what was judged, by which checks, and which transaction settled it.' })
export type WorkReceipt = z.infer<typeof WorkReceiptShape>
