import type { EligibilitySettings } from '../../schemas/eligibility/settings.ts'
import type { LockTier } from '../../schemas/locked-deposits/record.ts'
import type { Exposure } from '../../schemas/sessions/admission-shapes.ts'
import type { RewardBankReading } from '../catalogue/funding.ts'
import { EXTERNAL_CEILING_PER_VESTED_MILLI, EXTERNAL_REWARD_CEILING_BASE_RAW, ROLLING_BUDGET_SECONDS } from '../common/constants.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { iso, nextUtcDay, plusSeconds, secondsUntil, utcDay } from '../common/instants.ts'
import { assetAmount, bps, floorSubtract, isqrt, maxRaw, rawAndDisplay } from '../common/money.ts'
import { BANK_SHARE_BPS } from '../locked-deposits/tiers.ts'
import type { ClaimEconomics } from './claim-economics.ts'

/** Configured bounds on platform money at risk, in base units of the settlement asset. */
export const exposureLimits = (settings: EligibilitySettings, asset: { symbol: string; decimals: number }) => ({
  asset,
  openExposureCapRaw: settings.WORKER_OPEN_EXPOSURE_CAP_RAW,
  vestedOpenExposureUnitRaw: settings.WORKER_VESTED_OPEN_EXPOSURE_UNIT_RAW,
  dailyExposureBudgetRaw: settings.WORKER_DAILY_EXPOSURE_BUDGET_RAW,
  lifetimeCatalogueCreditRaw: settings.WORKER_LIFETIME_CATALOGUE_CREDIT_RAW,
  graduationSettledJobs: settings.WORKER_GRADUATION_SETTLED_JOBS,
  catalogueGlobalDailyBudgetRaw: settings.WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW,
  subsidyDailyBudgetRaw: settings.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW,
  /** Gas the operator pays for one brokered claim and submit. */
  gasEstimateRaw: settings.ONBOARDING_SUBSIDY_GAS_ESTIMATE_RAW,
})
export type ExposureLimits = ReturnType<typeof exposureLimits>

/** One claim inside a rolling window: its exposure in base units and its time (epoch ms). */
interface WindowEntry {
  exposureRaw: bigint
  claimedAt: number
}

/** Sums over one wallet's curated claims, read from the database; open claim intents count as claims. */
export interface WalletExposure {
  /** Over open sessions: reward + gas estimate; a rejected session is open until its rejection is final. */
  openRaw: bigint
  /** Over settled approved jobs. */
  lifetimeSettledRaw: bigint
  settledJobs: number
  /** Claims of the last 24 hours. */
  rolling: readonly WindowEntry[]
}

/** Curated claims of all wallets in the last 24 hours. */
export interface CatalogueUse {
  totalRaw: bigint
  /** Oldest claim inside the window; null when there is none. */
  earliestClaimedAt: number | null
}

/** Exposure of a claim in base units: its reward, and the gas when the operator pays it. */
export const claimExposureRaw = (rewardRaw: bigint, brokered: boolean, limits: ExposureLimits): bigint =>
  rewardRaw + (brokered ? limits.gasEstimateRaw : 0n)

/** Caps that vested deposits raise, base units. A share of the reward bank (`bankShareRaw`) replaces a smaller cap on open work. */
export const vestedCapacity = (vestedRaw: bigint, limits: ExposureLimits, bankShareRaw: bigint) => {
  const unit = 10n ** BigInt(limits.asset.decimals)
  const root = isqrt(vestedRaw / unit)
  const openExposureRaiseRaw = root * limits.vestedOpenExposureUnitRaw
  const externalRewardCeilingRaiseRaw = (vestedRaw * EXTERNAL_CEILING_PER_VESTED_MILLI) / 1000n
  const nextConcurrentRaiseVestedRaw = (root + 1n) ** 2n * unit
  return {
    vestedRaw,
    openExposureRaiseRaw,
    /** What the cap on open work comes from. */
    openExposureSource:
      bankShareRaw > limits.openExposureCapRaw + openExposureRaiseRaw
        ? ('reward_bank_share' as const)
        : openExposureRaiseRaw > 0n
          ? ('base_and_vested_deposit' as const)
          : ('base' as const),
    openExposureCapRaw: maxRaw(limits.openExposureCapRaw + openExposureRaiseRaw, bankShareRaw),
    externalRewardCeilingRaiseRaw,
    externalRewardCeilingRaw: EXTERNAL_REWARD_CEILING_BASE_RAW + externalRewardCeilingRaiseRaw,
    /** Vested principal that raises the open-exposure cap next, and the missing amount. */
    nextConcurrentRaiseVestedRaw,
    nextConcurrentRaiseAmountRaw: nextConcurrentRaiseVestedRaw - vestedRaw,
  }
}
export type VestedCapacity = ReturnType<typeof vestedCapacity>

/**
 * Share of the reward bank's liquid balance that a wallet of the tier may have open, base units; 0 when the bank was not read
 * lately. Source: money, "Tier perks on capacity".
 */
