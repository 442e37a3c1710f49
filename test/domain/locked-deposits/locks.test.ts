import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Fact, known } from '../../../domain/common/fact.ts'
import { checkLock, LIVE_LOCKS_MAX, type LockChainFacts, type LockPolicy, type LockSums } from '../../../domain/locked-deposits/checks.ts'
import { activationGate } from '../../../domain/locked-deposits/gate.ts'
import { activeLocks, covers, encumberedRaw, exitAt, type Lock, lockAt, sumOf, termEnd } from '../../../domain/locked-deposits/lock.ts'
import { tierState } from '../../../domain/locked-deposits/state.ts'
import {
  countingTier,
  forfeitTermsHash,
  isCohortTier,
  RISK_SENTENCE,
  TIER_TERMS,
  tierRank,
  tierTermsView,
} from '../../../domain/locked-deposits/tiers.ts'
import { LOCK_TIERS, TERM_TIERS, type TermTier } from '../../../schemas/locked-deposits/record.ts'
import { runsOf } from '../../support/cases/sample.ts'
import { cohortOf } from './cohort.ts'

const T0 = Date.parse('2027-01-01T00:00:00.000Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NO_CREDIT = known({ debtRaw: 0n, staleSeconds: 0 })

const aLock = (tier: TermTier, changes: Partial<Lock> = {}): Lock => ({
  id: `0x${'ab'.repeat(32)}`,
  wallet: '0xa1',
  tier,
  amountRaw: 5_000_000n,
  lockedAt: T0,
  termDays: TIER_TERMS[tier].termDays,
  expiresAt: termEnd(T0, TIER_TERMS[tier].termDays),
  status: 'active',
  publicProfileOptIn: false,
  exitRequestedAt: null,
  exitReason: null,
  releaseAt: null,
  releasedAt: null,
  releaseReason: null,
  ...changes,
})

describe('a lock', () => {
  test.each([
    ['t7', 7],
    ['t30', 30],
    ['t90', 90],
  ] as const)('of %s is active to the last millisecond of day %d and released at its end', (tier, days) => {
    const end = T0 + days * DAY
    expect(lockAt(aLock(tier), end - 1).status).toBe('active')
    expect(lockAt(aLock(tier), end)).toMatchObject({ status: 'released', releasedAt: end, releaseReason: 'term_completed' })
    expect(lockAt(aLock(tier), end + 90 * DAY)).toMatchObject({ releasedAt: end })
  })

  test('exits in 48 hours, once, even when its term ends before', () => {
    const asked = T0 + 7 * DAY - 1
    const exiting = exitAt(aLock('t7'), 'requested', asked)
    expect(exiting).toMatchObject({ status: 'exiting', exitRequestedAt: asked, exitReason: 'requested', releaseAt: asked + 48 * HOUR })
    expect(exitAt(exiting, 'balance_below_encumbered', asked + HOUR)).toEqual(exiting)
    expect(lockAt(exiting, asked + 48 * HOUR - 1).status).toBe('exiting')
    expect(lockAt(exiting, asked + 48 * HOUR)).toMatchObject({
      status: 'released',
      releasedAt: asked + 48 * HOUR,
      releaseReason: 'early_exit_vesting_completed',
    })
    expect(exitAt(aLock('t7'), 'requested', T0 + 7 * DAY)).toMatchObject({ status: 'released', exitRequestedAt: null })
  })

  test('binds while it is active or exits, and the balance covers it to the unit', () => {
    const locks = [aLock('t7'), exitAt(aLock('t30'), 'requested', T0), exitAt(aLock('t90'), 'requested', T0 - 48 * HOUR)]
    expect([encumberedRaw(locks, T0), sumOf(activeLocks(locks, T0))]).toEqual([10_000_000n, 5_000_000n])
    expect(covers({ liquid: 6_000_000n, strategyAllocated: 4_000_000n }, 10_000_000n)).toBe(true)
    expect(covers({ liquid: 6_000_000n, strategyAllocated: 3_999_999n }, 10_000_000n)).toBe(false)
  })
})

describe('the tiers', () => {
  test('are ranked once, with the terms of the specification', () => {
    expect(LOCK_TIERS.map(tierRank)).toEqual([0, 1, 2, 3])
    expect(TERM_TIERS.map((tier) => [tierTermsView(tier).termDays, tierTermsView(tier).perks.length, isCohortTier(tier)])).toEqual([
      [7, 1, false],
      [30, 2, true],
      [90, 3, true],
    ])
    expect(TERM_TIERS.map((tier) => TIER_TERMS[tier].creditClass)).toEqual([null, 'standard', 'better_terms'])
    expect(forfeitTermsHash('t30')).toBe(forfeitTermsHash('t90'))
    expect(forfeitTermsHash('t7')).not.toBe(forfeitTermsHash('t30'))
  })

  test('are stated in ASCII without line breaks, so that a message of them is unambiguous', () => {
    for (const text of [
      RISK_SENTENCE,
      ...TERM_TIERS.flatMap((tier) => [TIER_TERMS[tier].yield, TIER_TERMS[tier].earlyExit, ...TIER_TERMS[tier].perks]),
    ])
      expect(text).toMatch(/^[\x20-\x7e]+$/)
  })

  test('follow the active lock with the longest term', () => {
    const locks = [aLock('t7'), aLock('t90'), aLock('t30')]
    const stateOf = (held: Lock[], now = T0) => tierState(held, NO_CREDIT, true, now)
    const all = { tier: 't90', contractualTier: 't90', priorityRank: 3, perksActive: true, lockedRaw: 15_000_000n }
    expect(stateOf(locks)).toMatchObject(all)
    expect(stateOf(locks, T0 + 40 * DAY)).toMatchObject({ tier: 't90', lockedRaw: 5_000_000n })
    const left = locks.map((lock) => (lock.tier === 't90' ? exitAt(lock, 'requested', T0) : lock))
    expect(stateOf(left)).toMatchObject({ tier: 't30', lockedRaw: 10_000_000n, encumberedRaw: 15_000_000n })
    expect(stateOf([])).toMatchObject({ tier: 'flex', priorityRank: 0, perksActive: false, lockedRaw: 0n, encumberedRaw: 0n })
    expect(tierState(locks, NO_CREDIT, false, T0)).toMatchObject({ tier: 't90', perksActive: false })
  })

  test.each([
    ['t90', known({ debtRaw: 1n, staleSeconds: 0 }), 'flex', 'outstanding_credit_draw', null],
    ['t90', 'unreadable', 'flex', 'credit_position_unavailable', null],
    ['t90', known({ debtRaw: 0n, staleSeconds: 299 }), 't90', null, 299],
    ['t30', known({ debtRaw: 1n, staleSeconds: 0 }), 't30', null, null],
    ['t7', 'unreadable', 't7', null, null],
  ] as const)('%s with credit %j counts as %s', (tier, credit, counts, perksSuspendedReason, creditReadStaleSeconds) => {
    expect(tierState([aLock(tier)], credit, true, T0)).toMatchObject({
      tier: counts,
      contractualTier: tier,
      priorityRank: tierRank(counts),
      perksSuspendedReason,
      creditReadStaleSeconds,
    })
  })

  test('count as Flex for a holder of t90 that owes anything', () => {
    expect([countingTier('t90', 0n), countingTier('t90', 1n), countingTier('t90', undefined), countingTier('t30', 1n)]).toEqual([
      ...['t90', 'flex', 'flex', 't30'],
    ])
  })
})

const POLICY: LockPolicy = { enabled: true, perksEnabled: true, walletCapRaw: 25_000_000n, cohortCapRaw: 1_000_000_000n }
const position = (changes = {}) => ({
  liquid: 30_000_000n,
  reserved: 0n,
  strategyAllocated: 0n,
  collateralLocked: 0n,
  jobStakeLocked: 0n,
  debtOutstanding: 0n,
  ...changes,
})
const pool = (changes = {}) => ({
  block: 9n,
  managedRaw: 1n,
  supplyRaw: 1n,
  placedRaw: 0n,
  balanceRaw: 0n,
  headroomRaw: 900_000_000n,
  holderHeadroomRaw: 100_000_000n,
  ...changes,
})
const chainFacts = (changes: Partial<LockChainFacts> = {}): LockChainFacts => ({
  position: known(position()),
  claims: known({ block: 1n, claimCount: 0 }),
  creditDebtRaw: known(0n),
  pool: known(pool()),
  ...changes,
})
const NONE: LockSums = { walletActiveRaw: 0n, encumberedRaw: 0n, bondsRaw: 0n, liveCount: 0, cohortRaw: 0n }

describe('a new lock', () => {
  type Row = [amountRaw: bigint, facts: Partial<LockChainFacts>, sums: Partial<LockSums>, policy: Partial<LockPolicy>, code: string | null]
  const rows: Row[] = [
    [1n, { creditDebtRaw: 'unreadable' }, {}, { enabled: false }, 'locked_tiers_disabled'],
    [1n, { creditDebtRaw: 'unreadable', position: 'unreadable' }, {}, {}, 'locked_tier_credit_position_unavailable'],
    [1n, { creditDebtRaw: known(1n), position: 'unreadable' }, {}, {}, 'locked_tier_outstanding_credit_draw'],
    [1n, { position: known(position({ debtOutstanding: 1n })) }, {}, {}, 'locked_tier_outstanding_credit_draw'],
    [1n, { position: 'unreadable', pool: 'unreadable' }, {}, {}, 'locked_tier_aac_balance_unavailable'],
    [25_000_000n, { position: known(position({ liquid: 24_999_999n })) }, {}, {}, 'locked_tier_insufficient_aac_liquid'],
    [25_000_000n, {}, { encumberedRaw: 5_000_001n }, {}, 'locked_tier_insufficient_aac_liquid'],
    [25_000_000n, {}, { encumberedRaw: 5_000_000n, bondsRaw: 1n }, {}, 'locked_tier_insufficient_aac_liquid'],
    [25_000_000n, { claims: 'unreadable' }, {}, {}, 'locked_tier_aac_balance_unavailable'],
    [25_000_000n, {}, { encumberedRaw: 5_000_000n }, {}, null],
    [25_000_000n, {}, {}, {}, null],
    [25_000_001n, { pool: 'unreadable' }, {}, {}, 'locked_tier_per_wallet_cap_exceeded'],
    [5_000_001n, {}, { walletActiveRaw: 20_000_000n }, {}, 'locked_tier_per_wallet_cap_exceeded'],
    [1n, { pool: 'unreadable' }, { liveCount: LIVE_LOCKS_MAX }, {}, 'locked_tier_per_wallet_cap_exceeded'],
    [1n, { pool: 'unreadable' }, {}, {}, 'locked_tier_nav_unavailable'],
    [5_000_001n, {}, { cohortRaw: 995_000_000n }, {}, 'locked_tier_cohort_cap_exceeded'],
    [5_000_000n, { pool: known(pool({ headroomRaw: 4_999_999n })) }, {}, {}, 'locked_tier_cohort_cap_exceeded'],
    [5_000_000n, { pool: known(pool({ headroomRaw: 5_000_000n })) }, {}, {}, null],
    [5_000_001n, { pool: known(pool({ holderHeadroomRaw: 5_000_000n })) }, {}, {}, 'locked_tier_pool_per_agent_cap_exceeded'],
  ]
  test.each(rows)('%# of %d is refused by the first check that fails', (amountRaw, facts, sums, policy, code) => {
    const refusal = checkLock({ tier: 't30', amountRaw }, chainFacts(facts), { ...NONE, ...sums }, { ...POLICY, ...policy })
    expect(refusal?.code ?? null).toBe(code)
  })

  test('of t7 needs the perks', () => {
    const check = (tier: TermTier) => checkLock({ tier, amountRaw: 1n }, chainFacts(), NONE, { ...POLICY, perksEnabled: false })?.code
    expect([check('t7'), check('t30')]).toEqual(['locked_tier_disabled', undefined])
  })
})

/** A lock in the slow model: only what was done to it, and when. */
interface Made {
  tier: TermTier
  amountRaw: bigint
  madeAt: number
  leftAt: number | null
}
const DAYS: Record<TermTier, number> = { t7: 7, t30: 30, t90: 90 }
const isIn = (lock: Made, now: number) => now < lock.madeAt + DAYS[lock.tier] * DAY && (lock.leftAt === null || now < lock.leftAt)
const binds = (lock: Made, now: number) => now < (lock.leftAt === null ? lock.madeAt + DAYS[lock.tier] * DAY : lock.leftAt + 2 * DAY)

/** As `toBe`, without its cost. */
const assertSame = (found: unknown, wanted: unknown): void => {
  if (found !== wanted) throw new Error(`${String(found)}, and the model says ${String(wanted)}`)
}

describe('random histories', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('lock' as const), tier: fc.constantFrom(...TERM_TIERS), amountRaw: fc.bigInt(1n, 12_000_000n) }),
    fc.record({ act: fc.constant('exit' as const), index: fc.nat(9) }),
    fc.record({ act: fc.constant('check' as const), heldRaw: fc.bigInt(0n, 30_000_000n) }),
    fc.record({
      act: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 1, HOUR, 2 * DAY - 1, 2 * DAY, 7 * DAY - 1, 7 * DAY, 23 * DAY, 30 * DAY, 90 * DAY),
    }),
  )

  test('all of them end as a model says that knows acts and instants only', () => {
    const readCredit: Fact<{ debtRaw: bigint; staleSeconds: number }> = NO_CREDIT
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        let now = T0
        let locks: Lock[] = []
        const model: Made[] = []
        for (const one of steps) {
          if (one.act === 'wait') now += one.ms
          else if (one.act === 'lock') {
            const active = activeLocks(locks, now)
            const sums = {
              walletActiveRaw: sumOf(active),
              encumberedRaw: encumberedRaw(locks, now),
              bondsRaw: 0n,
              liveCount: locks.length,
              cohortRaw: sumOf(active.filter(({ tier }) => isCohortTier(tier))),
            }
            const refused = checkLock(one, chainFacts(), sums, POLICY) !== null
            const [inTerm, bound] = [model.filter((lock) => isIn(lock, now)), model.filter((lock) => binds(lock, now))]
            const total = (held: Made[]) => one.amountRaw + sumOf(held)
            assertSame(refused, total(inTerm) > 25_000_000n || total(bound) > 30_000_000n)
            if (!refused) {
              const expiresAt = termEnd(now, TIER_TERMS[one.tier].termDays)
              locks = [...locks, aLock(one.tier, { ...one, id: `0x${locks.length}`, lockedAt: now, expiresAt })]
              model.push({ tier: one.tier, amountRaw: one.amountRaw, madeAt: now, leftAt: null })
            }
          } else {
            const boundRaw = sumOf(model.filter((lock) => binds(lock, now)))
            const uncovered = one.act === 'check' && !covers({ liquid: one.heldRaw, strategyAllocated: 0n }, encumberedRaw(locks, now))
            if (one.act === 'check') assertSame(uncovered, one.heldRaw < boundRaw)
            const leaves = (index: number) => (one.act === 'exit' ? index === one.index : uncovered)
            locks = locks.map((lock, index) => (leaves(index) ? exitAt(lock, 'requested', now) : lock))
            for (const [index, lock] of model.entries()) if (leaves(index) && isIn(lock, now)) lock.leftAt = now
          }
          const inTerm = model.filter((lock) => isIn(lock, now))
          const longest = inTerm.reduce((days, { tier }) => Math.max(days, DAYS[tier]), 0)
          const state = tierState(locks, readCredit, true, now)
          assertSame(state.contractualTier, longest === 0 ? 'flex' : `t${longest}`)
          assertSame(state.lockedRaw, sumOf(inTerm))
          assertSame(state.encumberedRaw, sumOf(model.filter((lock) => binds(lock, now))))
          const cohort = inTerm.filter(({ tier }) => tier !== 't7')
          const active = cohortOf(activeLocks(locks, now).filter(({ tier }) => isCohortTier(tier)))
          const gate = activationGate(known(active), { minimumRaw: 1n, frictionRaw: 1n, rate: null }, now)
          assertSame(gate.count, cohort.length)
          assertSame(gate.totalRaw, sumOf(cohort))
        }
      }),
      { numRuns: runsOf(100_000) },
    )
  })
})
