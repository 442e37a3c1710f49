import { z } from 'zod'
import { CHAIN_JOB_STATES } from '../chain/job-state.ts'
import { Address, Amount, Bytes32, GasRequiredShape, IsoTime, literal, NextActionShape, OpenObject } from '../operations/values.ts'
import { SESSION_STATUSES } from '../sessions/record.ts'
import { ROUND_VERDICTS } from '../sessions/verdicts.ts'
import { DISPUTE_ORIGINS, DISPUTE_STAGES, VERDICT_SOURCES } from './stages.ts'

/** Deadlines, allowed verdicts and endpoints for an arbitrator. Source: http, "GET /disputes". */
const ArbitrationShape = z
  .object({
    version: z.int(),
    authority: z.object({ review: z.array(z.string()), verdict: z.array(z.string()), release: literal('settled_by_verdict') }),
    execution: z.object({
      mode: z.enum(['backend_signer', 'out_of_band_hardware', 'unavailable']),
      backendCanResolve: z.boolean(),
      reason: z.string().nullable(),
    }),
    allowedVerdicts: z.array(z.string()),
    sla: z.object({
      seconds: z.int(),
      openedAt: IsoTime,
      windowEndsAt: IsoTime,
      /** Both follow the dispute's `deadline`, which can be before the end of the window. */
      expired: z.boolean(),
      secondsRemaining: z.int().min(0),
    }),
    reasoning: z.object({
      contentType: z.string(),
      hashAlgorithm: literal('sha256'),
      hashField: z.string(),
      uriField: z.string(),
      canonicalHashRequired: z.boolean(),
      publicContentPath: z.string(),
    }),
    release: z.object({
      mode: literal('settled_by_verdict'),
      verdictEndpoint: z.string(),
      ready: z.boolean(),
      reason: z.string().nullable(),
    }),
  })
  .meta({ id: 'Arbitration', description: 'Deadlines, verdicts and routes for the arbitrator.' })

/** Unsigned transaction of a verdict, for an arbitrator whose key is not in the service. */
const PreparationShape = z
  .object({
    /** A request that replaces this preparation must name this id. */
    preparationId: z.string(),
    preparedAt: IsoTime,
    transaction: z.object({
      to: Address,
      data: z.string(),
      value: literal('0'),
      chainId: z.int(),
      function: z.string(),
      args: z.array(z.string()),
    }),
  })
  .meta({ id: 'VerdictPreparation', description: 'Unsigned transaction of a verdict.' })
/** Unsigned `resolveDispute` transaction for an arbitrator whose key is not in the service. */
export type Preparation = z.infer<typeof PreparationShape>

/** Transaction with which a worker disputes a rejection. */
const RemedyShape = z
  .object({
    available: z.boolean(),
    contract: z.string(),
    address: z.string(),
    chainId: z.int(),
    abi: z.string(),
    function: z.string(),
    args: z.array(z.string()),
    value: literal('0'),
    gasRequired: GasRequiredShape,
    opensUntil: IsoTime.nullable(),
    brokeredPath: z.object({ available: z.literal(false), reason: literal('no_worker_reachable_brokered_open_dispute_route') }),
  })
  .meta({ id: 'DisputeRemedy', description: 'Transaction with which a worker disputes a rejection.' })

const decided = {
  verdict: z.enum(ROUND_VERDICTS).nullable(),
  reasonCode: z.string().optional(),
  decidedBy: z.string().optional(),
  decidedAt: IsoTime.optional(),
  /** Who decided; `chain` also where the verdict on chain overruled the recorded decision. */
  source: z.enum(VERDICT_SOURCES).optional(),
  /** `submitted`: recorded and not on chain yet; `confirmed`: on chain. */
  chainStatus: z.enum(['submitted', 'confirmed']).optional(),
  /** Rationale of the decider; absent for a time-out and for a verdict read from the chain. */
  rationale: z.string().optional(),
  /** SHA-256 of the stored rationale. */
  reasoningHash: Bytes32.optional(),
  metadataURI: z.url().optional(),
  payoutSource: z.enum(['default_half_remaining', 'operator_supplied']).optional(),
  txHash: z.string().optional(),
  workerPayout: Amount.optional(),
  /** Recorded payout, where the payout on chain differs. */
  preparedPayout: Amount.nullable().optional(),
  payoutMismatch: z.boolean().optional(),
  preparation: PreparationShape.optional(),
}

