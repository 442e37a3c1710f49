import type { SessionEconomics } from '../../schemas/sessions/record.ts'
import { MAX_RETENTION_CAP_BPS, MAX_RETENTION_FLAT_RAW } from '../common/constants.ts'
import { bps, floorSubtract, maxRaw, minRaw } from '../common/money.ts'

/** Live parameters of a claim bond. Source: specification, "Worker claim bond policy". */
export interface BondPolicy {
  stakeBps: number
  feeBps: number
  minFeeRaw: bigint
}

/** Bond of one claim in base units; all zero when waived. */
export interface ClaimBond extends Pick<SessionEconomics, 'claimStakeRaw' | 'claimStakeBps' | 'claimFeeRaw' | 'claimFeeBps'> {
  /** stake + fee, locked from the worker's liquid balance. */
  lockRaw: bigint
}

export const WAIVED_BOND: ClaimBond = { claimStakeRaw: 0n, claimStakeBps: 0, claimFeeRaw: 0n, claimFeeBps: 0, lockRaw: 0n }

/** Bond of a claim in base units. Source: specification, "Worker claim bond policy". */
export const claimBond = (rewardRaw: bigint, { stakeBps, feeBps, minFeeRaw }: BondPolicy, waived: boolean): ClaimBond => {
  if (waived) return WAIVED_BOND
  const claimStakeRaw = bps(rewardRaw, stakeBps)
  const claimFeeRaw = maxRaw(bps(rewardRaw, feeBps), minFeeRaw)
  return { claimStakeRaw, claimStakeBps: stakeBps, claimFeeRaw, claimFeeBps: feeBps, lockRaw: claimStakeRaw + claimFeeRaw }
}

/** Gas retention schedule of an escrow. */
export interface RetentionSchedule {
  /** False for escrow generations without retention. */
  gasRetentionSupported: boolean
  retentionFlatRaw: bigint
  retentionCapBps: number
}

/** Part of an approved reward that the escrow keeps for brokered gas, in base units. */
export const gasRetainedRaw = (rewardRaw: bigint, schedule: RetentionSchedule, brokered: boolean, waived: boolean): bigint => {
  if (!schedule.gasRetentionSupported || !brokered || waived) return 0n
  const flatRaw = minRaw(schedule.retentionFlatRaw, MAX_RETENTION_FLAT_RAW)
  return minRaw(flatRaw, bps(rewardRaw, Math.min(schedule.retentionCapBps, MAX_RETENTION_CAP_BPS)))
}

/** Facts of one wallet and one job for the economics of its next claim. Amounts in base units of `asset`. */
export interface EconomicsFacts extends Pick<SessionEconomics, 'asset' | 'rewardRaw' | 'brokered'> {
  /** Waiver flag of the job definition, which the claim writes on chain. */
  waiverEligible: boolean
  policy: BondPolicy & RetentionSchedule & Pick<SessionEconomics, 'claimFeeRetainedOnSuccess'> & { waiverClaims: number }
  /** `workerClaimCount(wallet)` of the policy's escrow. */
  claimCount: number
  /** Job in the escrow at the block of the facts, with the answer of `previewClaimEconomics`; null before a curated job's first claim. */
  onChain: { preview: Omit<ClaimBond, 'lockRaw'> & Pick<SessionEconomics, 'waived' | 'claimNumber'>; waiverEligible: boolean } | null
}

/** Economics of a wallet's next claim of a job, in base units. */
export interface ClaimEconomics extends SessionEconomics, ClaimBond {
  netRewardRaw: bigint
  /** What the claim costs without a waiver; the onboarding subsidy bears the stake. */
  unwaived: ClaimBond & Pick<SessionEconomics, 'gasRetainedRaw'>
  waiverClaimsPerWallet: number
  source: 'contract_preview' | 'contract_preview_adjusted_for_sync' | 'current_local_before_ensure'
}

type Decision = ClaimBond & Pick<ClaimEconomics, 'waived' | 'claimNumber' | 'source'>

const fromPolicy = ({ rewardRaw, waiverEligible, claimCount, policy }: EconomicsFacts, source: Decision['source']): Decision => {
  const claimNumber = claimCount + 1
  const waived = waiverEligible && claimNumber <= policy.waiverClaims
  return { ...claimBond(rewardRaw, policy, waived), waived, claimNumber, source }
}

const decide = (facts: EconomicsFacts): Decision => {
  if (facts.onChain === null) return fromPolicy(facts, 'current_local_before_ensure')
  const { preview, waiverEligible } = facts.onChain
  if (waiverEligible !== facts.waiverEligible) return fromPolicy(facts, 'contract_preview_adjusted_for_sync')
  return { ...preview, lockRaw: preview.claimStakeRaw + preview.claimFeeRaw, source: 'contract_preview' }
}

/** Costs and reward of a wallet's next claim, for preflight, explain, estimate, recommendations and claim. */
export const previewEconomics = (facts: EconomicsFacts): ClaimEconomics => {
  const { asset, rewardRaw, brokered, policy } = facts
  const decision = decide(facts)
  const retainedRaw = gasRetainedRaw(rewardRaw, policy, brokered, decision.waived)
  const { claimStakeRaw, claimStakeBps, claimFeeRaw, claimFeeBps, lockRaw } = decision.waived
    ? claimBond(rewardRaw, policy, false)
    : decision
  return {
    ...decision,
    asset,
    rewardRaw,
    brokered,
    claimFeeRetainedOnSuccess: policy.claimFeeRetainedOnSuccess,
    gasRetentionSupported: policy.gasRetentionSupported,
    gasRetainedRaw: retainedRaw,
    netRewardRaw: floorSubtract(rewardRaw, retainedRaw),
    unwaived: {
      claimStakeRaw,
      claimStakeBps,
      claimFeeRaw,
      claimFeeBps,
      lockRaw,
      gasRetainedRaw: gasRetainedRaw(rewardRaw, policy, brokered, false),
    },
    waiverClaimsPerWallet: policy.waiverClaims,
  }
}

/** Deposit that a wallet needs before it can lock the bond, base units. */
export const depositNeededRaw = (lockRaw: bigint, spendableRaw: bigint): bigint => floorSubtract(lockRaw, spendableRaw)

/** Wire form of the claim bond policy. */
export const bondPolicyView = (asset: string, policy: BondPolicy) => ({
  asset,
  stakeBps: policy.stakeBps,
  feeBps: policy.feeBps,
  minFeeRaw: policy.minFeeRaw.toString(),
  semantics:
    'stake = floor(reward * stakeBps / 10000); fee = max(floor(reward * feeBps / 10000), minFeeRaw); totalClaimLock = stake + fee, locked from the liquid balance at claim and returned in full on successful resolution.',
})
