import type { ChainRecorder } from '../chain/follower/recorder.ts'
import { findBorrowers } from '../pool/loans.ts'

/** A repayment and the end of a loan concern its borrower, whom they do not name. */
export const loanRecorder: ChainRecorder = {
  findConcerns: async (rows, events, chainId) => {
    const borrowers = await findBorrowers(rows, chainId, events)
    return new Map(
      events.flatMap((event) => {
        const wallet = borrowers.get(String(event.args.loanId))
        return wallet === undefined ? [] : [[event, { wallet }] as const]
      }),
    )
  },
}
