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
export interface ClaimBond {
  stakeRaw: bigint
  stakeBps: number
  feeRaw: bigint
  feeBps: number
  /** stake + fee, locked from the worker's liquid balance. */
  lockRaw: bigint
}

const WAIVED_BOND: ClaimBond = { stakeRaw: 0n, stakeBps: 0, feeRaw: 0n, feeBps: 0, lockRaw: 0n }

/** Bond of a claim in base units. Source: specification, "Worker claim bond policy". */
export const claimBond = (rewardRaw: bigint, policy: BondPolicy, waived: boolean): ClaimBond => {
  if (waived) return WAIVED_BOND
  const stakeRaw = bps(rewardRaw, policy.stakeBps)
  const feeRaw = maxRaw(bps(rewardRaw, policy.feeBps), policy.minFeeRaw)
  return { stakeRaw, stakeBps: policy.stakeBps, feeRaw, feeBps: policy.feeBps, lockRaw: stakeRaw + feeRaw }
}

/** Gas retention schedule of an escrow; `supported` is false for generations without it. */
export interface RetentionSchedule {
  supported: boolean
  flatRaw: bigint
  capBps: number
}

/** Part of an approved reward that the escrow keeps for brokered gas, in base units. */
export const gasRetainedRaw = (rewardRaw: bigint, schedule: RetentionSchedule, brokered: boolean, waived: boolean): bigint => {
  if (!schedule.supported || !brokered || waived) return 0n
  const flatRaw = minRaw(schedule.flatRaw, MAX_RETENTION_FLAT_RAW)
  return minRaw(flatRaw, bps(rewardRaw, Math.min(schedule.capBps, MAX_RETENTION_CAP_BPS)))
}

/** Answer of the escrow's `previewClaimEconomics(worker, jobId)`. */
export interface ContractPreview {
  claimStakeRaw: bigint
  claimStakeBps: number
  claimFeeRaw: bigint
  claimFeeBps: number
  waived: boolean
  claimNumber: number
}

/** Economics of the job on chain, read at one block. */
export type ChainEconomics =
  | { kind: 'preview'; preview: ContractPreview; waiverEligibleOnChain: boolean }
  /** The escrow has no such job yet; a curated job is created at its first claim. */
  | { kind: 'absent' }
  /** The job lives in an escrow generation without preview or waiver flag. */
  | { kind: 'legacy' }

/** Facts of one wallet and one job for the economics of its next claim. Amounts in base units of `asset`. */
export interface EconomicsFacts {
  asset: { symbol: string; decimals: number }
  rewardRaw: bigint
  /** Waiver flag of the job definition, which the claim writes on chain. */
  waiverEligible: boolean
  /** True when the operator pays the gas of the claim. */
  brokered: boolean
  policy: BondPolicy & { waiverClaimCount: number }
  /** `workerClaimCount(wallet)` of the policy's escrow. */
  claimCount: number
  retention: RetentionSchedule
  /** `retainsClaimFeeOnSuccess()`. */
  claimFeeRetainedOnSuccess: boolean
  chain: ChainEconomics
}

export type ClaimEconomicsSource =
  | 'contract_preview'
  | 'contract_preview_adjusted_for_sync'
  | 'current_local_before_ensure'
  | 'legacy_local'

/** Economics of a wallet's next claim of a job, in base units. */
export interface ClaimEconomics extends ClaimBond {
  asset: { symbol: string; decimals: number }
  rewardRaw: bigint
  waived: boolean
  claimNumber: number
  brokered: boolean
  claimFeeRetainedOnSuccess: boolean
  gasRetentionSupported: boolean
  gasRetainedRaw: bigint
  netRewardRaw: bigint
  /** Stake without a waiver; the onboarding subsidy bears this value. */
  unwaivedStakeRaw: bigint
  waiverClaimsPerWallet: number
  source: ClaimEconomicsSource
}

