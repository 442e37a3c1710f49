import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { gasGrantView } from '../../../domain/accounts/gas-grant.ts'
import { known } from '../../../domain/common/fact.ts'
import { quoteBorrow, quoteRepay } from '../../../domain/credit/quotes.ts'
import {
  borrowPreview,
  creditFiguresView,
  lenderDepositPreview,
  lenderWithdrawalPreview,
  repayPreview,
} from '../../../domain/credit/view.ts'
import type { PoolPosition } from '../../../domain/pool/quotes.ts'
import { foldPoolEvents, NO_VESTING, vestingAt } from '../../../domain/pool/vesting.ts'
import {
  depositPreview,
  poolFiguresView,
  poolWalletView,
  unreadVestingView,
  vestingView,
  withdrawalPreview,
} from '../../../domain/pool/view.ts'
import * as accounts from '../../../schemas/accounts/withdrawal-shapes.ts'
import * as credit from '../../../schemas/credit/shapes.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { REQUEST_AMOUNT } from '../../../schemas/operations/values.ts'
import * as pool from '../../../schemas/pool/shapes.ts'
import { deposit, hoursLater, poolHistory } from '../../domain/builders/pool-history.ts'

const HASH = `0x${'ab'.repeat(32)}` as const
const WALLET = `0x${'a1'.repeat(20)}`
const POOL: PoolPosition = {
  managedRaw: 300_000_000n,
  supplyRaw: 200_000_000n,
  seedRaw: 1_000_000n,
  bufferRaw: 120_000_000n,
  caps: { totalRaw: 1_000_000_000n, perHolderRaw: 100_000_000n },
  balanceRaw: 50_000_000n,
  lockedRaw: 10_000_000n,
  pledgedRaw: 15_000_000n,
  walletRaw: 80_000_000n,
}
const TERMS = { ltvBps: 8000, interestBps: 0 }
const QUOTE = { assetsRaw: 15_000_000n, sharesRaw: 10_000_000n }
const events = poolHistory(Array.from({ length: 300 }, () => deposit(3, 0))).map((event) => ({ ...event, txHash: HASH }))
const vesting = vestingAt(foldPoolEvents(NO_VESTING, events, 0), 10_000n, hoursLater(1))
const borrow = quoteBorrow(
  { depositPool: POOL, terms: TERMS, bufferRaw: 70_000_000n, debtRaw: 0n, pledge: null, vestedRaw: known(9_000_000n), canAttest: true },
  5_000_000n,
  1_000_000n,
)
const repay = quoteRepay({ active: true, outstandingPrincipalRaw: 5n, outstandingInterestRaw: 1n }, 6n, 6n)
const creditFacts = {
  pool: POOL,
  depositPool: POOL,
  terms: TERMS,
  principalOutstandingRaw: 1n,
  totalPledgedSharesRaw: 2n,
  defaults: 0,
  allowanceRaw: 0n,
  debtRaw: 0n,
  vestedRaw: 9_000_000n,
}
const grantFacts = {
  prior: known({ status: 'granted' as const, intentHash: HASH, txHash: HASH }),
  isOffered: true,
  isSettlementAsset: true,
  liquidRaw: 250_000n,
  reservedToday: known(3),
  dailyCap: 25,
  mapped: known(true),
  intentHash: HASH,
  currentIntentHash: HASH,
}
const ASSETS = { settlement: { symbol: 'USDC', decimals: 6 }, native: { symbol: 'DOT', decimals: 18 } }

const WALLET_PART = pool.PoolShape.shape.wallet.unwrap()
const views: [string, z.ZodType, unknown][] = [
  ['a vesting', pool.VestingShape, vestingView(vesting, 6)],
  ['a vesting that could not be read', pool.VestingShape, unreadVestingView('chain_events_behind', 0)],
  [
    'the figures of the pool',
    pool.PoolShape.pick({ totalAssets: true, totalShares: true, bufferAssets: true, caps: true, sharePrice: true }),
    poolFiguresView(POOL, 6),
  ],
  [
    'the shares of a wallet',
    WALLET_PART.pick({ assetBalance: true, depositedAssets: true, shares: true, availableShares: true, perAgentHeadroom: true }),
    poolWalletView(POOL, 6),
  ],
  ['a pool deposit', pool.PoolDepositPreviewShape, depositPreview(POOL, QUOTE, 6, 7n)],
  ['a pool withdrawal', pool.PoolWithdrawalPreviewShape, withdrawalPreview(POOL, { sharesRaw: 10_000_000n }, QUOTE, 6, 7n)],
  [
    'the figures of the credit pool',
    credit.CreditShape.pick({ supply: true, schedule: true, lifecycle: true, wallet: true }),
    creditFiguresView(creditFacts, WALLET, 6),
  ],
  ['a lender’s deposit', credit.LenderDepositPreviewShape, lenderDepositPreview(POOL, QUOTE, 6, 7n)],
  ['a lender’s withdrawal', credit.LenderWithdrawalPreviewShape, lenderWithdrawalPreview(POOL, QUOTE, 6, 7n)],
  ['a loan', credit.BorrowPreviewShape, borrow.quote && borrowPreview(borrow.quote, HASH, 1_900_000_000, 6)],
  ['a repayment', credit.RepayPreviewShape, repay.quote && repayPreview(repay.quote, HASH, 6)],
  ['a gas grant', accounts.GasGrantShape, gasGrantView(grantFacts, ASSETS, 0)],
]

