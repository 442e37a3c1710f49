import { describe, expect, test } from '@jest/globals'
import { formatCheckpoint, parseCheckpoint } from '../../../domain/pool/checkpoint.ts'
import { tranchesVestedUntil } from '../../../domain/pool/vested-tranches.ts'
import { foldPoolEvents, NO_VESTING, type PoolEvent, type VestingState, vestingAt } from '../../../domain/pool/vesting.ts'
import type { VestingCheckpoint } from '../../../schemas/pool/record.ts'
import { runsOf } from '../../support/cases/sample.ts'
import { close, deposit, hoursLater, open, poolHistory, randomSteps, type Step, seededInts, withdraw } from '../builders/pool-history.ts'

const HOUR = 3_600_000
const ENOUGH = 10n ** 30n
const fold = (steps: readonly Step[], asOf = 0): VestingState => foldPoolEvents(NO_VESTING, poolHistory(steps), asOf)
const stored = (state: VestingState): VestingState =>
  parseCheckpoint(JSON.parse(JSON.stringify(formatCheckpoint(state))) as VestingCheckpoint)

const TWO_DEPOSITS = [deposit(10_000_000, 0), deposit(4_000_000, 24), withdraw(6_000_000, 36)]
const vestedAfter = (steps: readonly Step[], hours: number): bigint =>
  vestingAt(fold(steps.filter((step) => step.hours <= hours)), ENOUGH, hoursLater(hours)).vestedRaw

describe('vesting of a pool deposit', () => {
  test.each([
    [12, 2_500_000n],
    [24, 5_000_000n],
    [36, 6_000_000n],
    [48, 8_000_000n],
    [100, 8_000_000n],
  ])('after %d hours of two deposits and a withdrawal %d base units have vested', (hours, vestedRaw) => {
    expect(vestedAfter(TWO_DEPOSITS, hours)).toBe(vestedRaw)
  })

  test('a withdrawal burns the newest deposit first', () => {
    const { tranches } = fold(TWO_DEPOSITS)
    expect(tranches.map(({ depositedRaw, remainingRaw }) => [depositedRaw, remainingRaw])).toEqual([[10_000_000n, 8_000_000n]])
  })

  test('a deposit under a loan that never closes vests nothing', () => {
    const vesting = vestingAt(fold([open('a', -1), deposit(10_000_000, 0)]), ENOUGH, hoursLater(10_000))
    expect([vesting.vestedRaw, vesting.unvestedRaw, vesting.next]).toEqual([0n, 10_000_000n, null])
    expect(vesting.tranches[0]).toMatchObject({ vestingStartedAt: null, debtDelayed: true })
  })

  test('a deposit under a loan vests from the closing of the loan', () => {
    const steps = [open('a', -1), deposit(10_000_000, 0), close('a', 10)]
    expect(vestedAfter(steps, 34)).toBe(5_000_000n)
    const [tranche] = vestingAt(fold(steps), ENOUGH, hoursLater(34)).tranches
    expect(tranche).toMatchObject({ vestingStartedAt: hoursLater(10), debtDelayed: true })
  })

  test('a deposit under two loans waits for the later closing, and not for a loan opened after it', () => {
    const steps = [open('a', -2), open('b', -1), deposit(10_000_000, 0), open('c', 1), close('b', 5), close('a', 8)]
    expect(vestedAfter(steps, 6)).toBe(0n)
    expect(vestedAfter(steps, 32)).toBe(5_000_000n)
  })

  test('a loan of the same block time delays the deposit in either order', () => {
    const loanFirst = [open('a', 0), deposit(100, 0)]
    for (const steps of [loanFirst, loanFirst.toReversed()]) expect(vestedAfter(steps, 48)).toBe(0n)
  })

  test.each([
    [-1000, 9_999_942n],
    [-1, 9_999_999n],
    [0, 10_000_000n],
    [1000, 10_000_000n],
  ])('%d ms from the 48 hours the principal has vested to the unit', (ms, vestedRaw) => {
    expect(vestingAt(fold([deposit(10_000_000, 0)]), ENOUGH, hoursLater(48) + ms).vestedRaw).toBe(vestedRaw)
  })

  test('names the tranche that vests in full next, and its instant', () => {
    const state = fold([deposit(7, 0), deposit(5, 24)])
    expect(vestingAt(state, ENOUGH, hoursLater(47)).next).toEqual({ blockNumber: 1n, logIndex: 0, remainingRaw: 7n, at: hoursLater(48) })
    expect(vestingAt(state, ENOUGH, hoursLater(48)).next).toEqual({ blockNumber: 2n, logIndex: 1, remainingRaw: 5n, at: hoursLater(72) })
    expect(vestingAt(state, ENOUGH, hoursLater(72)).next).toBeNull()
  })

  test('never exceeds the value of the shares after a loss of the pool', () => {
    const state = fold([deposit(10_000_000, 0)])
    const amounts = ({ vestedRaw, unvestedRaw }: { vestedRaw: bigint; unvestedRaw: bigint }) => [vestedRaw, unvestedRaw]
    expect(amounts(vestingAt(state, 6_000_000n, hoursLater(24)))).toEqual([5_000_000n, 1_000_000n])
    expect(amounts(vestingAt(state, 6_000_000n, hoursLater(40)))).toEqual([6_000_000n, 0n])
    expect(amounts(vestingAt(state, 4_000_000n, hoursLater(24)))).toEqual([4_000_000n, 0n])
  })

  test.each<[string, Step[], bigint, number]>([
    ['principal that a loss burnt', [deposit(10_000_000, 0), withdraw(4_000_000, 60, 10_000_000)], 0n, 0],
    ['all of several deposits', [deposit(10, 0), deposit(5, 1), withdraw(3, 60, 15)], 0n, 0],
    ['but for the part of the shares that are left', [deposit(10_000_000, 0), withdraw(4_000_000, 60, 9_999_999)], 1n, 0],
    ['half of it with half of the shares', [deposit(10_000_000, 0), withdraw(2_000_000, 60, 5_000_000)], 5_000_000n, 0],
    ['by what was paid where the pool has earned', [deposit(10_000_000, 0), withdraw(6_000_000, 60, 5_000_000)], 4_000_000n, 0],
    ['also of a deposit at another price', [deposit(10_000_000, 0, 7), withdraw(1, 60, 7), deposit(8, 61, 3)], 0n, 1],
    ['once for each exit', [deposit(9, 0), withdraw(1, 1), withdraw(1, 2, 8), deposit(9, 3), withdraw(1, 60, 9)], 0n, 0],
  ])('ends with the shares: %s', (_name, steps, maturedRaw, tranches) => {
    const state = fold(steps)
    expect([state.maturedRaw, state.tranches.length]).toEqual([maturedRaw, tranches])
  })

  test('begins anew with the deposit after a total exit', () => {
    const steps = [deposit(10_000_000, 0), withdraw(4_000_000, 60, 10_000_000), deposit(10_000_000, 61)]
    expect([vestedAfter(steps, 61), vestedAfter(steps, 85), vestedAfter(steps, 109)]).toEqual([0n, 5_000_000n, 10_000_000n])
  })

  test('an instant before the state counts as the state’s own', () => {
    const state = fold([deposit(48, 0)], hoursLater(12))
    expect(vestingAt(state, ENOUGH, hoursLater(1))).toEqual(vestingAt(state, ENOUGH, hoursLater(12)))
  })
})

