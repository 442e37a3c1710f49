import { floorSubtract, toDisplay } from '../common/money.ts'

/** Claim economics of a preflight or a session, in base units. */
export interface EconomicsTerms {
  asset: { symbol: string; decimals: number }
  rewardRaw: bigint
  claimStakeRaw: bigint
  claimStakeBps: number
  claimFeeRaw: bigint
  claimFeeBps: number
  claimNumber: number
  waived: boolean
  brokered: boolean
  claimFeeRetainedOnSuccess: boolean
  gasRetentionSupported: boolean
  gasRetainedRaw: bigint
}

/** `gasRetention` object of preflight, estimate, recommendations and session. */
export const gasRetentionView = (terms: EconomicsTerms) => ({
  supported: terms.gasRetentionSupported,
  brokered: terms.brokered,
  waived: terms.waived,
  retainedRaw: terms.gasRetainedRaw.toString(),
  retained: toDisplay(terms.gasRetainedRaw, terms.asset.decimals),
  netReward: toDisplay(floorSubtract(terms.rewardRaw, terms.gasRetainedRaw), terms.asset.decimals),
})

/** Money members of preflight and session: decimal strings in whole units, each with `…Raw` in base units. */
export const economicsView = (terms: EconomicsTerms) => {
  const display = (raw: bigint) => toDisplay(raw, terms.asset.decimals)
  const lockRaw = terms.claimStakeRaw + terms.claimFeeRaw
  return {
    claimStake: display(terms.claimStakeRaw),
    claimStakeRaw: terms.claimStakeRaw.toString(),
    claimStakeBps: terms.claimStakeBps,
    claimFee: display(terms.claimFeeRaw),
    claimFeeRaw: terms.claimFeeRaw.toString(),
    claimFeeBps: terms.claimFeeBps,
    totalClaimLock: display(lockRaw),
    totalClaimLockRaw: lockRaw.toString(),
    claimNumber: terms.claimNumber,
    claimEconomicsWaived: terms.waived,
    claimFeeRetainedOnSuccess: terms.claimFeeRetainedOnSuccess,
    gasRetentionSupported: terms.gasRetentionSupported,
    gasRetention: gasRetentionView(terms),
  }
}