export const bankShareRaw = (tier: LockTier, bank: Fact<RewardBankReading>): bigint => {
  const reading = knownValue(bank)
  return reading?.fresh === true ? bps(reading.liquidRaw, BANK_SHARE_BPS[tier]) : 0n
}

/** Why a valve refuses. */
export type ExposureRefusal =
  | 'worker_open_exposure_cap_reached'
  | 'worker_open_exposure_unavailable'
  | 'external_reward_exceeds_capital_ceiling'
  | 'lifetime_catalogue_credit_exhausted'
  | 'daily_exposure_budget_reached'
  | 'daily_exposure_budget_unavailable'
  | 'catalogue_daily_budget_exhausted'
  | 'catalogue_daily_budget_unavailable'

export interface Valve {
  /** As JSON: digits in base units, and decimal strings beside them. Stored with the session at its admission. */
  evidence: Exposure
  refusal: { code: ExposureRefusal; retryAfterSeconds?: number | undefined } | null
}

interface Measure {
  usedRaw: bigint
  candidateRaw: bigint
  limitRaw: bigint
  allowedReason: string
  refusedCode: ExposureRefusal
  limits: ExposureLimits
  retryAfterSeconds?: number | undefined
  extra?: Partial<Exposure>
}

/** Allowed when the used amount plus the candidate is within the limit. */
const measure = (m: Measure): Valve => {
  const allowed = m.usedRaw + m.candidateRaw <= m.limitRaw
  const wait = !allowed && m.retryAfterSeconds !== undefined ? { retryAfterSeconds: m.retryAfterSeconds } : {}
  const evidence: Exposure = {
    applies: true,
    allowed,
    reason: allowed ? m.allowedReason : m.refusedCode,
    asset: m.limits.asset.symbol,
    decimals: m.limits.asset.decimals,
    ...rawAndDisplay(
      {
        limit: m.limitRaw,
        used: m.usedRaw,
        candidate: m.candidateRaw,
        projected: m.usedRaw + m.candidateRaw,
        remaining: floorSubtract(m.limitRaw, m.usedRaw),
      },
      m.limits.asset.decimals,
    ),
    ...m.extra,
    ...wait,
  }
  return { evidence, refusal: allowed ? null : { code: m.refusedCode, ...wait } }
}

/** A valve that does not apply to this job. */
export const notApplicable = (reason: string): Valve => ({ evidence: { applies: false, allowed: true, reason }, refusal: null })

/** A valve with unreadable input, which refuses. */
export const unavailableValve = (code: ExposureRefusal): Valve => ({
  evidence: { applies: true, allowed: false, reason: code },
  refusal: { code },
})

/** Open exposure of the wallet against its cap (`workerExposure`). */
export const openExposureValve = (use: WalletExposure, candidateRaw: bigint, capacity: VestedCapacity, limits: ExposureLimits): Valve =>
  measure({
    usedRaw: use.openRaw,
    candidateRaw,
    limitRaw: capacity.openExposureCapRaw,
    allowedReason: 'worker_open_exposure_within_cap',
    refusedCode: 'worker_open_exposure_cap_reached',
    limits,
    extra: rawAndDisplay(
      { vested: capacity.vestedRaw, base: limits.openExposureCapRaw, raise: capacity.openExposureRaiseRaw },
      limits.asset.decimals,
    ),
  })

/** Reward of an external job against the wallet's capital ceiling (`workerExposure` of an external job). */
export const externalCeilingValve = (rewardRaw: bigint, capacity: VestedCapacity, limits: ExposureLimits): Valve =>
  measure({
    usedRaw: 0n,
    candidateRaw: rewardRaw,
    limitRaw: capacity.externalRewardCeilingRaw,
    allowedReason: 'external_reward_within_capital_ceiling',
    refusedCode: 'external_reward_exceeds_capital_ceiling',
    limits,
    extra: rawAndDisplay(
      { vested: capacity.vestedRaw, base: EXTERNAL_REWARD_CEILING_BASE_RAW, raise: capacity.externalRewardCeilingRaiseRaw },
      limits.asset.decimals,
    ),
  })

const secondsInWindow = (claimedAt: number | null, now: number): number | undefined =>
  claimedAt === null ? undefined : secondsUntil(plusSeconds(claimedAt, ROLLING_BUDGET_SECONDS), now)

const insideWindow = (entries: readonly WindowEntry[], now: number): WindowEntry[] =>
  entries.filter((entry) => plusSeconds(entry.claimedAt, ROLLING_BUDGET_SECONDS) > now)

/** Whether the wallet has enough settled jobs for the daily budget. */
export const hasGraduated = (use: WalletExposure, limits: ExposureLimits): boolean => use.settledJobs >= limits.graduationSettledJobs

