import { z } from 'zod'
import { CHAIN_JOB_STATES } from '../chain/job-state.ts'
import { Address, Amount, Bytes32, GasRequiredShape, IsoTime, literal, NextActionShape, OpenObject, shape } from '../operations/values.ts'
import { SESSION_STATUSES } from '../sessions/record.ts'
import { ROUND_VERDICTS } from '../sessions/verdicts.ts'
import { DISPUTE_ORIGINS, DISPUTE_STAGES, PAYOUT_SOURCES, VERDICT_SOURCES } from './stages.ts'

/** Deadlines, allowed verdicts and endpoints for an arbitrator. Source: http, "GET /disputes". */
const ArbitrationShape = shape('Arbitration', 'Deadlines, verdicts and routes for the arbitrator.', {
  version: z.int(),
  authority: z
    .object({ review: z.array(z.string()), verdict: z.array(z.string()), release: literal('settled_by_verdict') })
    .describe('Roles that may take each step.'),
  execution: z.object({
    mode: z.enum(['backend_signer', 'out_of_band_hardware', 'unavailable']),
    backendCanResolve: z.boolean().describe('Whether the service holds the key of the arbitrator.'),
    reason: z.string().nullable(),
  }),
  allowedVerdicts: z.array(z.string()),
  sla: z.object({
    seconds: z.int(),
    openedAt: IsoTime,
    windowEndsAt: IsoTime,
    expired: z.boolean().describe('Whether the `deadline` of the dispute has passed, which can be before the end of the window.'),
    secondsRemaining: z.int().min(0).describe('Seconds until the `deadline` of the dispute.'),
  }),
  reasoning: z.object({
    contentType: z.string(),
    hashAlgorithm: literal('sha256'),
    hashField: z.string().describe('Member that holds the hash of the rationale.'),
    uriField: z.string().describe('Member that holds its address.'),
    canonicalHashRequired: z.boolean().describe('Whether the hash is over canonical JSON.'),
    publicContentPath: z.string(),
  }),
  release: z.object({
    mode: literal('settled_by_verdict'),
    verdictEndpoint: z.string(),
    ready: z.boolean().describe('Whether a verdict is accepted now.'),
    reason: z.string().nullable(),
  }),
})

