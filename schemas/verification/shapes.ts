import { z } from 'zod'
import { VerificationContractShape } from '../catalogue/shapes.ts'
import { CHAIN_JOB_STATES } from '../chain/job-state.ts'
import { Address, Bytes32, IsoTime, NextActionShape, OpenObject, shape } from '../operations/values.ts'
import { SESSION_STATUSES } from '../sessions/record.ts'
import { ReplacedVerdict, ResolutionShape, VerdictItemShape, waitingMembers } from '../sessions/shapes.ts'
import { BadgeSnapshotShape, PayoutShape, StoredSubmissionShape } from '../sessions/stored-shapes.ts'
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

const Signals = z.record(z.string(), z.boolean()).optional()
/** What the verdict of a pull request adds. */
const pullRequestMembers = {
  evidence: OpenObject.optional().describe('The submitted pull request beside the expected one.'),
  blockers: z.array(z.string()).optional().describe('What an approval of the pull request lacks.'),
  disclosure: OpenObject.optional().describe('How the pull request names the claimant.'),
  ciExclusions: z.array(z.unknown()).optional().describe('Checks of the pull request that do not count, each with the reason.'),
  policyGates: z.array(z.unknown()).optional().describe('Checks of the pull request about contributor terms, which a person has to clear.'),
  checks: z
    .record(z.string(), z.union([z.boolean(), z.string()]))
    .optional()
    .describe('What was found of the pull request.'),
  signals: Signals.describe('Achievements that the submission states or the code host shows.'),
  reputationSignals: Signals.describe('Achievements that the code host confirms, for profiles.'),
  codehostLookup: OpenObject.optional().describe('What the code host answered.'),
}

/** A verdict with its input and pins, as it is stored. Source: lifecycle, "Result record". */
const storedMembers = {
  jobId: z.string(),
  sessionId: z.string(),
  handler: z.string().describe('Verifier mode, `human_fallback` for a reviewer, or `chain` for a verdict sent directly on chain.'),
  handlerVersion: z.int(),
  outcome: z.enum(VERDICT_OUTCOMES),
  score: z.number().describe('0 to 100.'),
  reasonCode: z.string(),
  detail: z.string(),
  items: z.array(VerdictItemShape).describe('Checks of the outcome.'),
  metadataURI: z.string().nullable().describe('Address of the badge, or the one that the verifier named.'),
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
  verifierConfigSnapshot: OpenObject.describe('Configuration by which it was decided.'),
  verificationContract: VerificationContractShape.extend({ handlerVersion: z.int(), verificationInputHash: Bytes32.nullable() })
    .meta({ id: 'VerdictContract', description: 'Pinned terms of a verdict.' })
    .optional()
    .describe('Absent when the terms pinned at the claim do not verify.'),
  evidenceSchemaRef: z.string().describe('Schema of the submission.'),
  verificationInput: StoredSubmissionShape.nullable(),
  verificationInputHash: Bytes32.nullable().describe('keccak256 of the canonical JSON of `verificationInput`.'),
  badgeSnapshot: BadgeSnapshotShape,
  evaluatedAt: IsoTime,
  escalatedFrom: z.string().optional().describe('Mode of the job that people judged in place of its handler.'),
  verifier: Address.optional().describe('Sender of a verdict that was sent directly on chain; handler `chain` only.'),
  txHash: Bytes32.optional().describe('Transaction of a verdict that was sent directly on chain.'),
  reviewedBy: Address.optional(),
  reasoningHash: z.string().optional().describe('Hash of the stored rationale of a reviewer.'),
  ...pullRequestMembers,
  profileRun: OpenObject.optional().describe('Checks and measurements of the profile, with its digest and that of the contract.'),
  originalVerdict: OpenObject.nullable().optional().describe('The verdict before that of a reviewer.'),
}
const StoredVerdictShape = z.object(storedMembers)
export type VerdictRecord = z.infer<typeof StoredVerdictShape>

const SessionSummaryShape = shape('SessionSummary', 'A session beside its verdict.', {
  sessionId: z.string(),
  jobId: z.string(),
  wallet: Address,
  status: z.enum(SESSION_STATUSES),
  chainState: z.enum(CHAIN_JOB_STATES).nullable(),
})

/** A decided verdict with its session, for readers of everything. */
export const verdictMembers = {
  ...resultMembers,
  ...storedMembers,
  session: SessionSummaryShape,
  payoutTx: PayoutShape.nullable().describe('Null until the payout is mined.'),
  decidedAt: IsoTime.optional(),
  preview: z.boolean().optional().describe('True where nothing was changed.'),
  status: z.enum(RESULT_STATUSES).optional(),
  submittedAt: IsoTime.nullable().optional(),
  awaitingSince: IsoTime.nullable().optional().describe('Instant since which a verdict is due.'),
  resolvedAt: IsoTime.nullable().optional(),
  replacedVerdict: ReplacedVerdict,
}