/** What a verdict did with the bond. */
const BondReleaseShape = z
  .object({
    action: z.enum(['slash-to-treasury', 'return-to-depositor', 'contract']),
    amount: Amount,
    chainStatus: z.enum(['submitted', 'settled_by_verdict']),
    txHash: z.string().optional(),
  })
  .meta({ id: 'BondRelease', description: 'What a verdict did with the bond.' })

/** A dispute, its deadline first. Amounts are of `asset`. */
export const DisputeShape = z
  .object({
    id: z.string().regex(/^dispute-[0-9a-f]{12}$/),
    status: z.enum(['open', 'resolved']),
    /** Last instant for a verdict; after it the time-out outcome applies. Null once resolved. */
    deadline: IsoTime.nullable(),
    openedAt: IsoTime,
    windowEndsAt: IsoTime,
    slaSeconds: z.int(),
    stage: z.enum(DISPUTE_STAGES),
    origin: z.enum(DISPUTE_ORIGINS),
    reason: z.string(),
    since: IsoTime,
    sessionId: z.string(),
    jobId: z.string(),
    chainJobId: Bytes32,
    claimant: Address,
    respondent: Address.nullable(),
    sessionStatus: z.enum(SESSION_STATUSES),
    chainState: z.enum(CHAIN_JOB_STATES).nullable(),
    evidence: z.object({ before: OpenObject, after: OpenObject }),
    /** keccak256 of the canonical evidence. */
    evidenceHash: Bytes32,
    asset: z.string(),
    remainingPayout: Amount,
    stakedAmount: Amount,
    claimFee: Amount,
    totalClaimLock: Amount,
    ...decided,
    release: BondReleaseShape.nullable(),
    remedy: RemedyShape,
    arbitration: ArbitrationShape,
    timeline: z.array(z.object({ id: z.string(), at: IsoTime, actor: z.string(), action: z.string(), data: OpenObject })),
    nextActions: z.array(NextActionShape),
  })
  .meta({ id: 'Dispute', description: 'A dispute, its deadline first; amounts are of its asset.' })

/** Row of a list of disputes: everything but its evidence and its timeline. */
export const DisputeRowShape = DisputeShape.omit({ evidence: true, timeline: true }).meta({
  id: 'DisputeRow',
  description: 'Row of a list of disputes: everything but its evidence and its timeline.',
})

/** Payments of a verdict. They add up to the job's balance in the escrow. */
export const MoneyShape = z
  .object({
    asset: z.string(),
    worker: z.object({ payout: Amount, bondReturned: Amount }),
    poster: z.object({ refund: Amount, slash: Amount }),
    treasury: z.object({ fee: Amount, slash: Amount }),
    verifier: z.object({ feeShare: Amount }),
    held: Amount,
  })
  .meta({ id: 'VerdictMoney', description: 'Payments of a verdict; they add up to the balance of the job in the escrow.' })

/** Effect of a verdict that is not recorded. */
export const VerdictPreviewShape = z
  .object({
    preview: z.literal(true),
    disputeId: z.string(),
    sessionId: z.string(),
    verdict: z.enum(ROUND_VERDICTS),
    reasonCode: z.string(),
    workerPayout: Amount,
    payoutSource: z.enum(['default_half_remaining', 'operator_supplied']).nullable(),
    sessionBecomes: z.enum(SESSION_STATUSES),
    asset: z.string(),
    money: MoneyShape,
  })
  .meta({ id: 'VerdictPreview', description: 'Effect of a verdict that is not recorded.' })
