import { describe, expect, test } from '@jest/globals'
import { type Fact, known } from '../../../domain/common/fact.ts'
import { activationGate, type GatePolicy, gateView, type MeasuredRate, yieldStatusText } from '../../../domain/locked-deposits/gate.ts'
import { cohortOf } from './cohort.ts'

const NOW = Date.parse('2027-01-01T00:00:00.000Z')
const DAY = 86_400_000
const USDC = { symbol: 'USDC', decimals: 6 }
const rate = (principalRaw: bigint, yieldRaw: bigint, elapsedSeconds: bigint): MeasuredRate => ({
  evidence: 'https://venue.example/reports/7',
  principalRaw,
  yieldRaw,
  elapsedSeconds,
})
const DAILY = rate(10_000_000n, 10_000n, 86_400n)
const WEEKLY = rate(9_500_000n, 9_000n, 604_800n)
const policyWith = (measured: MeasuredRate | null): GatePolicy => ({ minimumRaw: 15_000_000n, frictionRaw: 51_765n, rate: measured })
const one = (amountRaw: bigint, days: number) => known(cohortOf([{ id: '0xa', amountRaw, expiresAt: NOW + days * DAY }]))
const gate = (amountRaw: bigint, days: number, measured: MeasuredRate | null) =>
  activationGate(one(amountRaw, days), policyWith(measured), NOW)

describe('the activation gate', () => {
  // The vectors of money, "Activation gate".
  test.each([
    [DAILY, 25_000_000n, 28, 700_000n, []],
    [WEEKLY, 25_000_000n, 89, 301_127n, []],
    [WEEKLY, 25_000_000n, 10, 33_834n, ['projected_cycle_yield_below_2x_friction']],
    [WEEKLY, 30_000_000n, 30, 121_804n, []],
    [null, 25_000_000n, 28, 0n, ['venue_rate_unmeasured']],
    [null, 14_999_999n, 28, 0n, ['locked_cohort_below_minimum', 'venue_rate_unmeasured']],
  ])('%# projects what the vectors say', (measured, amountRaw, days, projectedRaw, blockers) => {
    expect(gate(amountRaw, days, measured)).toMatchObject({
      projectedRaw,
      blockers,
      open: blockers.length === 0,
      requiredRaw: 103_530n,
      cycleDays: days,
    })
  })

  test('takes whole days, of the lock that ends first and then of the smallest id', () => {
    const cohort = cohortOf([
      { id: '0xc', amountRaw: 1n, expiresAt: NOW + 3 * DAY - 1 },
      { id: '0xb', amountRaw: 2n, expiresAt: NOW + 3 * DAY - 1 },
      { id: '0xa', amountRaw: 4n, expiresAt: NOW + 9 * DAY },
    ])
    expect(activationGate(known(cohort), policyWith(DAILY), NOW)).toMatchObject({
      totalRaw: 7n,
      count: 3,
      cycleDays: 2,
      shortest: { id: '0xb' },
    })
  })

  test('is closed without locks, and when they cannot be read', () => {
    expect(activationGate(known(cohortOf([])), policyWith(DAILY), NOW)).toMatchObject({
      open: false,
      cycleDays: 0,
      blockers: ['no_active_locks', 'locked_cohort_below_minimum', 'projected_cycle_yield_below_2x_friction'],
    })
    expect(activationGate('unreadable', policyWith(null), NOW)).toMatchObject({
      open: false,
      cycleDays: null,
      blockers: ['active_lock_composition_unreadable', 'locked_cohort_below_minimum', 'venue_rate_unmeasured'],
    })
  })

  const UNREAD = activationGate('unreadable', policyWith(DAILY), NOW)
  const OPEN = gate(25_000_000n, 28, DAILY)
  const WITHOUT_SHARES = 'Open, and the pool has placed 5 USDC in its venue, but locked capital holds no pool shares: it earns nothing.'
  const WITH_SHARES =
    'Open, and the pool has placed 5 USDC in its venue. The pool shares of this wallet follow the price of the pool; the locked amount itself earns nothing.'
  const CLOSED = 'Closed: locks earn nothing.'
  const UNOBSERVED = 'Open. What the pool has placed in its venue cannot be observed here, so no yield is claimed.'
  test.each<[decided: typeof OPEN, placedRaw: Fact<bigint>, hasPoolShares: boolean, text: string]>([
    [gate(25_000_000n, 28, null), known(0n), false, `${CLOSED} No operator has measured what the venue pays.`],
    [gate(25_000_000n, 10, WEEKLY), known(0n), false, `${CLOSED} One cycle would earn 0.033834 USDC, and twice its cost is 0.10353 USDC.`],
    [UNREAD, known(0n), false, `${CLOSED} The active locks cannot be read.`],
    [OPEN, known(0n), false, 'Open, but the pool has placed no principal in a venue: locks earn nothing yet.'],
    [OPEN, known(5_000_000n), false, WITHOUT_SHARES],
    [OPEN, 'unreadable', false, UNOBSERVED],
    [OPEN, known(5_000_000n), true, WITH_SHARES],
  ])('%# says what is true of the yield', (decided, placedRaw, hasPoolShares, text) => {
    const { rate: measured } = decided.blockers.includes('venue_rate_unmeasured') ? policyWith(null) : policyWith(DAILY)
    expect(yieldStatusText(decided, policyWith(measured), { placedRaw, hasPoolShares }, USDC)).toBe(text)
  })

  test('tells no sum of a cohort that it could not read', () => {
    const unread = activationGate('unreadable', policyWith(null), NOW)
    expect(yieldStatusText(unread, policyWith(null), { placedRaw: known(0n), hasPoolShares: false }, USDC)).toBe(
      'Closed: locks earn nothing. The active locks cannot be read. No operator has measured what the venue pays.',
    )
  })

  test('shows its evidence', () => {
    const policy = policyWith(WEEKLY)
    expect(gateView(gate(25_000_000n, 89, WEEKLY), policy, { placedRaw: known(0n), hasPoolShares: false }, USDC)).toMatchObject({
      open: true,
      status: 'open',
      totalLocked: { raw: '25000000' },
      minimumLocked: { raw: '15000000' },
      override: 'none',
      projection: {
        cycleSetBy: { rule: 'shortest_remaining_active_lock_term', activeLockCount: 1, shortestRemainingDays: 89, lockId: '0xa' },
        basis: { observedPrincipal: { display: '9.5' }, observedYield: { display: '0.009' }, observedSeconds: '604800' },
      },
      friction: { cycleFriction: { raw: '51765' }, roundTripsPerTerm: 1, marginMultiple: 2, requiredProjectedYield: { raw: '103530' } },
    })
  })
})
