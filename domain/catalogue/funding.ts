import type { FundingState } from '../../schemas/catalogue/claim-status.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { bps, maxRaw } from '../common/money.ts'

/** Cached reading of the account that pays curated rewards; a database fact. */
export interface RewardBankReading {
  /** False when the last reading failed. */
  readable: boolean
  /** False when the reading is older than the configured age. */
  fresh: boolean
  asset: string
  liquidRaw: bigint
}

/** Whether a reading of that age still proves anything. */
export const isFreshReading = (ageSeconds: number, maxAgeSeconds: number): boolean => ageSeconds <= maxAgeSeconds

/** What creating a curated job reserves beside its reward, in base units. */
export interface FundingTerms {
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  posterFeeBps: number
  posterFeeFloorRaw: bigint
}

export interface FundingDecision {
  fundingState: FundingState | null
  /** Why the job cannot be claimed for lack of proved money; null when funding does not stand in the way. */
  blocking: 'reward_funding_pending' | 'reward_funding_unverified' | null
}

const FUNDED: FundingDecision = { fundingState: 'funded', blocking: null }
const NOT_ASKED: FundingDecision = { fundingState: null, blocking: null }
const UNVERIFIED: FundingDecision = { fundingState: 'unverified', blocking: 'reward_funding_unverified' }
const PENDING: FundingDecision = { fundingState: 'pending', blocking: 'reward_funding_pending' }
const AVAILABLE: FundingDecision = { fundingState: 'available', blocking: null }

/** What the bank must hold for the lazy creation of a job; waiver-eligible jobs are created without the poster fee. */
export const requiredFundingRaw = (rewardRaw: bigint, terms: FundingTerms, posterFeeWaived: boolean): bigint => {
  const posterFeeRaw = posterFeeWaived ? 0n : maxRaw(bps(rewardRaw, terms.posterFeeBps), terms.posterFeeFloorRaw)
  return rewardRaw + terms.opsReserveRaw + terms.contingencyReserveRaw + posterFeeRaw
}

const curatedFunding = (job: JobRecord, bank: RewardBankReading, terms: FundingTerms): FundingDecision => {
  if (!bank.readable || !bank.fresh || bank.asset !== job.rewardAsset) return UNVERIFIED
  return bank.liquidRaw >= requiredFundingRaw(job.rewardRaw, terms, job.definition.onboardingWaiverEligible) ? AVAILABLE : PENDING
}

/** Where the reward of a job stands: an external job is funded before it is listed, a curated one out of the reward bank at its first claim. */
export const fundingOf = (job: JobRecord, bank: Fact<RewardBankReading>, terms: FundingTerms): FundingDecision => {
  if (job.postingRoute === 'external-direct') return FUNDED
  if (bank === 'unreadable') return UNVERIFIED
  const reading = knownValue(bank)
  return reading === undefined ? NOT_ASKED : curatedFunding(job, reading, terms)
}
