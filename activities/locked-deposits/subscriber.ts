import { BALANCE_MOVES } from '../../domain/chain/topics.ts'
import { balanceMoved } from '../../schemas/locked-deposits/process.ts'
import type { FollowedEvent, Subscriber } from '../chain/follower/subscriber.ts'
import { listActiveLocks } from './records.ts'
import { lockedDepositStart } from './start.ts'

/** Accounts whose balance an event may lower. */
const payersOf = ({ args }: FollowedEvent): string[] =>
  [args.account, args.from].flatMap((account) => (account == null ? [] : [String(account)]))

/** Wakes the active locks of the wallets whose balance an event may lower. */
export const lockSubscriber: Subscriber = {
  events: { accounts: BALANCE_MOVES },
  findWakes: async (events, { rows }) => {
    const locks = await listActiveLocks(rows, events.flatMap(payersOf))
    return events.flatMap((cause) =>
      locks
        .filter(({ wallet }) => payersOf(cause).includes(wallet))
        .map(({ id, wallet }) => ({
          cause,
          workflow: 'lockedDeposit',
          start: lockedDepositStart({ v: 1, id, consent: null }, wallet),
          signal: balanceMoved,
        })),
    )
  },
}
