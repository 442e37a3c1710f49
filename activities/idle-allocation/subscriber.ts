import { BALANCE_MOVES } from '../../domain/chain/topics.ts'
import { idleBalanceMoved } from '../../schemas/idle-allocation/process.ts'
import type { FollowedEvent, Subscriber } from '../chain/follower/subscriber.ts'
import { listConsenting } from './records.ts'
import { idleAllocationStart } from './start.ts'

/** Accounts whose balance an event changes. */
const accountsOf = ({ args: { account, from, to, recipient } }: FollowedEvent): string[] =>
  [account, from, to, recipient].flatMap((one) => (one == null ? [] : [String(one)]))

/** Wakes the allocations of the wallets whose balance an event changes, while their consent is open. */
export const idleSubscriber: Subscriber = {
  events: { accounts: BALANCE_MOVES },
  findWakes: async (events, { rows }) => {
    const wallets = await listConsenting(rows, events.flatMap(accountsOf))
    return events.flatMap((cause) =>
      wallets
        .filter((wallet) => accountsOf(cause).includes(wallet))
        .map((wallet) => ({ cause, workflow: 'idleAllocation', start: idleAllocationStart({ v: 1, wallet }), signal: idleBalanceMoved })),
    )
  },
}
