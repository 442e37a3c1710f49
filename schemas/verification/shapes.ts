import { z } from 'zod'
import { Address, Bytes32, IsoTime, OpenObject } from '../operations/values.ts'
import { PayoutShape } from '../sessions/shapes.ts'
import { RESOLUTION_KINDS, ROUND_VERDICTS, VERDICT_OUTCOMES } from '../sessions/verdicts.ts'

/** The verifier's verdict that a dispute or an operator's overturn replaced. */
export const ReplacedVerdict = z
  .object({ outcome: z.enum(VERDICT_OUTCOMES), reasonCode: z.string(), resolvedAt: IsoTime })
  .meta({ id: 'ReplacedVerdict', description: 'A verdict that a later decision replaced.' })
  .optional()

/** How a session was decided in the end, and the part of the reward that its worker got. */
export const ResolutionShape = z
  .object({
    kind: z.enum(RESOLUTION_KINDS),
    verdict: z.enum(ROUND_VERDICTS),
    /** Before gas is retained. */
    workerShareBps: z.int().min(0).max(10_000),
  })
  .meta({ id: 'Resolution' })

/** A decided verdict with its input and pins. Source: lifecycle, "Result record". */
export const verdictMembers = {
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
  status: z.enum(['not_submitted', 'verifying', 'decided']).optional(),
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
