import { deposit, money, type StackPlace } from '../place.ts'
import { createSavingsChain } from '../savings/chain.ts'
import { createComparison } from '../savings/comparison.ts'
import { bringHome } from '../savings/home.ts'
import type { Saver } from '../savings/saver.ts'
import { createWorker } from '../worker.ts'
import { lendIdleBalance } from './idle.ts'
import { lockAndLeave } from './locks.ts'
import { requestAcrossChains } from './requests.ts'

const BALANCE_RAW = 20_000_000n
const IDLE_RAW = 10_000_000n
const LATER_RAW = 5_000_000n

/** A new wallet with money of the local faucet, some of it in its account. */
const createSaver = async (
  place: StackPlace,
  shared: Pick<Saver, 'savings' | 'comparison'>,
  { inAccountRaw, inWalletRaw }: { inAccountRaw: bigint; inWalletRaw: bigint },
): Promise<Saver> => {
  const worker = createWorker(place.base)
  const wallet = worker.account.address
  const saver = { ...place, ...shared, worker, wallet }
  await place.report.step(
    `a new wallet signs in and deposits ${money(place, inAccountRaw)}`,
    async () => {
      await worker.client.signIn()
      await place.chain.fund(wallet, inAccountRaw + inWalletRaw)
      await deposit(place, worker, inAccountRaw)
    },
    () => wallet,
  )
  return saver
}

/** Locks that end early and in time, a consent to lend that expires, and requests to another chain. Compares amounts with the chain. */
export const locksFlow = async (place: StackPlace) => {
  const { report, chain, chainFile } = place
  const shared = { savings: createSavingsChain(chainFile, chain), comparison: createComparison(report) }
  report.heading('Requests to a venue on another chain')
  report.line('The service watches the balance at the destination for 15 minutes, then settles.\n')
  const saver = await createSaver(place, shared, { inAccountRaw: BALANCE_RAW, inWalletRaw: 0n })
  const requestIds = await requestAcrossChains(saver)
  report.heading('Locked deposits: balance stays in the account and is bound by signed terms')
  report.line('The chain knows no lock: the demo adds up itself what its wallet has signed.\n')
  await lockAndLeave(saver)
  report.heading('Idle balance: a consent of 90 days')
  const lender = await createSaver(place, shared, { inAccountRaw: IDLE_RAW, inWalletRaw: LATER_RAW })
  await lendIdleBalance(lender)
  report.heading('Every coin comes home')
  for (const one of [lender, saver]) await bringHome(one)
  const { comparison } = shared
  return { lender: lender.wallet, requestIds, equalCount: comparison.equalCount(), differences: comparison.differences() }
}
