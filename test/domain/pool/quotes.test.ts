import { describe, expect, test } from '@jest/globals'
import { availableSharesRaw, type PoolPosition, quotePoolDeposit, quotePoolWithdrawal, quoteSeed } from '../../../domain/pool/quotes.ts'

/** A pool of 200 units of each, of which the wallet has 50 shares, 10 of them locked and 15 pledged, and 80 tokens. */
const pool = (changes: Partial<PoolPosition> = {}): PoolPosition => ({
  managedRaw: 200_000_000n,
  supplyRaw: 200_000_000n,
  seedRaw: 1_000_000n,
  bufferRaw: 120_000_000n,
  balanceRaw: 50_000_000n,
  lockedRaw: 10_000_000n,
  pledgedRaw: 15_000_000n,
  walletRaw: 80_000_000n,
  caps: { totalRaw: 1_000_000_000n, perHolderRaw: 100_000_000n },
  ...changes,
})

/** A pool without a seed, whose only share is worth 40 USDC. */
const DONATED = { managedRaw: 40_000_001n, supplyRaw: 1n, seedRaw: 0n, balanceRaw: 0n }

describe('a deposit into the pool', () => {
  test('gives shares at the price of the block', () => {
    expect(quotePoolDeposit(pool({ managedRaw: 300_000_000n }), 15_000_000n)).toEqual({
      quote: { assetsRaw: 15_000_000n, sharesRaw: 10_000_000n },
      refusal: null,
    })
  })

  test.each([
    ['ZeroAmount', 0n, {}, {}],
    ['TotalAssetCapExceeded', 1n, { managedRaw: 1_000_000_000n }, { attempted: 1_000_000_001n, cap: 1_000_000_000n }],
    ['ZeroShares', 1n, { managedRaw: 200_000_001n }, { assets: 1n }],
    ['AgentAssetCapExceeded', 50_000_001n, {}, { attempted: 100_000_001n, cap: 100_000_000n }],
    ['InsufficientBalance', 40_000_000n, { walletRaw: 39_999_999n }, { required: 40_000_000n, available: 39_999_999n }],
    // One share is worth 1.000001: of 500 units it costs one, of 1001 it costs 0.1 %.
    ['LossTooHigh', 500n, { managedRaw: 200_000_200n }, { value: 500n, received: 499n, loss: 1n }],
    ['LossTooHigh', 7n, { managedRaw: 1_000n, supplyRaw: 300n, balanceRaw: 0n }, { value: 7n, received: 6n, loss: 1n }],
    // An attacker deposited one unit and gave the pool 40 USDC.
    ['LossTooHigh', 79_000_000n, DONATED, { value: 79_000_000n, received: 59_500_000n, loss: 19_500_000n }],
  ] as const)('is refused with %s and the amounts that decide it', (reason, assets, changes, amounts) => {
    expect(quotePoolDeposit(pool(changes), assets).refusal).toEqual({ reason, amounts })
  })

  test.each([
    ['the cap of the pool', { managedRaw: 999_999_999n, supplyRaw: 999_999_999n }, 1n],
    ['the cap of the holder', {}, 50_000_000n],
    ['the tokens of the wallet', { walletRaw: 40_000_000n }, 40_000_000n],
  ])('may reach %s', (_name, changes, assets) => {
    expect(quotePoolDeposit(pool(changes), assets).refusal).toBeNull()
  })

  test('is refused as the contract would, which checks its caps before the tokens', () => {
    const broke = { walletRaw: 0n, managedRaw: 1_000_000_000n }
    expect(quotePoolDeposit(pool(broke), 200_000_000n).refusal?.reason).toBe('TotalAssetCapExceeded')
    expect(quotePoolDeposit(pool({ walletRaw: 0n }), 60_000_000n).refusal?.reason).toBe('AgentAssetCapExceeded')
  })
})

describe('the seed of a pool', () => {
  test('is required of every pool that a transaction is built on', () => {
    expect(quoteSeed(pool(), pool()).refusal).toBeNull()
    const refusal = { reason: 'PoolBelowSeed', amounts: { required: 1_000_000n, available: 999_999n } }
    expect(quoteSeed(pool({ seedRaw: 999_999n })).refusal).toEqual(refusal)
    expect(quoteSeed(pool(), pool({ seedRaw: 999_999n })).refusal).toEqual(refusal)
  })
})

describe('a withdrawal from the pool', () => {
  test('by assets redeems one share more where rounding down falls short', () => {
    const grown = pool({ managedRaw: 300_000_000n })
    expect(quotePoolWithdrawal(grown, { assetsRaw: 10_000_000n }).quote).toEqual({ sharesRaw: 6_666_667n, assetsRaw: 10_000_000n })
    expect(quotePoolWithdrawal(grown, { assetsRaw: 15_000_000n }).quote).toEqual({ sharesRaw: 10_000_000n, assetsRaw: 15_000_000n })
  })

  test('by shares pays their value', () => {
    expect(quotePoolWithdrawal(pool({ managedRaw: 300_000_000n }), { sharesRaw: 7_001n }).quote).toEqual({
      sharesRaw: 7_001n,
      assetsRaw: 10_501n,
    })
  })

  test.each([
    ['ZeroShares', { sharesRaw: 0n }, {}, {}],
    ['InsufficientUnlockedShares', { sharesRaw: 40_000_001n }, {}, { required: 40_000_001n, available: 40_000_000n }],
    ['SharesPledged', { sharesRaw: 25_000_001n }, {}, { required: 25_000_001n, available: 25_000_000n }],
    ['ZeroAmount', { sharesRaw: 1n }, { managedRaw: 199_999_999n }, { shares: 1n }],
    ['InsufficientBuffer', { assetsRaw: 20_000_000n }, { bufferRaw: 19_999_999n }, { required: 20_000_000n, available: 19_999_999n }],
    ['ZeroAmount', { assetsRaw: 5n }, { managedRaw: 0n }, { shares: 1n }],
    ['LossTooHigh', { sharesRaw: 7n }, { managedRaw: 300_000_000n }, { value: 11n, received: 10n, loss: 1n }],
  ] as const)('is refused with %s and the amounts that decide it (row %#)', (reason, requested, changes, amounts) => {
    expect(quotePoolWithdrawal(pool(changes), requested).refusal).toEqual({ reason, amounts })
  })

  test('pays the last shares whatever rounding takes of them', () => {
    const changes = { managedRaw: 300_000_000n, balanceRaw: 7n, lockedRaw: 0n, pledgedRaw: 0n }
    expect(quotePoolWithdrawal(pool(changes), { sharesRaw: 7n }).quote).toEqual({ sharesRaw: 7n, assetsRaw: 10n })
  })

  test('may take every available share and the whole buffer', () => {
    expect(availableSharesRaw(pool())).toBe(25_000_000n)
    expect(quotePoolWithdrawal(pool({ bufferRaw: 25_000_000n }), { sharesRaw: 25_000_000n }).refusal).toBeNull()
  })
})
