import type { SessionEconomics } from '../../schemas/sessions/record.ts'
import { floorSubtract, toDisplay } from '../common/money.ts'

/** `gasRetention` object of preflight, estimate, recommendations and session. */
export const gasRetentionView = (terms: SessionEconomics) => ({
  supported: terms.gasRetentionSupported,
  brokered: terms.brokered,
  waived: terms.waived,
  retainedRaw: terms.gasRetainedRaw.toString(),
  retained: toDisplay(terms.gasRetainedRaw, terms.asset.decimals),
  netReward: toDisplay(floorSubtract(terms.rewardRaw, terms.gasRetainedRaw), terms.asset.decimals),
})

/** Money members of preflight and session: decimal strings in whole units, each with `…Raw` in base units. */
export const economicsView = (terms: SessionEconomics) => {
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
