import { z } from 'zod'
import { Address, Bytes32, IsoTime, NextActionShape, OpenObject } from '../operations/values.ts'
import { PayoutShape, ReplacedVerdict, ResolutionShape, VerdictItemShape, waitingMembers } from '../sessions/shapes.ts'
import { VERDICT_OUTCOMES } from '../sessions/verdicts.ts'

/** `with_people`: a reviewer or the arbitrator has to decide. */
export const RESULT_STATUSES = ['not_submitted', 'verifying', 'with_people', 'decided'] as const

/** Members of a result besides the verdict. What the session waits for is for its owner, verifiers and admins. */
export const resultMembers = {
  /** How the session was decided; absent until then. */
  resolution: ResolutionShape.optional(),
  ...waitingMembers,
  /** The transaction that disputes a rejection, for its owner. */
  nextActions: z.array(NextActionShape).optional(),
  /** Checks of the outcome; absent without one. */
  items: z.array(VerdictItemShape).optional(),
}

/** A decided verdict with its input and pins. Source: lifecycle, "Result record". */
export const verdictMembers = {
  ...resultMembers,
  jobId: z.string(),
  sessionId: z.string(),
  handler: z.string(),
  handlerVersion: z.int(),
  outcome: z.enum(VERDICT_OUTCOMES),
  score: z.number(),
  reasonCode: z.string(),
  detail: z.string(),
  metadataURI: z.string().nullable(),
  /** Wallet of the verifier that requested it, or `system:auto-verifier`; absent without a request. */
  requestedBy: z.string().optional(),
  environment: z
    .object({ kind: z.string(), runtime: z.string(), version: z.string() })
    .meta({ id: 'VerdictEnvironment', description: 'Where a verdict was computed.' }),
  verifierPolicyVersion: z.int(),
  verifierConfigVersion: z.int(),
  verifierConfigHash: Bytes32,
  verifierConfigSnapshot: OpenObject,
  /** Absent when the terms pinned at the claim do not verify. */
  verificationContract: OpenObject.optional(),
  evidenceSchemaRef: z.string(),
  verificationInput: OpenObject,
  verificationInputHash: Bytes32,
  badgeSnapshot: OpenObject,
  session: OpenObject,
  progression: OpenObject.nullable().optional(),
  payoutTx: PayoutShape.nullable().optional(),
  evaluatedAt: IsoTime,
  decidedAt: IsoTime.optional(),
  preview: z.boolean().optional(),
  status: z.enum(RESULT_STATUSES).optional(),
  submittedAt: IsoTime.nullable().optional(),
  awaitingSince: IsoTime.nullable().optional(),
  resolvedAt: IsoTime.nullable().optional(),
  replacedVerdict: ReplacedVerdict,
  evidence: OpenObject.optional(),
  blockers: z.array(z.unknown()).optional(),
  disclosure: OpenObject.optional(),
  ciExclusions: z.array(z.unknown()).optional(),
  policyGates: z.unknown().optional(),
  checks: z.unknown().optional(),
  signals: z.unknown().optional(),
  reputationSignals: OpenObject.optional(),
  codehostLookup: OpenObject.optional(),
  escalatedFrom: z.string().optional(),
  /** Sender and transaction of a verdict sent directly on chain; handler `chain` only. */
  verifier: Address.optional(),
  txHash: Bytes32.optional(),
  /** Reviewer's verdict: reviewer, content hash of the rationale, and the verdict before it. */
  reviewedBy: Address.optional(),
  reasoningHash: Bytes32.optional(),
  originalVerdict: OpenObject.nullable().optional(),
}
