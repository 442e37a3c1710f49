import { toDisplay } from '../../common/money.ts'
import { gasRetentionView } from '../../sessions/economics-view.ts'
import { type ClaimEconomics, termsOf } from '../claim-economics.ts'

/** Body of the reward estimates: payment and refund of an approval, and loss of a final rejection. */
export const estimateView = (jobId: string, wallet: string, economics: ClaimEconomics) => {
  const { symbol, decimals } = economics.asset
  const display = (raw: bigint) => toDisplay(raw, decimals)
  const feeReturnedRaw = economics.claimFeeRetainedOnSuccess ? 0n : economics.feeRaw
  return {
    jobId,
    wallet,
    asset: symbol,
    decimals,
    grossReward: display(economics.rewardRaw),
    grossRewardRaw: economics.rewardRaw.toString(),
    netReward: display(economics.netRewardRaw),
    netRewardRaw: economics.netRewardRaw.toString(),
    gasRetention: gasRetentionView(termsOf(economics)),
    stakeReturned: display(economics.stakeRaw),
    stakeReturnedRaw: economics.stakeRaw.toString(),
    feeReturned: display(feeReturnedRaw),
    feeReturnedRaw: feeReturnedRaw.toString(),
    waived: economics.waived,
    onRejection: { lostRaw: economics.lockRaw.toString(), lost: display(economics.lockRaw) },
  }
}
