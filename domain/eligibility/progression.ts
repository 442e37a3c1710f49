import { EXTERNAL_REWARD_CEILING_BASE_RAW } from '../common/constants.ts'
import { amount, assetAmount, toDisplay } from '../common/money.ts'
import { type Scores, tierOf } from '../reputation/tiers.ts'
import { type ExposureLimits, hasGraduated, type VestedCapacity, type WalletExposure } from './exposure.ts'

/** Number of approved sessions with which a wallet may register interest in credit. */
const CREDIT_INTEREST_APPROVALS = 3

/** An earned badge as `/me` lists it. */
interface EarnedBadge {
  sessionId: string
  jobId: string
  category: string
  level: number
  badgeUrl: string
}

export interface ProgressionFacts {
  scores: Scores
  badges: readonly EarnedBadge[]
  exposure: WalletExposure
  /** Caps of the wallet's vested deposits; the base caps where the deposit could not be read. */
  capacity: VestedCapacity
}

/** Cap as an amount, and what it consists of. */
export const capView = (raw: bigint, source: string, limits: ExposureLimits) => ({
  ...assetAmount(raw, limits.asset),
  source,
})

const raisedCap = (raw: bigint, baseRaw: bigint, depositRaw: bigint, limits: ExposureLimits) => ({
  ...capView(raw, depositRaw > 0n ? 'base_and_vested_deposit' : 'base', limits),
  components: { base: amount({ ...limits.asset, raw: baseRaw }), deposit: amount({ ...limits.asset, raw: depositRaw }) },
})

/** Caps per job, per rolling day and for open work. */
const effectiveCaps = ({ exposure, capacity }: ProgressionFacts, limits: ExposureLimits) => ({
  perJobMax: raisedCap(capacity.externalRewardCeilingRaw, EXTERNAL_REWARD_CEILING_BASE_RAW, capacity.externalRewardCeilingRaiseRaw, limits),
  rolling24h: {
    ...capView(limits.dailyExposureBudgetRaw, 'daily_exposure_budget', limits),
    active: hasGraduated(exposure, limits),
    settledJobs: exposure.settledJobs,
    activatesAtSettledJobs: limits.graduationSettledJobs,
  },
  concurrent: {
    ...raisedCap(capacity.openExposureCapRaw, limits.openExposureCapRaw, capacity.openExposureRaiseRaw, limits),
    source: capacity.openExposureSource,
  },
})

/** What raises the limits of a wallet next; null once it has graduated. No deposit is a raise: there is no deposit product yet. */
export const nextRaise = (exposure: WalletExposure, limits: ExposureLimits) => {
  if (hasGraduated(exposure, limits)) return null
  const left = limits.graduationSettledJobs - exposure.settledJobs
  const credit = toDisplay(limits.lifetimeCatalogueCreditRaw, limits.asset.decimals)
  return {
    action: 'keep_completing' as const,
    effect: `${left} more settled jobs replace the lifetime credit of ${credit} ${limits.asset.symbol} by a daily budget.`,
  }
}

/** `progression` of `GET /me`. `justChanged` is always null on a read. */
export const progressionView = (facts: ProgressionFacts, limits: ExposureLimits) => {
  const raise = nextRaise(facts.exposure, limits)
  return {
    tier: tierOf(facts.scores.skill),
    badges: [...facts.badges],
    effectiveCaps: effectiveCaps(facts, limits),
    justChanged: null,
    raises: raise === null ? [] : [raise],
    creditInterest: { eligible: facts.exposure.settledJobs >= CREDIT_INTEREST_APPROVALS, registered: false },
  }
}
