import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { AssetAmount, DecimalAmount, IsoTime, literal, RawAmount, shape } from '../operations/values.ts'

// Measurements of the gates of a claim. A session stores those of its admission.

const scores = shape('Scores', 'Scores of a wallet.', {
  skill: z.number().describe('Of approved work.'),
  reliability: z.number().describe('Of kept claims.'),
  economic: z.number().describe('Of earnings.'),
})

export const TierGateShape = shape('TierGate', 'Skill that a tier needs, and what the wallet has.', {
  tier: z.enum(TIERS),
  unlocked: z.boolean(),
  requires: z.object({ skill: z.number() }),
  has: scores,
  missing: z.object({ skill: z.number().optional() }).describe('Points that the wallet lacks; empty where it has enough.'),
})

/** Use of a limit by a wallet, or by all wallets together, in whole units of `asset`, each with `Raw` in base units. */
const ExposureShape = shape('Exposure', 'Use of a limit on money at risk, with this claim as a candidate.', {
  applies: z.boolean().describe('False where the limit does not bound this job.'),
  allowed: z.boolean(),
  reason: z.string(),
  asset: z.string().optional(),
  decimals: z.int().optional(),
  limit: DecimalAmount.optional(),
  limitRaw: RawAmount.optional(),
  used: DecimalAmount.optional(),
  usedRaw: RawAmount.optional(),
  candidate: DecimalAmount.optional().describe('What this claim adds, in whole units.'),
  candidateRaw: RawAmount.optional(),
  projected: DecimalAmount.optional().describe('`used` and `candidate` together, in whole units.'),
  projectedRaw: RawAmount.optional(),
  remaining: DecimalAmount.optional().describe('Limit less use before this claim, in whole units; at least zero.'),
  remainingRaw: RawAmount.optional(),
  vested: DecimalAmount.optional().describe('Vested deposit, in whole units.'),
  vestedRaw: RawAmount.optional(),
  base: DecimalAmount.optional().describe('Limit of a wallet without a vested deposit, in whole units.'),
  baseRaw: RawAmount.optional(),
  raise: DecimalAmount.optional().describe('What the vested deposit adds to the limit, in whole units.'),
  raiseRaw: RawAmount.optional(),
  windowSeconds: z.int().optional(),
  active: z.boolean().optional().describe('Whether the daily budget bounds this wallet yet; it begins with graduation.'),
  graduated: z.boolean().optional(),
  settledJobs: z.int().optional(),
  graduationSettledJobs: z.int().optional().describe('Settled jobs with which a wallet graduates.'),
  retryAfterSeconds: z.int().optional(),
})
export type Exposure = z.infer<typeof ExposureShape>

/** Each limit that a claim meets. */
export const EXPOSURES = {
  workerExposure: ExposureShape.describe(
    'Open work of the wallet against its cap; for a job of another poster its reward against the ceiling.',
  ),
  dailyExposure: ExposureShape.describe('Work that the wallet claimed in the last 24 hours against its budget.'),
  dailyAllowance: ExposureShape.describe(
    'What bounds the wallet now: its catalogue credit until it graduates, then the budget of 24 hours.',
  ),
  catalogueAccess: ExposureShape.describe('Catalogue credit of a wallet that has not graduated.'),
  catalogueDailyBudget: ExposureShape.describe('Work that all wallets claimed in the last 24 hours against the budget of the operator.'),
}

export const PriorityQualificationShape = z
  .object({
    status: z.enum(['not_windowed', 'open_to_everyone', 'priority_qualified', 'priority_window_active']),
    qualifies: z.boolean(),
    tier: z.string().nullable().optional(),
    lockTier: z.string().describe('Tier of the locked deposit.'),
    priorityRank: z.int().nullable().optional().describe('Rank among the tiers of locked deposits.'),
    vestedDeposit: DecimalAmount.nullable().optional().describe('Null where it could not be read.'),
    vestedDepositRaw: RawAmount.nullable().optional(),
    threshold: DecimalAmount.optional().describe('Vested deposit that qualifies, whole units.'),
    thresholdRaw: RawAmount.optional(),
    vestingAvailable: z.boolean().optional().describe('Whether the vested deposit could be read.'),
    outstandingCredit: DecimalAmount.nullable().optional().describe('Credit that is not repaid; null where it could not be read.'),
    outstandingCreditRaw: RawAmount.nullable().optional(),
    creditPositionAvailable: z.boolean().optional().describe('Whether the credit could be read.'),
    noOutstandingCreditDraw: z.boolean().describe('True where no credit is outstanding.'),
    depositQualified: z.boolean().describe('Whether deposits qualify the wallet.'),
    directoryListed: z.boolean().describe('Whether the wallet is listed in the directory, which qualifies it.'),
  })
  .meta({ id: 'PriorityQualification', description: 'Whether the wallet may claim inside the head start of a job, and by which facts.' })

export const OnboardingSubsidyShape = shape('OnboardingSubsidy', 'Budget of waived claims of the day.', {
  scope: literal('tier-0-onboarding-subsidy'),
  day: z.string().describe('UTC day.'),
  clock: literal('UTC'),
  resetAt: IsoTime,
  dailyBudget: AssetAmount,
  allocated: AssetAmount.describe('Part of the budget that claims used.'),
  headroom: AssetAmount.describe('Part of the budget that is left.'),
  source: z.string(),
  applies: z.boolean().describe('Whether a claim of this job would use it.'),
  available: z.boolean().describe('Whether enough of it is left for this claim.'),
  estimatedClaimSubsidy: AssetAmount.describe('What this claim would use: the waived stake and the gas.'),
  waivedClaimStake: AssetAmount,
  brokeredGasEstimate: AssetAmount.describe('Gas that the service would pay.'),
})