/** Catalogue credit of a wallet that has not graduated (`catalogueAccess`): settled plus open work counts. */
export const lifetimeCreditValve = (use: WalletExposure, candidateRaw: bigint, limits: ExposureLimits): Valve => {
  const graduation = { settledJobs: use.settledJobs, graduationSettledJobs: limits.graduationSettledJobs }
  if (hasGraduated(use, limits)) {
    const graduated = notApplicable('graduated')
    return { ...graduated, evidence: { ...graduated.evidence, graduated: true, ...graduation } }
  }
  return measure({
    usedRaw: use.lifetimeSettledRaw + use.openRaw,
    candidateRaw,
    limitRaw: limits.lifetimeCatalogueCreditRaw,
    allowedReason: 'lifetime_catalogue_credit_available',
    refusedCode: 'lifetime_catalogue_credit_exhausted',
    limits,
    extra: { graduated: false, ...graduation },
  })
}

/** Rolling 24 hours of a graduated wallet (`dailyExposure`). */
export const dailyExposureValve = (use: WalletExposure, candidateRaw: bigint, limits: ExposureLimits, now: number): Valve => {
  const entries = insideWindow(use.rolling, now)
  const usedRaw = entries.reduce((sum, entry) => sum + entry.exposureRaw, 0n)
  const earliest = entries.length === 0 ? null : Math.min(...entries.map((entry) => entry.claimedAt))
  const graduated = hasGraduated(use, limits)
  const valve = measure({
    usedRaw,
    candidateRaw,
    limitRaw: limits.dailyExposureBudgetRaw,
    allowedReason: 'daily_exposure_within_budget',
    refusedCode: 'daily_exposure_budget_reached',
    limits,
    retryAfterSeconds: graduated ? secondsInWindow(earliest, now) : undefined,
    extra: { windowSeconds: ROLLING_BUDGET_SECONDS, active: graduated },
  })
  if (graduated) return valve
  return { evidence: { ...valve.evidence, applies: false, allowed: true, reason: 'daily_budget_starts_at_graduation' }, refusal: null }
}

/** The wallet's allowance (`dailyAllowance`): lifetime credit until graduation, the daily budget after it. */
export const allowanceValve = (use: WalletExposure, candidateRaw: bigint, limits: ExposureLimits, now: number): Valve =>
  hasGraduated(use, limits) ? dailyExposureValve(use, candidateRaw, limits, now) : lifetimeCreditValve(use, candidateRaw, limits)

/** Curated claims of all wallets against the operator's rolling budget (`catalogueDailyBudget`). */
export const catalogueBudgetValve = (use: CatalogueUse, candidateRaw: bigint, limits: ExposureLimits, now: number): Valve =>
  measure({
    usedRaw: use.totalRaw,
    candidateRaw,
    limitRaw: limits.catalogueGlobalDailyBudgetRaw,
    allowedReason: 'catalogue_daily_budget_within_budget',
    refusedCode: 'catalogue_daily_budget_exhausted',
    limits,
    retryAfterSeconds: secondsInWindow(use.earliestClaimedAt, now),
    extra: { windowSeconds: ROLLING_BUDGET_SECONDS },
  })

/** Terms of a claim that decide whether it uses the onboarding subsidy. */
type SubsidyCandidate = Pick<ClaimEconomics, 'waived' | 'brokered' | 'unwaived'>

/** Cost of a waived, brokered claim to the onboarding subsidy, base units; 0 for every other claim. */
export const subsidyCostRaw = (claim: SubsidyCandidate, limits: ExposureLimits): bigint =>
  claim.waived && claim.brokered ? claim.unwaived.claimStakeRaw + limits.gasEstimateRaw : 0n

/** `onboardingSubsidy` object of the UTC day of `now` (epoch ms); `allocatedRaw` is the sum of the day's reservations. */
export const onboardingSubsidy = (claim: SubsidyCandidate, allocatedRaw: bigint, limits: ExposureLimits, now: number) => {
  const applies = claim.waived && claim.brokered
  const estimatedRaw = subsidyCostRaw(claim, limits)
  const available = allocatedRaw + estimatedRaw <= limits.subsidyDailyBudgetRaw
  const shown = (raw: bigint) => assetAmount(raw, limits.asset)
  return {
    scope: 'tier-0-onboarding-subsidy',
    day: utcDay(now),
    clock: 'UTC',
    resetAt: iso(nextUtcDay(now)),
    dailyBudget: shown(limits.subsidyDailyBudgetRaw),
    allocated: shown(allocatedRaw),
    headroom: shown(floorSubtract(limits.subsidyDailyBudgetRaw, allocatedRaw)),
    source: 'reservations',
    applies,
    available,
    estimatedClaimSubsidy: shown(estimatedRaw),
    waivedClaimStake: shown(applies ? claim.unwaived.claimStakeRaw : 0n),
    brokeredGasEstimate: shown(limits.gasEstimateRaw),
  }
}
export type OnboardingSubsidy = ReturnType<typeof onboardingSubsidy>
