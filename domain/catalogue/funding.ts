import type { FundingState } from '../../schemas/catalogue/claim-status.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { bps, maxRaw } from '../common/money.ts'

/** Stored reading of the account that pays curated rewards. */
export interface RewardBankReading {
  /** False when the reading is older than the configured age. */
  fresh: boolean
  asset: string
  liquidRaw: bigint
}

/** Whether a reading is recent enough to prove funding. */
export const isFreshReading = (ageSeconds: number, maxAgeSeconds: number): boolean => ageSeconds <= maxAgeSeconds

/** Poster fee that the creation of a curated job reserves besides its reward, in base units. */
export interface FundingTerms {
  posterFeeBps: number
  posterFeeFloorRaw: bigint
}

export interface FundingDecision {
  fundingState: FundingState | null
  /** Why missing funding blocks a claim; null when it does not. */
  blocking: 'reward_funding_pending' | 'reward_funding_unverified' | null
}

const FUNDED: FundingDecision = { fundingState: 'funded', blocking: null }
const UNKNOWN: FundingDecision = { fundingState: null, blocking: null }
const UNVERIFIED: FundingDecision = { fundingState: 'unverified', blocking: 'reward_funding_unverified' }
const PENDING: FundingDecision = { fundingState: 'pending', blocking: 'reward_funding_pending' }
const AVAILABLE: FundingDecision = { fundingState: 'available', blocking: null }

/** Balance that the reward bank needs to create a job at its first claim, base units. Waiver-eligible jobs have no poster fee. */
export const requiredFundingRaw = (rewardRaw: bigint, terms: FundingTerms, posterFeeWaived: boolean): bigint => {
  const posterFeeRaw = posterFeeWaived ? 0n : maxRaw(bps(rewardRaw, terms.posterFeeBps), terms.posterFeeFloorRaw)
  return rewardRaw + posterFeeRaw
}

const curatedFunding = (job: JobRecord, bank: RewardBankReading, terms: FundingTerms): FundingDecision => {
  if (!bank.fresh || bank.asset !== job.rewardAsset) return UNVERIFIED
  return bank.liquidRaw >= requiredFundingRaw(job.rewardRaw, terms, job.definition.onboardingWaiverEligible) ? AVAILABLE : PENDING
}

/** Funding of a job's reward: external jobs are funded before their listing, curated jobs by the reward bank at their first claim. */
export const fundingOf = (job: JobRecord, bank: Fact<RewardBankReading>, terms: FundingTerms): FundingDecision => {
  if (job.postingRoute === 'external-direct') return FUNDED
  if (bank === 'unreadable') return UNVERIFIED
  const reading = knownValue(bank)
  return reading === undefined ? UNKNOWN : curatedFunding(job, reading, terms)
}
