import { rawAndDisplay } from '../../common/money.ts'
import { gasRetentionView } from '../../sessions/economics-view.ts'
import type { ClaimEconomics } from '../claim-economics.ts'

/** Body of the reward estimates: payment and refund of an approval, and loss of a final rejection. */
export const estimateView = (jobId: string, wallet: string, economics: ClaimEconomics) => {
  const { symbol, decimals } = economics.asset
  const amounts = {
    grossReward: economics.rewardRaw,
    netReward: economics.netRewardRaw,
    stakeReturned: economics.claimStakeRaw,
    feeReturned: economics.claimFeeRetainedOnSuccess ? 0n : economics.claimFeeRaw,
  }
  return {
    jobId,
    wallet,
    asset: symbol,
    decimals,
    ...rawAndDisplay(amounts, decimals),
    gasRetention: gasRetentionView(economics),
    waived: economics.waived,
    onRejection: rawAndDisplay({ lost: economics.lockRaw }, decimals),
  }
}
