import { knownValue } from '../../common/fact.ts'
import { rawAndDisplay } from '../../common/money.ts'
import { economicsView } from '../../sessions/economics-view.ts'
import type { Assessment } from '../assessment.ts'
import { depositNeededRaw } from '../claim-economics.ts'

const NO_TERMS = {
  claimStake: null,
  claimStakeRaw: null,
  claimStakeBps: null,
  claimFee: null,
  claimFeeRaw: null,
  claimFeeBps: null,
  totalClaimLock: null,
  totalClaimLockRaw: null,
  claimNumber: null,
  claimEconomicsWaived: null,
  claimFeeRetainedOnSuccess: null,
  gasRetentionSupported: null,
  gasRetention: null,
  netReward: null,
  netRewardRaw: null,
  claimEconomicsSource: null,
  waiverClaimsPerWallet: null,
  waiverSlotsRemaining: null,
}

/** Costs and reward of the claim; every value is null where the chain could not be read. */
const termsView = ({ facts }: Assessment) => {
  const economics = knownValue(facts.economics)
  if (economics === undefined) return { ...NO_TERMS, claimFundingAsset: facts.job.rewardAsset }
  return {
    ...economicsView(economics),
    ...rawAndDisplay({ netReward: economics.netRewardRaw }, economics.asset.decimals),
    claimEconomicsSource: economics.source,
    claimFundingAsset: economics.asset.symbol,
    waiverClaimsPerWallet: economics.waiverClaimsPerWallet,
    waiverSlotsRemaining: Math.max(economics.waiverClaimsPerWallet - (economics.claimNumber - 1), 0),
  }
}

const availableView = ({ facts, policy }: Assessment) => {
  const liquidity = knownValue(facts.liquidity)
  if (liquidity === undefined) return { availableLiquidity: null, availableLiquidityRaw: null }
  return rawAndDisplay({ availableLiquidity: liquidity.spendableRaw }, policy.limits.asset.decimals)
}

const sufficiencyView = ({ facts }: Assessment) => {
  const economics = knownValue(facts.economics)
  const liquidity = knownValue(facts.liquidity)
  if (economics === undefined || liquidity === undefined) {
    return { claimFundingSufficient: null, claimFundingShortfall: null, claimFundingShortfallRaw: null, strategyUnwindNeeded: false }
  }
  const shortfallRaw = depositNeededRaw(economics.lockRaw, liquidity.spendableRaw)
  return {
    claimFundingSufficient: shortfallRaw === 0n,
    ...rawAndDisplay({ claimFundingShortfall: shortfallRaw }, economics.asset.decimals),
    strategyUnwindNeeded: shortfallRaw > 0n && liquidity.strategyAllocatedRaw > 0n,
  }
}

/** Money members of a preflight: decimal strings in whole units, each with `…Raw` in base units. */
export const claimMoneyView = (assessment: Assessment) => ({
  ...termsView(assessment),
  ...availableView(assessment),
  ...sufficiencyView(assessment),
  claimEconomicsWaiverScope: 'next_claim_projection',
  onboardingSubsidy: assessment.subsidy,
})
