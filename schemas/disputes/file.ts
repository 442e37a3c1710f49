import { z } from 'zod'
import { ExpectedOutputShape } from '../catalogue/shapes.ts'
import { AssetAmount, Bytes32, closedShape, DocumentSignatureShape, literal, OpenObject, SignedTime } from '../operations/values.ts'
import { Party, WorkReceiptShape } from '../receipts/shapes.ts'
import { LogEntryShape, VerdictItemShape } from '../sessions/shapes.ts'
import { ROUND_VERDICTS, VERDICT_OUTCOMES } from '../sessions/verdicts.ts'
import { DISPUTE_ORIGINS, VERDICT_SOURCES } from './stages.ts'

const FileAmount = AssetAmount.strict().meta({ id: 'FileAmount', description: 'Amount with the symbol of its asset.' })

const TermsShape = closedShape('DisputedTerms', 'Terms of the work, as the claim froze them.', {
  specHash: Bytes32,
  specDefinition: OpenObject.describe('Terms whose canonical JSON has `specHash`, the hash on chain.'),
  definitionHash: Bytes32,
  definition: OpenObject.describe('Definition as it was served at the claim.'),
  expectedOutputs: z
    .array(ExpectedOutputShape)
    .optional()
    .describe('What opens the commitments of the verifier config, in their order; absent where it has none.'),
  asset: z.strictObject({ symbol: z.string(), address: Party, decimals: z.int().min(0).max(30) }),
  reward: FileAmount,
  claimStake: FileAmount,
  claimFee: FileAmount,
  waived: z.boolean().describe('Whether stake and fee were waived.'),
  brokered: z.boolean().describe('Whether the operator paid the gas of the claim.'),
})

const SubmittedShape = closedShape('DisputedWork', 'The submission; its keccak256 is the evidence hash.', {
  evidenceHash: Bytes32,
  submittedAt: SignedTime,
  content: z.unknown().describe('The submission; null where there is none.'),
})

const StatementShape = closedShape('DisputeStatement', 'Statement of the worker in a dispute.', {
  text: z.string(),
  hash: Bytes32.describe('SHA-256 of the canonical JSON of kind `dispute_statement`, dispute id and statement.'),
  at: SignedTime,
})

const StatedVerdictShape = closedShape('StatedVerdict', 'A verdict with its checks.', {
  verificationId: z.string(),
  handler: z.string(),
  version: z.int().min(0).describe('Version of the handler; 0 for a decision without one.'),
  outcome: z.enum(VERDICT_OUTCOMES),
  reasonCode: z.string(),
  decidedAt: SignedTime,
  items: z.array(VerdictItemShape),
})

const StatedRoundShape = closedShape('StatedRound', 'Decision of a round as the chain carried it out.', {
  round: z.int().min(1),
  source: z.enum(VERDICT_SOURCES),
  verdict: z.enum(ROUND_VERDICTS),
  reasonCode: z.string(),
  by: z.string().describe('Wallet, or part of the service.'),
  at: SignedTime,
  workerPayout: FileAmount.nullable(),
  rationale: z.string().nullable(),
  reasoningHash: Bytes32.nullable(),
  txHash: Bytes32.nullable(),
})

/** Everything about an ended dispute in one signed document. Every object is closed but the definitions of the job and structured work. */
export const DisputeFileShape = z
  .strictObject({
    schemaVersion: literal('service.dispute-file.v1'),
    disputeId: z.string(),
    sessionId: z.string(),
    jobId: z.string(),
    chainJobId: Bytes32,
    chainId: z.int().min(1),
    worker: Party,
    poster: Party.nullable(),
    origin: z.enum(DISPUTE_ORIGINS),
    reasonCode: z.string(),
    openedAt: SignedTime,
    remaining: FileAmount.describe('Reward that was not paid at the opening.'),
    terms: TermsShape,
    submission: SubmittedShape,
    statement: StatementShape.nullable().describe('Why the worker holds that its work is right; null where it gave no statement.'),
    verdicts: z.array(StatedVerdictShape).describe('Verdicts of the session, oldest first.'),
    rounds: z.array(StatedRoundShape).describe('Decisions, oldest round first.'),
    deadlines: z
      .strictObject({ claimExpiresAt: SignedTime, disputeWindowEndsAt: SignedTime.nullable(), arbitrationEndsAt: SignedTime })
      .meta({ id: 'DisputeDeadlines', description: 'Deadlines of the work and its dispute.' }),
    receipt: WorkReceiptShape,
    log: z.array(LogEntryShape),
    attestation: z.string(),
    canonicalUrl: z.url(),
    signature: DocumentSignatureShape,
  })
  .meta({ id: 'DisputeFile', description: 'Signed file of an ended dispute: terms, work, verdicts, decisions, receipt and history.' })
export type DisputeFile = z.infer<typeof DisputeFileShape>