describe('the views of savings', () => {
  test.each(views)('show %s exactly in its shape', (_name, shape, view) => {
    // Parsing drops members that the shape does not have.
    expect(shape.parse(view)).toEqual(view)
  })

  test('list the newest of many tranches, and count all', () => {
    const view = vestingView(vesting, 6)
    expect([view.tranches.length, view.trancheCount, view.tranches.at(-1)?.logIndex]).toEqual([200, 300, 299])
  })

  test('show the price of a share and what a deposit takes of the headroom', () => {
    const preview = depositPreview(POOL, { assetsRaw: 26_000_000n, sharesRaw: 17_333_333n }, 6, 7n)
    expect(preview.sharePrice.assetsPerShare.display).toBe('1.5')
    expect([preview.perAgentHeadroomBefore.display, preview.perAgentHeadroomConsumed.display]).toEqual(['25', '25'])
  })

  test('count nothing as vested where the vesting was not read', () => {
    const { wallet } = creditFiguresView({ ...creditFacts, vestedRaw: null }, WALLET, 6)
    expect([wallet.vestingAvailable, wallet.vestedAssets.raw, wallet.loanable.raw]).toEqual([false, '0', '0'])
    expect(creditFiguresView(creditFacts, WALLET, 6).wallet.loanable.raw).toBe('7200000')
  })
})

const A = '1000'
const bodies: [string, z.ZodType, unknown, boolean][] = [
  ['a deposit by its amount', pool.PoolTransactionsBody, { direction: 'deposit', amount: A }, true],
  ['a deposit by assets', pool.PoolTransactionsBody, { direction: 'deposit', assets: A }, false],
  ['a withdrawal by an amount', pool.PoolTransactionsBody, { direction: 'withdraw', amount: A }, false],
  ['a withdrawal by assets', pool.PoolTransactionsBody, { direction: 'withdraw', assets: A }, true],
  ['a withdrawal by shares', pool.PoolTransactionsBody, { direction: 'withdraw', shares: A }, true],
  ['a deposit by shares', pool.PoolTransactionsBody, { direction: 'deposit', shares: A }, false],
  ['a withdrawal by both', pool.PoolTransactionsBody, { direction: 'withdraw', assets: A, shares: A }, false],
  ['a withdrawal by neither', pool.PoolTransactionsBody, { direction: 'withdraw' }, false],
  ['another direction', pool.PoolTransactionsBody, { direction: 'toString', assets: A }, false],
  ['a member of a key', pool.PoolTransactionsBody, { direction: 'deposit', amount: A, privateKey: A }, false],
  ...['0', '-1', '1.5', '1e3', '01', '', 1000].map((amount): [string, z.ZodType, unknown, boolean] => [
    `the amount ${JSON.stringify(amount)}`,
    pool.PoolTransactionsBody,
    { direction: 'deposit', amount },
    false,
  ]),
  ['a loan', credit.CreditTransactionsBody, { direction: 'borrow', pledgeShares: A, amount: A }, true],
  ['a loan without a pledge', credit.CreditTransactionsBody, { direction: 'borrow', amount: A }, false],
  ['a repayment', credit.CreditTransactionsBody, { direction: 'repay', loanId: HASH, amount: A }, true],
  ['a repayment with assets', credit.CreditTransactionsBody, { direction: 'repay', loanId: HASH, amount: A, assets: A }, false],
  ['a lender’s deposit', credit.CreditTransactionsBody, { direction: 'deposit', amount: A }, true],
  ['a lender’s deposit by assets', credit.CreditTransactionsBody, { direction: 'deposit', assets: A }, false],
  ['a lender’s withdrawal by assets', credit.CreditTransactionsBody, { direction: 'withdraw', assets: A }, false],
  ['a withdrawal to an address', accounts.WithdrawTransactionsBody, { amount: A, destination: WALLET, requestGasGrant: true }, true],
  ['a withdrawal to a malformed address', accounts.WithdrawTransactionsBody, { amount: A, destination: '0xzz' }, false],
  ['a withdrawal that names its owner', accounts.WithdrawTransactionsBody, { amount: A, owner: WALLET }, false],
]

describe('a request of savings', () => {
  test.each(bodies)('%s is read as the document states it', (_name, schema, body, accepted) => {
    expect(schema.safeParse(body).success).toBe(accepted)
  })

  test('of a wrong form names the members of its direction', () => {
    const { error } = pool.PoolTransactionsBody.safeParse({ direction: 'withdraw' })
    const { error: deposit } = pool.PoolTransactionsBody.safeParse({ direction: 'deposit', assets: A })
    expect(deposit?.issues).toMatchObject([{ path: ['direction'], message: 'deposit takes amount, and nothing else' }])
    expect(error?.issues).toMatchObject([{ path: ['direction'], message: 'withdraw takes assets, or shares, and nothing else' }])
    const { error: other } = credit.CreditTransactionsBody.safeParse({ direction: 'repay', shares: A })
    expect(other?.issues).toMatchObject([{ message: 'repay takes loanId and amount, or amount, and nothing else' }])
  })
})

test('no operation names the reason of a refusal as a member of details', () => {
  const named = operationList.filter(({ description }) => description?.includes('details.reason'))
  expect(named.map(({ id }) => id)).toEqual([])
})

test('a request names an amount `amount`, and by its kind only where it counts something else', () => {
  const named = operationList.flatMap(({ id, body }) => {
    const names: string[] = []
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, member] of Object.entries(node)) {
        if (typeof member === 'object' && member?.pattern === REQUEST_AMOUNT.source) names.push(name)
        walk(member)
      }
    }
    if (body !== undefined) walk(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
    return [...new Set(names)].map((name) => `${id} ${name}`)
  })
  expect(named.filter((name) => !name.endsWith(' amount'))).toEqual([
    'decideDispute workerPayout',
    'buildPoolTransactions assets',
    'buildPoolTransactions shares',
    'buildCreditTransactions shares',
    'buildCreditTransactions pledgeShares',
  ])
})
