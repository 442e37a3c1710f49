import { z } from 'zod'
import { Address, Bytes32, IsoTime, NextActionShape, OpenObject } from '../operations/values.ts'
import { PayoutShape, ReplacedVerdict, ResolutionShape, VerdictItemShape, waitingMembers } from '../sessions/shapes.ts'
import { VERDICT_OUTCOMES } from '../sessions/verdicts.ts'

/** `with_people`: a reviewer or the arbitrator has to decide. */
export const RESULT_STATUSES = ['not_submitted', 'verifying', 'with_people', 'decided'] as const

/** Members of a result besides the verdict. What the session waits for is for its owner, verifiers and admins. */
export const resultMembers = {
  resolution: ResolutionShape.optional().describe('How the session was decided; absent until then.'),
  ...waitingMembers,
  nextActions: z.array(NextActionShape).optional().describe('The transaction that disputes a rejection, for its owner.'),
  items: z.array(VerdictItemShape).optional().describe('Checks of the outcome; absent without one. An approval has no unmet one.'),
}

/** A decided verdict with its input and pins. Source: lifecycle, "Result record". */
export const verdictMembers = {
  ...resultMembers,
  jobId: z.string(),
  sessionId: z.string(),
  handler: z.string().describe('Verifier mode, `human_fallback` for a reviewer, or `chain` for a verdict sent directly on chain.'),
  handlerVersion: z.int(),
  outcome: z.enum(VERDICT_OUTCOMES),
  score: z.number().describe('0 to 100.'),
  reasonCode: z.string(),
  detail: z.string(),
  metadataURI: z.string().nullable().describe('Address of the metadata of the badge.'),
  requestedBy: z
    .string()
    .optional()
    .describe('Wallet of the verifier that requested it, or `system:auto-verifier`; absent without a request.'),
  environment: z
    .object({ kind: z.string(), runtime: z.string(), version: z.string() })
    .meta({ id: 'VerdictEnvironment', description: 'Where a verdict was computed.' }),
  verifierPolicyVersion: z.int(),
  verifierConfigVersion: z.int(),
  verifierConfigHash: Bytes32.describe('Hash of `verifierConfigSnapshot`.'),
  verifierConfigSnapshot: OpenObject.describe('Settings of the verifier, pinned at the claim.'),
  verificationContract: OpenObject.optional().describe('Absent when the terms pinned at the claim do not verify.'),
  evidenceSchemaRef: z.string().describe('Schema of the submission.'),
  verificationInput: OpenObject.describe('The submission that was judged.'),
  verificationInputHash: Bytes32.describe('keccak256 of the canonical JSON of `verificationInput`.'),
  badgeSnapshot: OpenObject.describe('Facts of the badge, pinned at the claim.'),
  session: OpenObject.describe('Short form of the session.'),
  progression: OpenObject.nullable().optional(),
  payoutTx: PayoutShape.nullable().optional().describe('Null until the payout is mined.'),
  evaluatedAt: IsoTime,
  decidedAt: IsoTime.optional(),
  preview: z.boolean().optional().describe('True where nothing was changed.'),
  status: z.enum(RESULT_STATUSES).optional(),
  submittedAt: IsoTime.nullable().optional(),
  awaitingSince: IsoTime.nullable().optional().describe('Instant since which a verdict is due.'),
  resolvedAt: IsoTime.nullable().optional(),
  replacedVerdict: ReplacedVerdict,
  evidence: OpenObject.optional().describe('The submitted pull request beside the expected one.'),
  blockers: z.array(z.unknown()).optional().describe('What an approval of the pull request lacks.'),
  disclosure: OpenObject.optional().describe('How the pull request names the claimant.'),
  ciExclusions: z.array(z.unknown()).optional().describe('Checks of the pull request that do not count, each with the reason.'),
  policyGates: z.unknown().optional().describe('Checks of the pull request about contributor terms, which a person has to clear.'),
  checks: z.unknown().optional().describe('What was found of the pull request.'),
  signals: z.unknown().optional().describe('Achievements that the submission states or the code host shows.'),
  reputationSignals: OpenObject.optional().describe('Achievements that the code host confirms, for profiles.'),
  codehostLookup: OpenObject.optional().describe('What the code host answered.'),
  escalatedFrom: z.string().optional().describe('Handler that passed the decision to a reviewer.'),
  verifier: Address.optional().describe('Sender of a verdict that was sent directly on chain.'),
  txHash: Bytes32.optional().describe('Transaction of a verdict that was sent directly on chain.'),
  reviewedBy: Address.optional().describe('Wallet of the reviewer.'),
  reasoningHash: Bytes32.optional().describe('Content hash of the rationale of the reviewer.'),
  originalVerdict: OpenObject.nullable().optional().describe('The verdict before that of the reviewer.'),
}
