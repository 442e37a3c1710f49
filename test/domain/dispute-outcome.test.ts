import { describe, expect, test } from '@jest/globals'
import { releaseOf } from '../../domain/dispute/outcome.ts'
import type { ObservedVerdict, RoundDecision, RoundVerdict } from '../../schemas/dispute-record.ts'
import { aSession } from './session-builder.ts'

const decided = (verdict: RoundVerdict, changes: Partial<RoundDecision> = {}): RoundDecision => ({
  round: 1,
  source: 'arbitrator',
  verdict,
  reasonCode: 'DISPUTE_PARTIAL',
  workerPayoutRaw: null,
  payoutSource: null,
  reasoningHash: null,
  verificationId: null,
  decidedBy: '0xb',
  wordId: null,
  decidedAt: 0,
  preparation: null,
  observed: null,
  ...changes,
})
const shown = (verdict: RoundVerdict, changes: Partial<ObservedVerdict> = {}): ObservedVerdict => ({
  verdict,
  workerPayoutRaw: '0',
  by: '0xa',
  txHash: '0xt',
  at: '2026-01-05T12:00:00.000Z',
  mismatch: false,
  ...changes,
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
    expect(releaseOf(session, decided(verdict))).toEqual({ action, amount: '250000', chainStatus: 'submitted' })
    const observed = shown(verdict)
    expect(releaseOf(session, decided(verdict, { observed }))).toEqual({
      action,
      amount: '250000',
      chainStatus: 'settled_by_verdict',
      txHash: '0xt',
    })
  })

  test('nothing while nothing is decided', () => {
    expect(releaseOf(session, null)).toBeNull()
  })

  test.each(['rejected', 'approved', 'upheld', 'dismissed', 'split', 'timeout'] as const)(
    'nothing while a rejection stands, whatever was decided before: %s',
    (verdict) => {
      expect(releaseOf(session, decided(verdict, { observed: shown('rejected', { mismatch: verdict !== 'rejected' }) }))).toBeNull()
    },
  )

  test('a rejection that is only decided moves none, and what the chain shows instead of it does', () => {
    expect(releaseOf(session, decided('rejected'))).toBeNull()
    const observed = shown('upheld', { mismatch: true })
    expect(releaseOf(session, decided('rejected', { observed }))).toMatchObject({ action: 'slash-to-treasury' })
  })
})
