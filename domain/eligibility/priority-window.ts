import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { EligibilitySettings } from '../../schemas/eligibility/settings.ts'
import type { LockTier } from '../../schemas/locked-deposits/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import { PRIORITY_WINDOW_MAX_SECONDS } from '../common/constants.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { rawAndDisplay } from '../common/money.ts'
import { tierRank } from '../locked-deposits/tiers.ts'

/** Settings of the head start of depositors and listed agents on larger curated jobs. */
export interface PriorityPolicy {
  enabled: boolean
  /** Clamped to the maximum. */
  windowSeconds: number
  asset: string
  minimumRewardRaw: bigint
  depositThresholdRaw: bigint
  /** Whether an active deposit lock qualifies a wallet and ranks it. */
  tierPerksEnabled: boolean
}

/** Policy of the settings, for jobs paid in the settlement asset. */
export const priorityPolicy = (
  settings: EligibilitySettings & Pick<Settings, 'NON_YIELD_TIER_PERKS_ENABLED'>,
  asset: string,
): PriorityPolicy => ({
  enabled: settings.DEPOSIT_CLAIM_PRIORITY_ENABLED,
  windowSeconds: Math.min(settings.PRIORITY_WINDOW_SECONDS, PRIORITY_WINDOW_MAX_SECONDS),
  asset,
  minimumRewardRaw: settings.PRIORITY_MIN_REWARD_RAW,
  depositThresholdRaw: settings.PRIORITY_DEPOSIT_THRESHOLD_RAW,
  tierPerksEnabled: settings.NON_YIELD_TIER_PERKS_ENABLED,
})

/** Decimals of the deposit threshold's asset. */
const POOL_DECIMALS = 6

/** Facts that can qualify a wallet. Without a configured credit pool the draw is a known 0. */
export interface PriorityFacts {
  directoryListed: Fact<boolean>
  capacity: Fact<{ vestedDepositRaw: bigint; lockTier: LockTier }>
  outstandingCreditRaw: Fact<bigint>
}

type PriorityStatus = 'not_windowed' | 'open_to_everyone' | 'priority_qualified' | 'priority_window_active'

/** End of the head start (epoch ms); null for a job without one, such as external jobs and waiver starters. */
export const priorityOpenAt = (job: JobRecord, policy: PriorityPolicy): number | null => {
  const windowed =
    policy.enabled &&
    job.postingRoute === 'curated' &&
    job.rewardAsset === policy.asset &&
    job.rewardRaw >= policy.minimumRewardRaw &&
    !job.definition.onboardingWaiverEligible
  return windowed ? plusSeconds(job.listedAt, Math.min(policy.windowSeconds, PRIORITY_WINDOW_MAX_SECONDS)) : null
}

const qualifiesWith = (policy: PriorityPolicy): string =>
  policy.tierPerksEnabled
    ? 'Until openAt: wallets with an active deposit lock or a vested pool deposit of at least the threshold, and no outstanding credit draw, or agents listed in the directory.'
    : 'Until openAt: wallets with a vested pool deposit of at least the threshold and no outstanding credit draw, or agents listed in the directory.'

/** `priorityWindow` of a job; undefined for a job without one. */
export const priorityWindowView = (job: JobRecord, policy: PriorityPolicy): { openAt: string; qualifiesWith: string } | undefined => {
  const openAt = priorityOpenAt(job, policy)
  return openAt === null ? undefined : { openAt: iso(openAt), qualifiesWith: qualifiesWith(policy) }
}

/** Whether deposits qualify the wallet; undefined while an unread fact can still decide. An unreadable fact never qualifies. */
const depositQualifies = (facts: PriorityFacts, policy: PriorityPolicy): boolean | undefined => {
  if (facts.capacity === 'unreadable' || facts.outstandingCreditRaw === 'unreadable') return false
  const creditRaw = knownValue(facts.outstandingCreditRaw)
  if ((creditRaw ?? 0n) > 0n) return false
  const capacity = knownValue(facts.capacity)
  if (capacity === undefined) return undefined
  const locked = policy.tierPerksEnabled && capacity.lockTier !== 'flex'
  if (capacity.vestedDepositRaw < policy.depositThresholdRaw && !locked) return false
  return creditRaw === undefined ? undefined : true
}

const qualification = (facts: PriorityFacts, policy: PriorityPolicy): boolean | undefined => {
  if (knownValue(facts.directoryListed) === true) return true
  const deposit = depositQualifies(facts, policy)
  if (deposit !== false) return deposit
  return facts.directoryListed === 'unknown' ? undefined : false
}

const evidenceOf = (facts: PriorityFacts, policy: PriorityPolicy) => {
  const capacity = knownValue(facts.capacity)
  const outstandingCredit = knownValue(facts.outstandingCreditRaw)
  const tier = capacity?.lockTier ?? 'flex'
  return {
    tier,
    lockTier: tier,
    priorityRank: tierRank(tier),
    ...(capacity === undefined
      ? { vestedDeposit: null, vestedDepositRaw: null }
      : rawAndDisplay({ vestedDeposit: capacity.vestedDepositRaw }, POOL_DECIMALS)),
    ...rawAndDisplay({ threshold: policy.depositThresholdRaw }, POOL_DECIMALS),
    vestingAvailable: capacity !== undefined,
    ...(outstandingCredit === undefined
      ? { outstandingCredit: null, outstandingCreditRaw: null }
      : rawAndDisplay({ outstandingCredit }, POOL_DECIMALS)),
    creditPositionAvailable: outstandingCredit !== undefined,
    noOutstandingCreditDraw: outstandingCredit === 0n,
    depositQualified: depositQualifies(facts, policy) === true,
    directoryListed: knownValue(facts.directoryListed) ?? false,
  }
}

export interface PriorityDecision {
  status: PriorityStatus
  /** Epoch ms; null for a job without a window. */
  openAt: number | null
  /** True when this wallet has to wait; never true while an unread fact can still qualify it. */
  blocked: boolean
  /** `priorityQualification` as served. */
  view: { status: PriorityStatus; qualifies: boolean } & ReturnType<typeof evidenceOf>
}

/** Priority status of a wallet for a job at `now` (epoch ms). */
export const priorityDecision = (job: JobRecord, facts: PriorityFacts, policy: PriorityPolicy, now: number): PriorityDecision => {
  const openAt = priorityOpenAt(job, policy)
  const qualifies = qualification(facts, policy)
  const decided = (status: PriorityStatus): PriorityDecision => ({
    status,
    openAt,
    blocked: status === 'priority_window_active' && qualifies === false,
    view: { status, ...evidenceOf(facts, policy), qualifies: qualifies === true },
  })
  if (openAt === null) return decided('not_windowed')
  if (now >= openAt) return decided('open_to_everyone')
  return decided(qualifies === true ? 'priority_qualified' : 'priority_window_active')
}
