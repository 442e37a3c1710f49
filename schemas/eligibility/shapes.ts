import { z } from 'zod'
import { JOB_ROLES, TIERS } from '../catalogue/job-terms.ts'
import { AssetAmount, Bytes32, DecimalAmount, IsoTime, literal, NextActionShape, OpenObject, RawAmount } from '../operations/values.ts'

/** One reason why a claim is refused, in gate order. */
export const BlockerShape = z
  .object({
    code: z.string(),
    message: z.string(),
    gate: z.string().optional(),
    /** Finer reason than the code, where the gate has one. */
    reason: z.string().optional(),
    retryable: z.boolean().optional(),
    retryAfterSeconds: z.int().optional(),
    details: OpenObject.optional(),
    nextActions: z.array(NextActionShape),
  })
  .meta({ id: 'Blocker', description: 'One reason why a claim is refused.' })

const scores = z
  .object({ skill: z.number(), reliability: z.number(), economic: z.number() })
  .meta({ id: 'Scores', description: 'Scores of a wallet.' })

export const TierGateShape = z
  .object({
    tier: z.enum(TIERS),
    unlocked: z.boolean(),
    requires: z.object({ skill: z.number() }),
    has: scores,
    missing: z.object({ skill: z.number().optional() }),
  })
  .meta({ id: 'TierGate', description: 'Skill that a tier needs, and what the wallet has.' })

export const RoleGateShape = TierGateShape.omit({ tier: true })
  .extend({ role: z.enum(JOB_ROLES) })
  .meta({ id: 'RoleGate', description: 'Role that a job needs, and what the wallet has.' })

export const PriorityQualificationShape = z.object({
  status: z.enum(['not_windowed', 'open_to_everyone', 'priority_qualified', 'priority_window_active']),
  qualifies: z.boolean(),
  tier: z.string().nullable().optional(),
  lockTier: z.string(),
  priorityRank: z.int().nullable().optional(),
  vestedDeposit: DecimalAmount.nullable().optional(),
  vestedDepositRaw: RawAmount.nullable().optional(),
  threshold: DecimalAmount.optional(),
  thresholdRaw: RawAmount.optional(),
  vestingAvailable: z.boolean().optional(),
  outstandingCredit: DecimalAmount.nullable().optional(),
  outstandingCreditRaw: RawAmount.nullable().optional(),
  creditPositionAvailable: z.boolean().optional(),
  noOutstandingCreditDraw: z.boolean(),
  depositQualified: z.boolean(),
  directoryListed: z.boolean(),
})

export const OnboardingSubsidyShape = z
  .object({
    scope: literal('tier-0-onboarding-subsidy'),
    day: z.string(),
    clock: literal('UTC'),
    resetAt: IsoTime,
    dailyBudget: AssetAmount,
    allocated: AssetAmount,
    headroom: AssetAmount,
    source: z.string(),
    applies: z.boolean(),
    available: z.boolean(),
    estimatedClaimSubsidy: AssetAmount,
    waivedClaimStake: AssetAmount,
    brokeredGasEstimate: AssetAmount,
  })
  .meta({ id: 'OnboardingSubsidy', description: 'Budget of waived claims of the day.' })

export const JobIntegrityShape = z
  .object({
    eligible: z.boolean(),
    applies: z.boolean(),
    status: z.string(),
    reason: z.string().nullable(),
    specHash: Bytes32,
  })
  .meta({ id: 'JobIntegrity', description: 'Whether the definition of a job is unchanged.' })

/** Amounts that a claim locks, in whole units of the funding asset, each with `Raw` in base units. Null where the chain could not be read. */
export const claimMoneyMembers = {
  claimStake: DecimalAmount.nullable(),
  claimStakeRaw: RawAmount.nullable(),
  claimStakeBps: z.int().nullable(),
  claimFee: DecimalAmount.nullable(),
  claimFeeRaw: RawAmount.nullable(),
  claimFeeBps: z.int().nullable(),
  totalClaimLock: DecimalAmount.nullable(),
  totalClaimLockRaw: RawAmount.nullable(),
}

/** Cap as an amount, and what it consists of. */
export const CapShape = AssetAmount.extend({ source: z.string() })
