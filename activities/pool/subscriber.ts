import { depositsMoved } from '../../schemas/pool/process.ts'
import type { Subscriber } from '../chain/follower/subscriber.ts'
import { findBorrowers } from './loans.ts'
import { vestingStart } from './start.ts'

/** Wakes the vesting of the wallet that deposited, withdrew, or whose loan began or ended. */
export const vestingSubscriber: Subscriber = {
  events: { pool: ['Deposit', 'Withdraw'], credit: ['LoanOriginated', 'LoanClosed'] },
  findWakes: async (events, { rows, chainId }) => {
    const borrowers = await findBorrowers(rows, chainId, events)
    return events.flatMap((cause) => {
      const { contract, args } = cause
      const wallet = contract === 'pool' ? args.owner : (args.borrower ?? borrowers.get(String(args.loanId)))
      if (wallet == null) return []
      return [{ cause, workflow: 'principalVesting', start: vestingStart({ v: 1, wallet: String(wallet) }), signal: depositsMoved }]
    })
  },
}
