import { z } from 'zod'
import { VERIFIER_MODES } from '../catalogue/job-terms.ts'
import { CHAIN_JOB_STATES } from '../chain/job-state.ts'
import { TIERS } from '../common/tiers.ts'
import { Address, AssetAmount, Bytes32, DecimalAmount, DigitString, IsoTime, OpenObject, RawAmount, shape } from '../operations/values.ts'
import { EXPOSURES, OnboardingSubsidyShape, PriorityQualificationShape, TierGateShape } from './admission-shapes.ts'
import { RESOLUTION_KINDS, ROUND_VERDICTS } from './verdicts.ts'

// Parts of a session that are stored as JSON and served as stored.

/** Terms that a claim pins; every later step uses these only. */
export const JobSnapshotShape = shape('JobSnapshot', 'Terms of a job that a claim pins; every later step uses these only.', {
  version: z.literal('job-snapshot-v1'),
  capturedAt: IsoTime,
  jobId: z.string(),
  definition: OpenObject.describe('Definition as it was served at the claim.'),
  definitionHash: z.string().describe('keccak256 of the canonical JSON of `definition`.'),
  specDefinition: OpenObject.describe('Stored definition, the pre-image of `specHash`.'),
  specHash: z.string().describe('keccak256 of the canonical JSON of `specDefinition`; the escrow holds the same hash.'),
  outputSchema: z.object({ ref: z.string(), schema: OpenObject, schemaHash: z.string() }).describe('Schema of the submission.'),
  verifierConfigSnapshot: OpenObject.describe('Configuration by which the verifier decides.'),
  verifierConfigHash: z.string(),
  verifierPolicyVersion: z.int(),
  verifierConfigVersion: z.int(),
  handlerVersion: z.int(),
  chainId: z.int(),
  escrowAddress: Address,
  claimEconomics: OpenObject.describe('Bond, fee and gas retention as the claim was offered.'),
  specSource: z
    .enum(['chain_verified', 'chain_unavailable_fail_open'])
    .describe('Whether the claim compared the terms with the escrow, or could not read it.'),
})

/** Fields of a badge that a claim pins. */
export const BadgeSnapshotShape = shape('BadgeSnapshot', 'Fields of the badge that a claim pins.', {
  category: z.string(),
  tier: z.enum(TIERS),
  rewardAsset: z.string(),
  rewardAmount: DecimalAmount,
  rewardAmountRaw: RawAmount,
  verifierMode: z.enum(VERIFIER_MODES),
})

/** Measurements of the gates at the admission; null for a gate that did not measure. */
export const admissionMembers = {
  workerExposure: EXPOSURES.workerExposure.nullable().optional(),
  dailyExposure: EXPOSURES.dailyExposure.nullable().optional(),
  dailyAllowance: EXPOSURES.dailyAllowance.nullable().optional(),
  catalogueAccess: EXPOSURES.catalogueAccess.nullable().optional(),
  catalogueDailyBudget: EXPOSURES.catalogueDailyBudget.nullable().optional(),
  onboardingSubsidy: OnboardingSubsidyShape.nullable().optional(),
  claimantAttribution: z.null().optional().describe('Always null: the service does not record how a claimant found a job.'),
  tierGate: TierGateShape.nullable().optional(),
  priorityQualification: PriorityQualificationShape.nullable().optional(),
}

/** Why a wallet may not do the work of a job that it claimed on chain itself. */
export const RefusedByShape = shape('RefusedBy', 'Gate that refuses the work of a claim that the wallet made on chain itself.', {
  gate: z.string(),
  code: z.string(),
  message: z.string(),
})

const submitted = {
  evidenceText: z.string(),
  normalizedFrom: z.string().optional().describe('Member from which a wrapped submission was taken.'),
}
/** Submission as it is stored: checked by the schema of the job, or a text. */
export const StoredSubmissionShape = z
  .union([
    z.object({ kind: z.literal('structured'), structured: OpenObject, ...submitted }),
    z.object({ kind: z.literal('text'), rawText: z.string(), ...submitted }),
  ])
  .meta({ id: 'StoredSubmission', description: 'Submitted work. `evidenceText` is the text that the verifier reads.' })

