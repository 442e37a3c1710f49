/** Members of the settlement clock. */
export const SETTLEMENT_MEMBERS = {
  escrows: 'Escrow contracts whose events count.',
  excludedWallets: 'Wallets of the operator, whose work is left out.',
  submissions: 'Number of submissions.',
  submittedToVerdict: 'From the submission to its first verdict.',
  verdictToPaid: 'From the first verdict to the first payment.',
  submittedToPaid: 'From the submission to its first payment.',
  medianSeconds: 'Seconds that half of them took at most.',
  p90Seconds: 'Seconds that nine of ten took at most.',
  maxSeconds: 'Seconds that the slowest took.',
  unpaid: 'Submissions that wait.',
  oldest: 'The one that waits longest; null if none waits.',
  waitingSeconds: 'Seconds since its submission.',
} as const
