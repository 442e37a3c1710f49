import { describe, expect, test } from '@jest/globals'
import { known } from '../../../domain/common/fact.ts'
import { type PriorityFacts, priorityDecision, priorityOpenAt, priorityWindowView } from '../../../domain/eligibility/priority-window.ts'
import { aJob, NOW, PRIORITY_OFF } from '../builders/eligibility.ts'

const ON = { ...PRIORITY_OFF, enabled: true }
const WITH_LOCKS = { ...ON, tierPerksEnabled: true }
const fresh = aJob({ listedAt: NOW })
const facts = (changes: Partial<PriorityFacts> = {}): PriorityFacts => ({
  directoryListed: known(false),
  capacity: known({ vestedDepositRaw: 0n, lockTier: 'flex' }),
  outstandingCreditRaw: known(0n),
  ...changes,
})
const deposit = (vestedDepositRaw: bigint, lockTier: 'flex' | 't7' | 't90' = 'flex') => known({ vestedDepositRaw, lockTier })
const statusOf = (changes: Partial<PriorityFacts>, policy = ON) => priorityDecision(fresh, facts(changes), policy, NOW).status

describe('which jobs have a window', () => {
  test('none while the switch is off', () => {
    expect(priorityOpenAt(fresh, PRIORITY_OFF)).toBeNull()
    expect(priorityDecision(fresh, facts(), PRIORITY_OFF, NOW)).toMatchObject({ status: 'not_windowed', blocked: false, openAt: null })
    expect(priorityWindowView(fresh, PRIORITY_OFF)).toBeUndefined()
  })

  test('curated jobs of at least one whole unit, for half an hour after listing', () => {
    expect(priorityWindowView(fresh, ON)?.openAt).toBe('2026-03-01T12:30:00.000Z')
    expect(priorityOpenAt({ ...fresh, rewardRaw: 999_999n }, ON)).toBeNull()
    expect(priorityOpenAt({ ...fresh, postingRoute: 'external-direct' }, ON)).toBeNull()
    expect(priorityOpenAt({ ...fresh, rewardAsset: 'vDOT' }, ON)).toBeNull()
    expect(priorityOpenAt(aJob({ listedAt: NOW, definition: { onboardingWaiverEligible: true } }), ON)).toBeNull()
  })

  test('a longer setting is held to the maximum', () => {
    expect(priorityOpenAt(fresh, { ...ON, windowSeconds: 86_400 })).toBe(NOW + 1_800_000)
    expect(priorityOpenAt(fresh, { ...ON, windowSeconds: 60 })).toBe(NOW + 60_000)
  })

  test('it is open to everyone from openAt on', () => {
    const at = (now: number) => priorityDecision(fresh, facts(), ON, now).status
    expect(at(NOW + 1_799_999)).toBe('priority_window_active')
    expect(at(NOW + 1_800_000)).toBe('open_to_everyone')
  })
})

describe('who qualifies', () => {
  test('listed agents, and depositors without a credit draw', () => {
    expect(statusOf({})).toBe('priority_window_active')
    expect(statusOf({ directoryListed: known(true), outstandingCreditRaw: known(5n) })).toBe('priority_qualified')
    expect(statusOf({ capacity: deposit(1_000_000n) })).toBe('priority_qualified')
    expect(statusOf({ capacity: deposit(999_999n) })).toBe('priority_window_active')
    expect(statusOf({ capacity: deposit(1_000_000n), outstandingCreditRaw: known(1n) })).toBe('priority_window_active')
  })

  test('a lock counts only while tier perks are on', () => {
    expect(statusOf({ capacity: deposit(0n, 't7') })).toBe('priority_window_active')
    expect(statusOf({ capacity: deposit(0n, 't7') }, WITH_LOCKS)).toBe('priority_qualified')
    expect(statusOf({ capacity: deposit(0n) }, WITH_LOCKS)).toBe('priority_window_active')
    expect(priorityWindowView(fresh, WITH_LOCKS)?.qualifiesWith).toMatch(/deposit lock.*vested pool deposit.*directory/)
    expect(priorityWindowView(fresh, ON)?.qualifiesWith).toMatch(/^(?!.*deposit lock).*vested pool deposit.*directory/)
  })

  test('what cannot be read does not qualify, what was not read does not refuse', () => {
    const blocked = (changes: Partial<PriorityFacts>) => priorityDecision(fresh, facts(changes), ON, NOW).blocked
    expect(blocked({ capacity: 'unreadable' })).toBe(true)
    expect(blocked({ capacity: deposit(1_000_000n), outstandingCreditRaw: 'unreadable' })).toBe(true)
    expect(blocked({ capacity: 'unknown' })).toBe(false)
    expect(blocked({ capacity: deposit(1_000_000n), outstandingCreditRaw: 'unknown' })).toBe(false)
    expect(blocked({ directoryListed: 'unknown' })).toBe(false)
    expect(blocked({ capacity: 'unknown', outstandingCreditRaw: known(1n) })).toBe(true)
    expect(statusOf({ capacity: deposit(1_000_000n), outstandingCreditRaw: 'unknown' })).toBe('priority_window_active')
  })

  test('longer locks rank higher', () => {
    expect(priorityDecision(fresh, facts({ capacity: deposit(0n, 't90') }), WITH_LOCKS, NOW).view).toMatchObject({
      tier: 't90',
      priorityRank: 3,
      qualifies: true,
    })
  })
})

describe('the evidence', () => {
  const view = (changes: Partial<PriorityFacts>) => priorityDecision(fresh, facts(changes), ON, NOW).view
  const NOT_READ = {
    tier: 'flex',
    lockTier: 'flex',
    priorityRank: 0,
    vestedDeposit: null,
    vestedDepositRaw: null,
    thresholdRaw: '1000000',
    threshold: '1',
    vestingAvailable: false,
    outstandingCredit: null,
    outstandingCreditRaw: null,
    creditPositionAvailable: false,
    noOutstandingCreditDraw: false,
    depositQualified: false,
    directoryListed: false,
    status: 'priority_window_active',
    qualifies: false,
  }

  test.each(['unknown', 'unreadable'] as const)('claims nothing of facts that are %s', (fact) => {
    expect(view({ directoryListed: fact, capacity: fact, outstandingCreditRaw: fact })).toEqual(NOT_READ)
  })

  test('of a depositor has the deposit and the absence of a draw', () => {
    expect(view({ capacity: deposit(1_000_000n, 't7') })).toEqual({
      ...NOT_READ,
      tier: 't7',
      lockTier: 't7',
      priorityRank: 1,
      vestedDeposit: '1',
      vestedDepositRaw: '1000000',
      vestingAvailable: true,
      outstandingCredit: '0',
      outstandingCreditRaw: '0',
      creditPositionAvailable: true,
      noOutstandingCreditDraw: true,
      depositQualified: true,
      status: 'priority_qualified',
      qualifies: true,
    })
  })

  test('of a listed agent separates the listing from the deposit, which a credit draw disqualifies', () => {
    expect(view({ directoryListed: known(true), capacity: deposit(1_000_000n), outstandingCreditRaw: known(5n) })).toMatchObject({
      outstandingCreditRaw: '5',
      creditPositionAvailable: true,
      noOutstandingCreditDraw: false,
      depositQualified: false,
      directoryListed: true,
      qualifies: true,
    })
  })
})
