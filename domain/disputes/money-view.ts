import { type EscrowBalance, escrowTotalRaw, type MoneySplit } from './payout.ts'

/** Wire form of a split in a preview: digits in base units. */
export const moneyView = (balance: EscrowBalance, split: MoneySplit) => ({
  worker: { payoutRaw: split.workerPayoutRaw.toString(), bondReturnedRaw: split.bondReturnedRaw.toString() },
  poster: { refundRaw: split.posterRefundRaw.toString(), slashRaw: split.posterSlashRaw.toString() },
  treasury: { feeRaw: split.treasuryFeeRaw.toString(), slashRaw: split.treasurySlashRaw.toString() },
  verifier: { feeShareRaw: split.verifierRaw.toString() },
  heldRaw: escrowTotalRaw(balance).toString(),
})
