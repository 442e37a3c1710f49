import { z } from 'zod'
import { JOB_ROLES, TIERS } from '../catalogue/job-terms.ts'
import { AssetAmount, Bytes32, DecimalAmount, IsoTime, literal, NextActionShape, OpenObject, RawAmount } from '../operations/values.ts'

/** One reason why a claim is refused, in gate order. */
export const BlockerShape = z
  .object({
    code: z.string(),
    message: z.string(),
    gate: z.string().optional().describe('Gate that refuses.'),
    reason: z.string().optional().describe('Finer reason than the code, where the gate has one.'),
    retryable: z.boolean().optional().describe('True when the identical claim can succeed later.'),
    retryAfterSeconds: z.int().optional(),
    details: OpenObject.optional(),
    nextActions: z.array(NextActionShape),
  })
  .meta({ id: 'Blocker', description: 'One reason why a claim is refused.' })

const scores = z
  .object({
    skill: z.number().describe('Of approved work.'),
    reliability: z.number().describe('Of kept claims.'),
    economic: z.number().describe('Of earnings.'),
  })
  .meta({ id: 'Scores', description: 'Scores of a wallet.' })

export const TierGateShape = z
  .object({
    tier: z.enum(TIERS),
    unlocked: z.boolean(),
    requires: z.object({ skill: z.number() }),
    has: scores,
    missing: z.object({ skill: z.number().optional() }).describe('Points that the wallet lacks; empty where it has enough.'),
  })
  .meta({ id: 'TierGate', description: 'Skill that a tier needs, and what the wallet has.' })

export const RoleGateShape = TierGateShape.omit({ tier: true })
  .extend({ role: z.enum(JOB_ROLES) })
  .meta({ id: 'RoleGate', description: 'Role that a job needs, and what the wallet has.' })

export const PriorityQualificationShape = z.object({
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

export const OnboardingSubsidyShape = z
  .object({
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
  .meta({ id: 'OnboardingSubsidy', description: 'Budget of waived claims of the day.' })

export const JobIntegrityShape = z
  .object({
    eligible: z.boolean(),
    applies: z.boolean().describe('Whether the chain has a definition to compare with.'),
    status: z.string().describe('`chain_verified`, `not_on_chain`, `chain_unavailable_fail_open`, or the code of the difference.'),
    reason: z.string().nullable().describe('The difference in one sentence; null without one.'),
    specHash: Bytes32.describe('keccak256 of the canonical JSON of the definition.'),
  })
  .meta({ id: 'JobIntegrity', description: 'Whether the definition of a job is unchanged.' })

/** Amounts that a claim locks, in whole units of the funding asset, each with `Raw` in base units. Null where the chain could not be read. */
export const claimMoneyMembers = {
  claimStake: DecimalAmount.nullable(),
  claimStakeRaw: RawAmount.nullable(),
  claimStakeBps: z.int().nullable().describe('Basis points of the reward.'),
  claimFee: DecimalAmount.nullable(),
  claimFeeRaw: RawAmount.nullable(),
  claimFeeBps: z.int().nullable().describe('Basis points of the reward.'),
  totalClaimLock: DecimalAmount.nullable().describe('Stake and fee together, which the claim locks.'),
  totalClaimLockRaw: RawAmount.nullable(),
}

/** Cap as an amount, and what it consists of. */
export const CapShape = AssetAmount.extend({ source: z.string() })