export const VerificationSummaryShape = shape('VerificationSummary', 'Short form of a verdict.', {
  outcome: z.string(),
  reasonCode: z.string(),
  handler: z.string(),
  escalatedFrom: z.string().optional().describe('Handler that sent the work to people.'),
  handlerVersion: z.int(),
  verifierPolicyVersion: z.int(),
  verifierConfigVersion: z.int(),
})

const payoutAmounts = {
  workerAmount: DecimalAmount,
  workerAmountRaw: RawAmount,
  protocolFeeAmount: DecimalAmount,
  protocolFeeAmountRaw: RawAmount,
  rewardAmount: DecimalAmount.describe('Reward before gas is retained, in whole units.'),
  rewardAmountRaw: RawAmount,
  posterTotalAmount: DecimalAmount.describe('Reward and protocol fee together, in whole units.'),
  posterTotalAmountRaw: RawAmount,
  gasRetentionAmount: DecimalAmount,
  gasRetentionAmountRaw: RawAmount,
}

export const PayoutShape = shape('Payout', 'Mined payout of a session.', {
  txHash: Bytes32,
  blockNumber: DigitString,
  status: z.literal(1),
  settlement: shape('PayoutSettlement', 'Amounts of a payout, from its event.', {
    worker: Address,
    treasuryAccount: Address,
    asset: Address.describe('Contract of the token.'),
    assetSymbol: z.string(),
    decimals: z.int(),
    ...payoutAmounts,
    protocolFeeBps: z.int(),
    gasRetentionBps: z.int(),
    brokered: z.boolean().describe('Whether the operator paid the gas of the claim.'),
    waived: z.boolean().describe('Whether stake and fee were waived.'),
  }),
})

export const DisputeResolutionShape = shape('DisputeResolution', 'End of the dispute on chain.', {
  disputeId: z.string(),
  kind: z.enum(RESOLUTION_KINDS),
  verdict: z.enum(ROUND_VERDICTS),
  workerShareBps: z.int().describe('Part of the remaining reward that the worker got, in basis points.'),
  reasonCode: z.string(),
  workerPayout: AssetAmount,
  txHash: Bytes32,
  decidedAt: IsoTime.describe('Time of the block.'),
})

export const HumanReviewShape = shape('HumanReview', "Reviewer's verdict.", {
  verdict: z.enum(['approved', 'rejected']),
  reasonCode: z.string(),
  by: Address,
  at: IsoTime,
  reasoningHash: Bytes32.describe('Hash of the stored rationale.'),
})

export const OperatorOverturnShape = z
  .object({ by: z.string(), note: z.string(), at: IsoTime })
  .meta({ id: 'OperatorOverturn', description: 'Who overturned a rejection, why and when.' })

export const DivergenceShape = z
  .object({ expected: z.string(), observed: z.string(), at: IsoTime })
  .meta({ id: 'ChainStateDivergence', description: 'State of the escrow that the service expected, and the one that it read.' })

const observed = { observedState: z.enum(CHAIN_JOB_STATES), observedWorker: Address.nullable(), blockNumber: DigitString }

export const ClaimReconciliationShape = shape('ClaimReconciliation', 'Reading of the escrow that ended a lapsed claim.', {
  reconciledAt: IsoTime,
  ...observed,
  txHash: Bytes32.nullable().describe('Transaction that ended the claim; null where there was none.'),
})

export const OperatorCloseShape = shape('OperatorClose', 'How an operator closed a session, with the reading of the escrow.', {
  outcome: z.enum(['timed_out', 'closed']),
  note: z.string(),
  by: Address,
  at: IsoTime,
  ...observed,
  blockHash: Bytes32,
  reward: AssetAmount,
  released: AssetAmount.describe('Part of the reward that the escrow has paid.'),
})
