import { type EscrowBalance, heldRaw, type MoneySplit } from './payout.ts'

/** A split as a preview shows it: digits in base units. */
export const moneyView = (purse: EscrowBalance, split: MoneySplit) => ({
  worker: { payoutRaw: split.workerPayoutRaw.toString(), bondReturnedRaw: split.bondReturnedRaw.toString() },
  poster: { refundRaw: split.posterRefundRaw.toString(), slashRaw: split.posterSlashRaw.toString() },
  treasury: { feeRaw: split.treasuryFeeRaw.toString(), slashRaw: split.treasurySlashRaw.toString() },
  verifier: { feeShareRaw: split.verifierRaw.toString() },
  heldRaw: heldRaw(purse).toString(),
})
