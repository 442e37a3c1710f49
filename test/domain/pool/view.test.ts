import { describe, expect, test } from '@jest/globals'
import { formatCheckpoint, parseCheckpoint } from '../../../domain/pool/checkpoint.ts'
import type { PoolPosition } from '../../../domain/pool/quotes.ts'
import type { Vesting, VestingState } from '../../../domain/pool/vesting.ts'
import {
  depositPreview,
  poolFiguresView,
  poolWalletView,
  unreadVestingView,
  vestingView,
  withdrawalPreview,
} from '../../../domain/pool/view.ts'
import { VESTING_TRANCHES_MAX } from '../../../schemas/pool/record.ts'
import { inBaseUnits } from '../builders/amounts.ts'

const AT = Date.parse('2026-03-01T12:00:00.000Z')

/** Shares are worth one and a half units; no two amounts are equal. */
const pool: PoolPosition = {
  managedRaw: 300_000_000n,
  supplyRaw: 200_000_000n,
  seedRaw: 1_000_000n,
  bufferRaw: 120_000_000n,
  balanceRaw: 50_000_000n,
  lockedRaw: 10_000_000n,
  pledgedRaw: 15_000_000n,
  walletRaw: 80_000_000n,
  caps: { totalRaw: 1_000_000_000n, perHolderRaw: 100_000_000n },
}
const sharePrice = {
  model: 'principal-cost-basis',
  assetsPerShare: '1500000',
  numeratorAssets: '300000000',
  denominatorShares: '200000000',
}

test('the figures of a pool are its totals, its caps with what they leave, and its price', () => {
  expect(inBaseUnits(poolFiguresView(pool, 6))).toEqual({
    totalAssets: '300000000',
    totalShares: '200000000',
    bufferAssets: '120000000',
    sharePrice,
    caps: { totalAssetCap: '1000000000', perAgentAssetCap: '100000000', poolHeadroom: '700000000' },
  })
})

test('the figures of a wallet are its tokens, the value of its shares, and what it may still deposit and redeem', () => {
  expect(inBaseUnits(poolWalletView(pool, 6))).toEqual({
    assetBalance: '80000000',
    depositedAssets: '75000000',
    shares: '50000000',
    availableShares: '25000000',
    perAgentHeadroom: '25000000',
  })
})

describe('a preview', () => {
  const quote = { assetsRaw: 30_000_000n, sharesRaw: 20_000_000n }

  test('of a deposit takes its assets from both caps, from that of the wallet no more than is left', () => {
    expect(inBaseUnits(depositPreview(pool, quote, 6, 7n))).toEqual({
      assets: '30000000',
      expectedShares: '20000000',
      sharePrice,
      quoteBlockNumber: '7',
      poolHeadroomBefore: '700000000',
      poolHeadroomConsumed: '30000000',
      perAgentHeadroomBefore: '25000000',
      perAgentHeadroomConsumed: '25000000',
    })
  })

  test.each([
    [{ sharesRaw: 20_000_001n }, { shares: '20000001' }],
    [{ assetsRaw: 29_999_999n }, { assets: '29999999' }],
  ])('of a withdrawal names what was asked for: %j', (asked, requested) => {
    expect(inBaseUnits(withdrawalPreview(pool, asked, quote, 6, 7n))).toEqual({
      requested,
      sharesToRedeem: '20000000',
      expectedAssets: '30000000',
      sharePrice,
      quoteBlockNumber: '7',
      availableSharesBefore: '25000000',
      bufferAssetsBefore: '120000000',
    })
  })
})

const tranche = (index: number) => ({
  depositedRaw: 5n,
  remainingRaw: 4n,
  vestedRaw: 3n,
  depositedAt: AT,
  vestingFrom: AT + 1,
  vestingStartedAt: AT + 1,
  debtDelayed: true,
  blockNumber: BigInt(index),
  logIndex: 2,
  txHash: '0xa' as const,
})
const vesting: Vesting = {
  evaluatedAt: AT,
  vestedRaw: 9n,
  unvestedRaw: 7n,
  maturedRaw: 6n,
  tranches: [tranche(1)],
  next: { at: AT + 5, remainingRaw: 4n, blockNumber: 1n, logIndex: 2 },
}
const RULE = { model: 'linear_per_deposit_tranche', durationHours: 48, withdrawalBurnOrder: 'lifo' }

describe('the vesting of a wallet', () => {
  test('is shown with its sums, its tranches and the next instant', () => {
    expect(inBaseUnits(vestingView(vesting, 6))).toEqual({
      ...RULE,
      available: true,
      evaluatedAt: '2026-03-01T12:00:00.000Z',
      unvested: '7',
      matured: '6',
      trancheCount: 1,
      tranches: [
        {
          deposited: '5',
          remaining: '4',
          vested: '3',
          depositedAt: '2026-03-01T12:00:00.000Z',
          debtDelayed: true,
          vestingStartedAt: '2026-03-01T12:00:00.001Z',
          blockNumber: '1',
          logIndex: 2,
          txHash: '0xa',
        },
      ],
      next: { at: '2026-03-01T12:00:00.005Z', remaining: '4', blockNumber: '1', logIndex: 2 },
    })
    expect(vestingView({ ...vesting, next: null }, 6).next).toBeNull()
  })

  test('lists the newest of many tranches, and counts all', () => {
    const tranches = Array.from({ length: VESTING_TRANCHES_MAX + 2 }, (_, index) => tranche(index))
    const shown = vestingView({ ...vesting, tranches }, 6)
    expect([shown.trancheCount, shown.tranches.length]).toEqual([VESTING_TRANCHES_MAX + 2, VESTING_TRANCHES_MAX])
    expect([shown.tranches[0]?.blockNumber, shown.tranches.at(-1)?.blockNumber]).toEqual(['2', String(VESTING_TRANCHES_MAX + 1)])
  })

  test('that could not be read is shown as such', () => {
    expect(unreadVestingView('wallet_events_behind' as never, AT)).toEqual({
      ...RULE,
      available: false,
      reason: 'wallet_events_behind',
      evaluatedAt: '2026-03-01T12:00:00.000Z',
      tranches: [],
    })
  })

  test.each([null, { blockNumber: 9n, logIndex: 3 }])('goes on from its checkpoint as from itself: %p', (upTo) => {
    const { vestedRaw: _vested, vestingStartedAt: _started, debtDelayed: _delayed, ...stored } = tranche(1)
    const state: VestingState = {
      asOf: AT,
      upTo,
      sharesRaw: 5n,
      maturedRaw: 6n,
      tranches: [stored],
      openLoans: [{ loanId: '0xb' as const, openedAt: AT + 2 }],
    }
    const checkpoint = formatCheckpoint(state)
    expect(checkpoint).toMatchObject({ v: 1, upTo: upTo && { blockNumber: '9', logIndex: 3 }, openLoans: [{ loanId: '0xb' }] })
    expect(parseCheckpoint(JSON.parse(JSON.stringify(checkpoint)))).toEqual(state)
  })
})