type Decision = ClaimBond & { waived: boolean; claimNumber: number; source: ClaimEconomicsSource }

const fromPolicy = (facts: EconomicsFacts, waiverEligible: boolean, source: ClaimEconomicsSource): Decision => {
  const claimNumber = facts.claimCount + 1
  const waived = waiverEligible && claimNumber <= facts.policy.waiverClaimCount
  return { ...claimBond(facts.rewardRaw, facts.policy, waived), waived, claimNumber, source }
}

const fromPreview = ({ claimStakeRaw, claimStakeBps, claimFeeRaw, claimFeeBps, waived, claimNumber }: ContractPreview): Decision => ({
  stakeRaw: claimStakeRaw,
  stakeBps: claimStakeBps,
  feeRaw: claimFeeRaw,
  feeBps: claimFeeBps,
  lockRaw: claimStakeRaw + claimFeeRaw,
  waived,
  claimNumber,
  source: 'contract_preview',
})

const decide = (facts: EconomicsFacts): Decision => {
  switch (facts.chain.kind) {
    case 'legacy':
      return fromPolicy(facts, false, 'legacy_local')
    case 'absent':
      return fromPolicy(facts, facts.waiverEligible, 'current_local_before_ensure')
    case 'preview':
      return facts.chain.waiverEligibleOnChain === facts.waiverEligible
        ? fromPreview(facts.chain.preview)
        : fromPolicy(facts, facts.waiverEligible, 'contract_preview_adjusted_for_sync')
  }
}

/** Costs and reward of a wallet's next claim, for preflight, explain, estimate, recommendations and claim. */
export const previewEconomics = (facts: EconomicsFacts): ClaimEconomics => {
  const decision = decide(facts)
  const retainedRaw = gasRetainedRaw(facts.rewardRaw, facts.retention, facts.brokered, decision.waived)
  return {
    ...decision,
    asset: facts.asset,
    rewardRaw: facts.rewardRaw,
    brokered: facts.brokered,
    claimFeeRetainedOnSuccess: facts.claimFeeRetainedOnSuccess,
    gasRetentionSupported: facts.retention.supported,
    gasRetainedRaw: retainedRaw,
    netRewardRaw: floorSubtract(facts.rewardRaw, retainedRaw),
    unwaivedStakeRaw: bps(facts.rewardRaw, facts.policy.stakeBps),
    waiverClaimsPerWallet: facts.policy.waiverClaimCount,
  }
}

/** Deposit that a wallet needs before it can lock the bond, base units. */
export const depositNeededRaw = (lockRaw: bigint, spendableRaw: bigint): bigint => floorSubtract(lockRaw, spendableRaw)

/** Economics of a preview in the form of a session record. */
export const termsOf = (economics: ClaimEconomics): SessionEconomics => ({
  asset: economics.asset,
  rewardRaw: economics.rewardRaw,
  claimStakeRaw: economics.stakeRaw,
  claimStakeBps: economics.stakeBps,
  claimFeeRaw: economics.feeRaw,
  claimFeeBps: economics.feeBps,
  claimNumber: economics.claimNumber,
  waived: economics.waived,
  brokered: economics.brokered,
  claimFeeRetainedOnSuccess: economics.claimFeeRetainedOnSuccess,
  gasRetentionSupported: economics.gasRetentionSupported,
  gasRetainedRaw: economics.gasRetainedRaw,
})

/** Wire form of the claim bond policy. */
export const bondPolicyView = (asset: string, policy: BondPolicy) => ({
  asset,
  stakeBps: policy.stakeBps,
  feeBps: policy.feeBps,
  minFeeRaw: policy.minFeeRaw.toString(),
  semantics:
    'stake = floor(reward * stakeBps / 10000); fee = max(floor(reward * feeBps / 10000), minFeeRaw); totalClaimLock = stake + fee, locked from the liquid balance at claim and returned in full on successful resolution.',
})
