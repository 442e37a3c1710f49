import { expect, test } from '@jest/globals'
import { stringToHex } from 'viem'
import { strategyPlaces } from '../../../domain/strategies/places.ts'
import type { Strategy, StrategyHolding } from '../../../domain/strategies/position.ts'
import { chooseHolding, quoteRecall } from '../../../domain/strategies/recall.ts'

const TOKEN = '0x0000053900000000000000000000000001200000'
const strategy = (label: string, changes: Partial<Strategy> = {}): Strategy => ({
  strategyId: stringToHex(label, { size: 32 }),
  adapter: `0x${'a'.repeat(40)}`,
  asset: { symbol: 'USDC', address: TOKEN, decimals: 6 },
  riskLabel: 'mock',
  active: true,
  totalAssetsRaw: 110n,
  totalSharesRaw: 100n,
  unsettledRaw: null,
  ...changes,
})
const holding = (label: string, sharesRaw: bigint, changes: Partial<Strategy> = {}): StrategyHolding => ({
  strategy: strategy(label, changes),
  sharesRaw,
  markedRaw: sharesRaw,
  pendingSharesRaw: 0n,
  pendingOfAssetRaw: 0n,
})
const ONE = holding('ONE', 50n)

test.each([
  ['all of it, at its value now', null, 1_000n, { amountRaw: 55n, allocatedRaw: 55n }],
  ['all that the strategy can pay', 40n, 40n, { amountRaw: 40n, allocatedRaw: 55n }],
])('a recall brings back %s', (_name, amountRaw, payableRaw, quote) => {
  expect(quoteRecall(ONE, amountRaw, payableRaw).quote).toEqual(quote)
})

test.each([
  ['of more than the value', ONE, 56n, 1_000n, 'amount_exceeds_allocated', { requested: 56n, allocated: 55n }],
  ['of more than the strategy holds', ONE, 41n, 40n, 'strategy_short', { requested: 41n, available: 40n }],
  ['of everything, from a strategy that is short', ONE, null, 54n, 'strategy_short', { requested: 55n, available: 54n }],
  ['from a strategy without approval', holding('OFF', 50n, { active: false }), 1n, 1_000n, 'strategy_inactive', {}],
] as const)('a recall %s is refused with its amounts', (_name, from, amountRaw, payableRaw, reason, amounts) => {
  expect(quoteRecall(from, amountRaw, payableRaw).refusal).toEqual({ reason, amounts })
})

test('a holding without a value, or in a strategy that pays later, is none to recall', () => {
  const others = [holding('DUST', 0n), holding('LATER', 50n, { unsettledRaw: 0n })]
  expect(chooseHolding(others, undefined).refusal?.reason).toBe('nothing_to_recall')
  expect(chooseHolding([...others, ONE], undefined).quote).toBe(ONE)
})

test('each strategy of the asset is a place with its value and its way home', () => {
  const other = holding('OTHER', 50n, { asset: { symbol: 'DOT', address: `0x${'b'.repeat(40)}`, decimals: 10 } })
  const rows = strategyPlaces(
    [ONE, holding('LATER', 10n, { unsettledRaw: 0n }), holding('OFF', 10n, { active: false }), holding('NONE', 0n), other],
    TOKEN.toUpperCase().replace('0X', '0x'),
  )
  expect(rows.map(({ raw, nextActions }) => [raw, nextActions[0]?.kind, nextActions[0]?.path])).toEqual([
    [55n, 'http', '/account/recall/transactions'],
    [11n, 'wait', undefined],
    [11n, 'wait', undefined],
  ])
})

test('assets on their way into a strategy are a place of their own', () => {
  expect(strategyPlaces([{ ...ONE, pendingOfAssetRaw: 7n }], TOKEN)).toMatchObject([
    { place: 'strategy', raw: 55n },
    { place: 'strategy_deposit_pending', raw: 7n },
  ])
})
