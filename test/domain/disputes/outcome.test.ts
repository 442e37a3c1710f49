import { describe, expect, test } from '@jest/globals'
import { bondRelease, describeDecision, finalVerdict, isOverruled, SESSION_AFTER } from '../../../domain/disputes/outcome.ts'
import { canReadDispute, canReadEveryDispute } from '../../../domain/disputes/readers.ts'
import { verdictForPayout } from '../../../domain/settlement/award.ts'
import type { RoundDecision } from '../../../schemas/disputes/record.ts'
import type { ObservedVerdict } from '../../../schemas/disputes/stages.ts'
import type { RoundVerdict } from '../../../schemas/sessions/verdicts.ts'
import { aDecision, anObservedVerdict } from '../builders/dispute.ts'
import { aSession } from '../builders/session.ts'

const AT = '2026-01-05T12:00:00.000Z'
const decided = (verdict: RoundVerdict, changes: Partial<RoundDecision> = {}) => aDecision({ verdict, decidedBy: '0xb', ...changes })
const shown = (verdict: RoundVerdict, changes: Partial<ObservedVerdict> = {}) =>
  anObservedVerdict({ verdict, by: '0xa', at: AT, ...changes })

test('who is paid all that was left has won, who is paid a part got a split', () => {
  const verdicts = [999_999n, 1_000_000n, 1_000_001n].map((payoutRaw) => verdictForPayout(payoutRaw, 1_000_000n))
  expect(verdicts).toEqual(['split', 'dismissed', 'dismissed'])
})

test('an arbitration leaves its session rejected, paid, or closed by the time-out', () => {
  expect(SESSION_AFTER).toEqual({ upheld: 'rejected', dismissed: 'resolved', split: 'resolved', timeout: 'closed' })
})

describe('a dispute is read', () => {
  const parties = { claimant: '0xa', respondent: '0xb' }
  const wallet = '0xc'

  test.each(['admin', 'verifier', 'arbitrator'] as const)('by every %s', (role) => {
    expect(canReadEveryDispute({ wallet, roles: [role] })).toBe(true)
    expect(canReadDispute(parties, { wallet, roles: [role] })).toBe(true)
  })

  test('by its parties, and by no other wallet', () => {
    const sees = (reader: string, respondent: string | null = '0xb') =>
      canReadDispute({ claimant: '0xa', respondent }, { wallet: reader, roles: [] })
    expect([sees('0xa'), sees('0xb'), sees(wallet), sees('0xb', null)]).toEqual([true, true, false, false])
    expect(canReadEveryDispute({ wallet: '0xa', roles: [] })).toBe(false)
  })
})

describe('a word and what the chain shows', () => {
  const WORDS: [string, RoundVerdict, bigint | null, RoundVerdict, string, boolean][] = [
    ['as decided', 'split', 600_000n, 'split', '600000', false],
    ['another sum', 'split', 600_000n, 'split', '700000', true],
    ['a split of everything is a dismissal', 'split', 2_000_000n, 'dismissed', '2000000', false],
    ['and the other way', 'dismissed', 2_000_000n, 'split', '2000000', false],
    ['a time-out that moves as much as the split', 'split', 1_000_000n, 'timeout', '1000000', true],
    ['a split that moves as much as the time-out', 'timeout', 1_000_000n, 'split', '1000000', true],
    ['the time-out', 'timeout', 1_000_000n, 'timeout', '1000000', false],
    ['a rejection that stands where the word paid nothing, either', 'upheld', 0n, 'rejected', '0', true],
    ['a rejection that the chain gave itself', 'rejected', 0n, 'rejected', '0', false],
    ['people’s word', 'approved', null, 'approved', '1950000', false],
    ['against people’s word', 'approved', null, 'rejected', '0', true],
    ['people’s word that an arbitrator was faster than', 'approved', null, 'dismissed', '2000000', true],
  ]
  test.each(WORDS)('%s', (_what, verdict, workerPayoutRaw, word, payout, overruled) => {
    const decision = { verdict, workerPayoutRaw }
    const observed = { verdict: word, workerPayoutRaw: payout }
    expect(isOverruled(decision, observed)).toBe(overruled)
    expect(finalVerdict(decision, observed)).toBe(overruled ? word : verdict)
  })

  test('without a decision the outcome on chain counts', () => {
    expect(finalVerdict(null, { verdict: 'upheld', workerPayoutRaw: '0' })).toBe('upheld')
  })
})

describe('a decided round is described', () => {
  const decision = decided('split', {
    workerPayoutRaw: null,
    decidedAt: Date.UTC(2026, 0, 4),
    reasoningHash: '0xh',
    payoutSource: 'operator_supplied',
  })
  const own = {
    verdict: 'split',
    decidedBy: '0xb',
    decidedAt: '2026-01-04T00:00:00.000Z',
    source: 'arbitrator',
    reasoningHash: '0xh',
    payoutSource: 'operator_supplied',
  }

  test('with its own author, instant and reasons, also when the chain shows it', () => {
    expect(describeDecision(decision)).toEqual(own)
    expect(describeDecision({ ...decision, observed: shown('split') })).toEqual(own)
    // As the record of before says it: a split of everything is a dismissal.
    expect(describeDecision({ ...decision, observed: shown('dismissed') })).toEqual({ ...own, verdict: 'dismissed' })
  })

  test.each(['upheld', 'timeout', 'rejected'] as const)(
    'where the chain overruled it, as the chain’s, without its reasons: %s',
    (verdict) => {
      expect(describeDecision({ ...decision, observed: shown(verdict, { mismatch: true }) })).toEqual({
        verdict,
        decidedBy: '0xa',
        decidedAt: AT,
        source: 'chain',
        reasoningHash: null,
        payoutSource: null,
      })
    },
  )
})

describe('what a verdict does with the bond', () => {
  const session = aSession()
  const ACTIONS = [
    ['upheld', 'slash-to-treasury'],
    ['timeout', 'contract'],
    ['dismissed', 'return-to-depositor'],
    ['split', 'return-to-depositor'],
    ['approved', 'return-to-depositor'],
  ] as const

  test.each(ACTIONS)('%s: %s, whole, on its way until the chain shows it', (verdict, action) => {
    const amount = { raw: '250000', decimals: 6, display: '0.25' }
    expect(bondRelease(session, decided(verdict))).toEqual({ action, amount, chainStatus: 'submitted' })
    const paid = decided(verdict, { observed: shown(verdict) })
    expect(bondRelease(session, paid)).toEqual({ action, amount, chainStatus: 'settled_by_verdict', txHash: '0xt' })
  })

  test('nothing while nothing is decided', () => {
    expect(bondRelease(session, null)).toBeNull()
  })

  test.each(['rejected', 'approved', 'upheld', 'dismissed', 'split', 'timeout'] as const)(
    'nothing while a rejection stands, whatever was decided before: %s',
    (verdict) => {
      expect(bondRelease(session, decided(verdict, { observed: shown('rejected', { mismatch: verdict !== 'rejected' }) }))).toBeNull()
    },
  )

  test('a rejection that is only decided moves none, and what the chain shows instead of it does', () => {
    expect(bondRelease(session, decided('rejected'))).toBeNull()
    const observed = shown('upheld', { mismatch: true })
    expect(bondRelease(session, decided('rejected', { observed }))).toMatchObject({ action: 'slash-to-treasury' })
  })
})
