import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Answer } from '../../../client/src/types.ts'
import { moveTime } from '../../time/move.ts'
import { money, type StackPlace } from '../place.ts'
import { starterFlow } from '../starter-flow.ts'
import { createWorker, readUntil } from '../worker.ts'
import { createSavingsChain } from './chain.ts'
import { createComparison } from './comparison.ts'
import { borrowAndRepay, vestedAt } from './credit.ts'
import { drawCurve } from './curve.ts'
import { bringHome } from './home.ts'
import { build, inAsset, newestBlock, type Saver, sendAll } from './saver.ts'
import { limitsFromVested } from './vesting.ts'

const FIRST_RAW = 10_000_000n
const SECOND_RAW = 4_000_000n
const WITHDRAWN_RAW = 6_000_000n
const OUTSIDE_RAW = 1_000_000n
const HOUR = 3_600

type Pool = Extract<Answer<'getPool'>, { available: true }>

/** Reads the pool once the service has recorded a block. */
const readPool = ({ worker }: Saver, block: bigint): Promise<Pool> =>
  readUntil(`block ${block} in GET /pool`, async () => {
    const pool = await worker.client.getPool()
    return pool.available && pool.wallet?.vesting.available && BigInt(pool.block.number) >= block ? pool : undefined
  })

/** Compares the wallet's part of `GET /pool` with the contracts, and the vested amount with the logs. */
const comparePool = async (saver: Saver, title: string, block: bigint): Promise<Pool> => {
  const pool = await readPool(saver, block)
  const { wallet } = pool
  if (wallet === undefined) throw new Error('GET /pool shows no wallet')
  const at = BigInt(pool.block.number)
  const [position, vestedRaw] = await Promise.all([saver.savings.poolPosition(saver.wallet, at), vestedAt(saver, at)])
  const limits = limitsFromVested(vestedRaw, saver.asset.decimals)
  const { symbol, decimals } = pool.units.shares
  saver.comparison.show(title, [
    inAsset(saver, 'in the wallet', wallet.assetBalance, position.tokensRaw),
    inAsset(saver, 'in the pool', wallet.depositedAssets, position.assetsRaw),
    { name: 'shares', serviceRaw: wallet.shares.raw, chainRaw: position.sharesRaw, symbol, decimals },
    inAsset(saver, 'vested', wallet.vestedAssets, vestedRaw),
    inAsset(saver, 'raises the exposure cap by', wallet.openExposureRaise, limits.openExposureRaiseRaw),
    inAsset(saver, 'external rewards up to', wallet.externalRewardCeiling, limits.externalRewardCeilingRaw),
    inAsset(saver, 'whole pool', pool.totalAssets, position.totalAssetsRaw),
  ])
  return pool
}

/** Builds, signs and sends a deposit into the pool or a withdrawal from it. Returns its block. */
const usePool = async (saver: Saver, direction: 'deposit' | 'withdraw', raw: bigint): Promise<bigint> => {
  const { client } = saver.worker
  const name = `POST /pool/transactions: ${direction} ${money(saver, raw)}`
  const body = direction === 'deposit' ? { direction, amount: raw } : { direction, assets: raw }
  return sendAll(saver, await build(saver, name, () => client.buildPoolTransactions(body)))
}

const waitUntil = (saver: Saver, hours: number, instant: number): Promise<unknown> =>
  saver.report.step(
    `time moves to ${hours} h after the first deposit`,
    () => moveTime(saver.info, { instant: instant * 1000 }),
    ({ newestBlock }) => `block of ${new Date(newestBlock).toISOString()}`,
  )

/** Moves the earned reward to the wallet; the local faucet adds gas and what lacks for the first deposit. */
const takeEarnings = async (saver: Saver): Promise<void> => {
  const { report, chain, worker, wallet, savings, comparison, asset } = saver
  const { liquid } = await worker.client.getAccount()
  const earned = liquid[asset.symbol]
  if (earned === undefined) throw new Error(`GET /account shows no ${asset.symbol}`)
  comparison.show('earned', [
    inAsset(saver, 'liquid in the account', earned, await savings.balance('account.liquid', wallet, await newestBlock(saver))),
  ])
  const built = await build(saver, `withdraw ${money(saver, earned.raw)} to the own wallet`, () =>
    worker.client.buildAccountWithdrawTransactions({ amount: earned.raw }),
  )
  await report.step(
    'the local faucet sends gas',
    () => chain.sendGas(wallet),
    (gas) => `${gas} ${saver.chainFile.nativeSymbol}, to send the transactions`,
  )
  await sendAll(saver, built)
  const restRaw = FIRST_RAW + SECOND_RAW - earned.raw
  await report.step(
    'the local faucet adds what the deposits lack',
    () => chain.mint(wallet, restRaw),
    () => `${money(saver, restRaw)}, which this wallet did not earn`,
  )
}