describe('a vesting checkpoint', () => {
  test('keeps deposits that have vested in full as one sum', () => {
    const steps = Array.from({ length: 10_000 }, (_, index): Step => deposit(3, index))
    const checkpoint = formatCheckpoint(fold(steps))
    expect([checkpoint.maturedRaw, checkpoint.tranches.length]).toEqual([String(3 * (10_000 - 48)), 48])
    expect(JSON.stringify(checkpoint).length).toBeLessThan(12_000)
  })

  test('continues to the same state as a fold of the whole history', () => {
    const events = poolHistory(Array.from({ length: 10_000 }, (_, index): Step => deposit(3, index)))
    const before = foldPoolEvents(NO_VESTING, events.slice(0, 9_990), 0)
    expect(foldPoolEvents(stored(before), events.slice(9_990), 0)).toEqual(foldPoolEvents(NO_VESTING, events, 0))
  })

  test('ignores events that it counts already, repeated ones and the order in which they arrive', () => {
    const events = poolHistory(TWO_DEPOSITS)
    const [first, second] = events as [PoolEvent, PoolEvent]
    const state = foldPoolEvents(NO_VESTING, [first, second], 0)
    expect(foldPoolEvents(state, [...events, ...events].reverse(), 0)).toEqual(foldPoolEvents(NO_VESTING, events, 0))
  })
})

describe('deposits that have vested in full', () => {
  const vestedUntil = (steps: readonly Step[], hours: number) =>
    tranchesVestedUntil(NO_VESTING, poolHistory(steps), hoursLater(hours)).map((one) => [one.depositedRaw, one.remainingRaw, one.vestedAt])

  test.each<[string, Step[], number, unknown[]]>([
    ['a deposit, a moment before', [deposit(10, 0)], 48 - 1 / HOUR, []],
    ['a deposit, at its instant', [deposit(10, 0)], 48, [[10n, 10n, hoursLater(48)]]],
    ['what a withdrawal left', [deposit(10, 0), withdraw(4, 47)], 50, [[10n, 6n, hoursLater(48)]]],
    ['not what was withdrawn before', [deposit(10, 0), withdraw(10, 47)], 50, []],
    ['also what was withdrawn afterwards', [deposit(10, 0), withdraw(10, 49)], 50, [[10n, 10n, hoursLater(48)]]],
    ['not under a loan', [open('a', 0), deposit(10, 0)], 500, []],
    ['from the closing of a loan on', [open('a', 0), deposit(10, 0), close('a', 3)], 51, [[10n, 10n, hoursLater(51)]]],
    ['two, the older first', [deposit(10, 0), deposit(4, 1)], 60, [...[[10n, 10n, hoursLater(48)]], [4n, 4n, hoursLater(49)]]],
  ])('%s', (_name, steps, hours, vested) => {
    expect(vestedUntil(steps, hours)).toEqual(vested)
  })

  test('are the same in whatever steps time passes, over random histories', () => {
    const int = seededInts(48)
    for (let round = 0; round < runsOf(2_000); round++) {
      const history = poolHistory(randomSteps(int))
      const end = (history.at(-1)?.at ?? 0) + int(72 * HOUR)
      const keys = (until: number) =>
        tranchesVestedUntil(NO_VESTING, history, until).map(({ logIndex, vestedAt }) => `${logIndex} ${vestedAt}`)
      const all = keys(end)
      const state = foldPoolEvents(NO_VESTING, history, end)
      const left = new Set(state.tranches.map(({ logIndex }) => logIndex))
      expect(all.filter((key) => left.has(Number(key.split(' ')[0])))).toEqual([])
      for (const instant of history.map(({ at }) => at)) expect(all.slice(0, keys(instant).length)).toEqual(keys(instant))
    }
  })
})