/** Unsigned transaction of a verdict, for an arbitrator whose key is not in the service. */
const PreparationShape = shape('VerdictPreparation', 'Unsigned transaction of a verdict.', {
  preparationId: z.string().describe('A verdict that replaces this one must name it in `supersedes`.'),
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
/** Unsigned `resolveDispute` transaction for an arbitrator whose key is not in the service. */
export type Preparation = z.infer<typeof PreparationShape>

const RemedyShape = shape('DisputeRemedy', 'Transaction with which a worker disputes a rejection.', {
  available: z.boolean().describe('Whether the worker can dispute the rejection now.'),
  contract: z.string(),
  address: z.string(),
  chainId: z.int(),
  abi: z.string().describe('Signature of the function.'),
  function: z.string(),
  args: z.array(z.string()),
  value: literal('0'),
  gasRequired: GasRequiredShape,
  opensUntil: IsoTime.nullable().describe('Last instant to send it; null where it cannot be sent.'),
  brokeredPath: z
    .object({ available: z.literal(false), reason: literal('no_worker_reachable_brokered_open_dispute_route') })
    .describe('The service cannot send it: the contract takes it from the worker only.'),
})

const decided = {
  verdict: z.enum(ROUND_VERDICTS).nullable(),
  reasonCode: z.string().optional(),
  decidedBy: z.string().optional().describe('Wallet, or part of the service.'),
  decidedAt: IsoTime.optional(),
  source: z.enum(VERDICT_SOURCES).optional().describe('Who decided; `chain` also where the verdict on chain overruled the recorded one.'),
  chainStatus: z.enum(['submitted', 'confirmed']).optional().describe('`submitted`: recorded and not on chain yet; `confirmed`: on chain.'),
  rationale: z.string().optional().describe('Words of the decider; absent for a time-out and for a verdict read from the chain.'),
  reasoningHash: Bytes32.optional().describe('SHA-256 of the stored rationale.'),
  metadataURI: z.url().optional(),
  payoutSource: z.enum(PAYOUT_SOURCES).optional().describe('Where the payout of a split comes from.'),
  txHash: z.string().optional(),
  workerPayout: Amount.optional(),
  preparedPayout: Amount.nullable().optional().describe('Recorded payout, where the payout on chain differs.'),
  payoutMismatch: z.boolean().optional().describe('True where the payout on chain differs from the recorded one.'),
  preparation: PreparationShape.optional().describe('Transaction that waits for the signature of the arbitrator.'),
}

const BondReleaseShape = shape('BondRelease', 'What a verdict did with the bond.', {
  action: z.enum(['slash-to-treasury', 'return-to-depositor', 'contract']),
  amount: Amount,
  chainStatus: z.enum(['submitted', 'settled_by_verdict']),
  txHash: z.string().optional(),
})

export const WorkerStatementShape = shape('WorkerStatement', 'Why the worker holds that its work is right, in its own words.', {
  text: z.string(),
  hash: Bytes32.describe('SHA-256 of the content: canonical JSON of kind `dispute_statement`, dispute id and statement.'),
  at: IsoTime.describe('Instant at which it was given.'),
})

/** A dispute, its deadline first. Amounts are of `asset`. */
export const DisputeShape = shape('Dispute', 'A dispute, its deadline first; amounts are of its asset.', {
  id: z.string().regex(/^dispute-[0-9a-f]{12}$/),
  status: z.enum(['open', 'resolved']),
  deadline: IsoTime.nullable().describe('Last instant for a verdict; then the time-out outcome applies. Null once resolved.'),
  openedAt: IsoTime,
  windowEndsAt: IsoTime.describe('End of the window that the contract gives the decision.'),
  slaSeconds: z.int(),
  stage: z.enum(DISPUTE_STAGES),
  origin: z.enum(DISPUTE_ORIGINS).describe('How the dispute came about.'),
  reason: z.string(),
  since: IsoTime.describe('Since when it has its stage.'),
  sessionId: z.string(),
  jobId: z.string(),
  chainJobId: Bytes32,
  claimant: Address.describe('Worker of the session.'),
  respondent: Address.nullable().describe('Poster of the job; null where none is known.'),
  sessionStatus: z.enum(SESSION_STATUSES),
  chainState: z.enum(CHAIN_JOB_STATES).nullable(),
  evidence: z
    .object({ before: OpenObject, after: OpenObject })
    .describe('Terms of the job (`before`), and the submission with its verdict (`after`).'),
  evidenceHash: Bytes32.describe('keccak256 of the canonical JSON of `evidence`.'),
  statement: WorkerStatementShape.nullable().describe('Statement of the worker; null without one.'),
  asset: z.string(),
  remainingPayout: Amount.describe('Reward that is not paid yet.'),
  stakedAmount: Amount,
  claimFee: Amount,
  totalClaimLock: Amount,
  ...decided,
  release: BondReleaseShape.nullable().describe(
    'What the verdict did with the bond; null before a verdict, and after a rejection that the worker can dispute. Zero of a waived bond.',
  ),
  remedy: RemedyShape,
  arbitration: ArbitrationShape,
  timeline: z.array(z.object({ id: z.string(), at: IsoTime, actor: z.string(), action: z.string(), data: OpenObject })),
  nextActions: z.array(NextActionShape),
})

/** Row of a list of disputes: everything but its evidence, its statement and its timeline. */
export const DisputeRowShape = DisputeShape.omit({ evidence: true, statement: true, timeline: true }).meta({
  id: 'DisputeRow',
  description: 'Row of a list of disputes: everything but its evidence, its statement and its timeline.',
})

/** Payments of a verdict. They add up to the job's balance in the escrow. */
export const MoneyShape = shape('VerdictMoney', 'Payments of a verdict; they add up to the balance of the job in the escrow.', {
  asset: z.string(),
  worker: z.object({ payout: Amount, bondReturned: Amount }),
  poster: z.object({ refund: Amount, slash: Amount.describe('Part of the slashed stake that the poster gets.') }),
  treasury: z.object({ fee: Amount, slash: Amount.describe('Part of the slashed stake that the platform gets.') }),
  verifier: z.object({ feeShare: Amount }),
  held: Amount.describe('What the escrow holds for the job before the verdict.'),
})

export const VerdictPreviewShape = shape('VerdictPreview', 'Effect of a verdict that is not recorded.', {
  preview: z.literal(true),
  disputeId: z.string(),
  sessionId: z.string(),
  verdict: z.enum(ROUND_VERDICTS),
  reasonCode: z.string(),
  workerPayout: Amount,
  payoutSource: z.enum(PAYOUT_SOURCES).nullable().describe('Null for a verdict without a split.'),
  sessionBecomes: z.enum(SESSION_STATUSES).describe('Status of the session after the verdict.'),
  asset: z.string(),
  money: MoneyShape,
})
