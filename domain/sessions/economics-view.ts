import type { SessionEconomics } from '../../schemas/sessions/record.ts'
import { floorSubtract, rawAndDisplay } from '../common/money.ts'

/** Bond of a claim: stake and fee, which the escrow returns or slashes together. Zero where it was waived. */
export const bondRaw = ({ claimStakeRaw, claimFeeRaw }: Pick<SessionEconomics, 'claimStakeRaw' | 'claimFeeRaw'>): bigint =>
  claimStakeRaw + claimFeeRaw

/** What follows a rejection without a dispute, as the end of a sentence. */
export const describeFinalRejection = (isBonded: boolean): string =>
  isBonded ? 'the rejection becomes final and the bond is slashed' : 'the rejection becomes final'

/** `gasRetention` object of preflight, estimate, recommendations and session. */
export const gasRetentionView = (terms: SessionEconomics) => ({
  supported: terms.gasRetentionSupported,
  brokered: terms.brokered,
  waived: terms.waived,
  ...rawAndDisplay(
    { retained: terms.gasRetainedRaw, netReward: floorSubtract(terms.rewardRaw, terms.gasRetainedRaw) },
    terms.asset.decimals,
  ),
})

/** Money members of preflight and session: decimal strings in whole units, each with `…Raw` in base units. */
export const economicsView = (terms: SessionEconomics) => {
  const { claimStakeRaw: claimStake, claimFeeRaw: claimFee } = terms
  return {
    ...rawAndDisplay({ claimStake, claimFee, totalClaimLock: claimStake + claimFee }, terms.asset.decimals),
    claimStakeBps: terms.claimStakeBps,
    claimFeeBps: terms.claimFeeBps,
    claimNumber: terms.claimNumber,
    claimEconomicsWaived: terms.waived,
    claimFeeRetainedOnSuccess: terms.claimFeeRetainedOnSuccess,
    gasRetentionSupported: terms.gasRetentionSupported,
    gasRetention: gasRetentionView(terms),
  }
}