/** Deposits, waits and withdraws; the curve shows what vested when. */
const save = async (saver: Saver): Promise<void> => {
  const { report, savings, wallet } = saver
  const first = await usePool(saver, 'deposit', FIRST_RAW)
  const from = await savings.timeOf(first)
  await comparePool(saver, '0 h', first)
  await waitUntil(saver, 12, from + 12 * HOUR)
  await comparePool(saver, '12 h', await newestBlock(saver))
  await waitUntil(saver, 24, from + 24 * HOUR)
  await comparePool(saver, '24 h', await newestBlock(saver))
  await comparePool(saver, '24 h, second deposit', await usePool(saver, 'deposit', SECOND_RAW))
  await waitUntil(saver, 36, from + 36 * HOUR)
  const withdrawn = await usePool(saver, 'withdraw', WITHDRAWN_RAW)
  report.line('    It takes the newest deposit first: all 4 of the second, then 2 of the first.\n')
  await comparePool(saver, '36 h, after the withdrawal', withdrawn)
  await waitUntil(saver, 48, from + 48 * HOUR)
  await comparePool(saver, '48 h', await newestBlock(saver))
  report.line(`    Vested ${saver.asset.symbol} by hours since the first deposit: █ vested, ░ not yet`)
  const events = await savings.events(wallet, await newestBlock(saver))
  for (const line of drawCurve(events, { from, hours: 48, decimals: saver.asset.decimals })) report.line(line)
}

/** Withdraws from the account to another address, with gas that the operator grants. */
const withdrawOutside = async (saver: Saver): Promise<void> => {
  const { worker, wallet, savings, comparison } = saver
  const destination = privateKeyToAddress(generatePrivateKey())
  const { client } = worker
  const deposit = await build(saver, `deposit ${money(saver, OUTSIDE_RAW)} into the account`, () =>
    client.buildAccountDepositTransactions({ amount: OUTSIDE_RAW }),
  )
  await sendAll(saver, deposit)
  const wanted = { amount: OUTSIDE_RAW, destination, requestGasGrant: true, idempotencyKey: `savings-${wallet.slice(2, 18)}` }
  const built = await build(saver, 'withdraw it to an outside address', () => client.buildAccountWithdrawTransactions(wanted))
  const { amount, reason, priorGrant } = built.firstWithdrawalGasGrant
  if (priorGrant?.txHash == null) throw new Error(`the operator granted no gas: ${reason}`)
  const receivedRaw = await savings.receivedIn(priorGrant.txHash as Hex, wallet)
  comparison.show('gas grant', [
    {
      name: 'received by the wallet',
      serviceRaw: amount.raw,
      chainRaw: receivedRaw,
      symbol: saver.chainFile.nativeSymbol,
      decimals: amount.decimals,
    },
  ])
  await sendAll(saver, built)
}

/** Earns, saves in the deposit pool for 48 hours, borrows, repays and withdraws. Compares every amount of the service with the chain. */
export const savingsFlow = async (place: StackPlace) => {
  const { report, base, chain, chainFile } = place
  const worker = createWorker(base)
  const comparison = createComparison(report)
  const wallet = worker.account.address
  const saver = { ...place, worker, wallet, comparison, savings: createSavingsChain(chainFile, chain) }
  report.heading('A new wallet earns')
  const starter = await starterFlow(place, worker)
  report.heading('It takes its earnings to the wallet')
  await takeEarnings(saver)
  report.heading('It saves in the deposit pool: principal vests evenly over 48 hours')
  report.line('Amounts of GET /pool stand beside those of the contracts at the same block.')
  report.line('The demo computes the vested amount itself from the logs, and from it the limits')
  report.line('on claims that vested principal raises. A transaction is mined a moment after the')
  report.line('hour, so that a few millionths more can have vested.\n')
  await save(saver)
  report.heading('It borrows against its deposit and pays the loan back')
  const lender = await borrowAndRepay(saver)
  report.heading('It withdraws to an outside address')
  await withdrawOutside(saver)
  report.heading('Every coin comes home')
  for (const one of [lender, saver]) await bringHome(one)
  return { starter, wallet, equalCount: comparison.equalCount(), differences: comparison.differences() }
}
