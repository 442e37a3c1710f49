import { describe, expect, test } from '@jest/globals'
import { stringToHex } from 'viem/utils'
import {
  pendingDepositRaw,
  type Strategy,
  type StrategyHolding,
  strategyLabel,
  valueOfShares,
  yieldState,
} from '../../../domain/strategies/position.ts'
import { holdingView, strategyView } from '../../../domain/strategies/view.ts'

const id = (text: string) => stringToHex(text, { size: 32 })
const USDC = { symbol: 'USDC', address: '0x0000053900000000000000000000000001200000', decimals: 6 } as const
const OTHER = { symbol: 'vDOT', address: '0x0000000000000000000000000000000000000abc', decimals: 10 } as const
const strategy = (name: string, more: Partial<Strategy> = {}): Strategy => ({
  strategyId: id(name),
  adapter: `0x${'a1'.repeat(20)}`,
  asset: USDC,
  riskLabel: 'mock',
  active: true,
  totalAssetsRaw: 1_033n,
  totalSharesRaw: 1_000n,
  unsettledRaw: null,
  ...more,
})
const holding = (more: Partial<StrategyHolding> = {}): StrategyHolding => ({
  strategy: strategy('SYNC'),
  sharesRaw: 0n,
  markedRaw: 0n,
  pendingSharesRaw: 0n,
  pendingOfAssetRaw: 0n,
  ...more,
})

describe('a strategy', () => {
  test.each([
    ['HYDRATION_USDC_V1', id('HYDRATION_USDC_V1'), 'HYDRATION_USDC_V1'],
    ['a text of 32 bytes', id('A'.repeat(32)), 'A'.repeat(32)],
    ['an id of zeros', id(''), id('')],
    ['an id with a line break', id('TWO\nLINES'), id('TWO\nLINES')],
    ['a hash', `0x${'f3'.repeat(32)}`, `0x${'f3'.repeat(32)}`],
    ['a zero inside the text', id('A\0B'), id('A\0B')],
  ] as const)('is named by %s only if that is text', (_what, strategyId, label) => {
    expect(strategyLabel(strategyId)).toBe(label)
  })

  test('shows totals, kind and block', () => {
    const view = strategyView(strategy('LATER', { unsettledRaw: 0n, active: false }), { number: 7n, time: 0 })
    expect(view).toMatchObject({ label: 'LATER', async: true, active: false, asOf: { block: '7', at: '1970-01-01T00:00:00.000Z' } })
    expect(view.totalAssets).toEqual({ raw: '1033', decimals: 6, display: '0.001033' })
    expect(strategyView(strategy('SYNC'), { number: 7n, time: 0 }).async).toBe(false)
  })
})

describe('a position', () => {
  test.each([
    ['of all shares', 1_000n, strategy('A'), 1_033n],
    ['of a part, rounded down', 1n, strategy('A'), 1n],
    ['of no shares', 0n, strategy('A'), 0n],
    ['where no wallet has shares', 5n, strategy('A', { totalSharesRaw: 0n, totalAssetsRaw: 9n }), 0n],
    ['after a total loss', 5n, strategy('A', { totalAssetsRaw: 0n }), 0n],
  ] as const)('%s is worth its part of the assets', (_what, shares, source, value) => {
    expect(valueOfShares(source, shares)).toBe(value)
  })

  test.each([
    ['above its mark', { sharesRaw: 1_000n, markedRaw: 1_032n }, 'earning'],
    ['at its mark', { sharesRaw: 1_000n, markedRaw: 1_033n }, 'not_yet_earning'],
    ['below its mark', { sharesRaw: 1_000n, markedRaw: 1_034n }, 'not_yet_earning'],
    ['that only waits', { pendingOfAssetRaw: 5n }, 'not_yet_earning'],
    ['behind a withdrawn approval', { sharesRaw: 1_000n, strategy: strategy('A', { active: false }) }, 'unknown'],
  ] as const)('%s says so', (_what, more, state) => {
    expect(yieldState(holding(more))).toBe(state)
  })

  const later = (name: string, unsettledRaw: bigint, asset: Strategy['asset'] = USDC) => strategy(name, { unsettledRaw, asset })
  test.each([
    ['a strategy that answers at once', strategy('SYNC'), [later('A', 5n)], 5n, 0n],
    ['the only asynchronous one of the asset', later('A', 5n), [strategy('SYNC'), later('B', 9n, OTHER)], 5n, 5n],
    ['the only one that waits', later('A', 5n), [later('B', 0n)], 5n, 5n],
    ['one that does not wait, beside one that does', later('A', 0n), [later('B', 5n)], 5n, 0n],
    ['one of two that wait', later('A', 5n), [later('B', 7n)], 5n, null],
    ['one of two that deny it', later('A', 0n), [later('B', 0n)], 5n, null],
    ['one of two, for a wallet without deposits', later('A', 5n), [later('B', 7n)], 0n, 0n],
  ] as const)('in %s has the deposits that are its own', (_what, own, others, pendingOfAssetRaw, expected) => {
    expect(pendingDepositRaw(holding({ strategy: own, pendingOfAssetRaw }), [own, ...others])).toBe(expected)
  })

  test('without anything in it is not listed; one that cannot be distinguished is', () => {
    const at = { number: 7n, time: 0 }
    expect(holdingView(holding(), [strategy('SYNC')], at)).toBeNull()
    const [first, second] = [later('A', 5n), later('B', 7n)]
    expect(holdingView(holding({ strategy: first, pendingOfAssetRaw: 5n }), [first, second], at)?.pendingDeposit).toBeNull()
    expect(holdingView(holding({ pendingSharesRaw: 3n }), [strategy('SYNC')], at)?.pendingWithdraw.raw).toBe('3')
  })
})
