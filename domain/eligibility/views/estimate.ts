import { toDisplay } from '../../common/money.ts'
import { gasRetentionView } from '../../sessions/economics-view.ts'
import type { ClaimEconomics } from '../claim-economics.ts'

/** Body of the reward estimates: payment and refund of an approval, and loss of a final rejection. */
export const estimateView = (jobId: string, wallet: string, economics: ClaimEconomics) => {
  const { symbol, decimals } = economics.asset
  const display = (raw: bigint) => toDisplay(raw, decimals)
  const feeReturnedRaw = economics.claimFeeRetainedOnSuccess ? 0n : economics.claimFeeRaw
  return {
    jobId,
    wallet,
    asset: symbol,
    decimals,
    grossReward: display(economics.rewardRaw),
    grossRewardRaw: economics.rewardRaw.toString(),
    netReward: display(economics.netRewardRaw),
    netRewardRaw: economics.netRewardRaw.toString(),
    gasRetention: gasRetentionView(economics),
    stakeReturned: display(economics.claimStakeRaw),
    stakeReturnedRaw: economics.claimStakeRaw.toString(),
    feeReturned: display(feeReturnedRaw),
    feeReturnedRaw: feeReturnedRaw.toString(),
    waived: economics.waived,
    onRejection: { lostRaw: economics.lockRaw.toString(), lost: display(economics.lockRaw) },
  }
}
