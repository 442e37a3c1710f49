import { describe, expect, test } from '@jest/globals'
import { iso } from '../../../domain/common/instants.ts'
import { replacementOf } from '../../../domain/sessions/replaced-verdict.ts'
import { SESSION_STATUSES, type SessionStatus } from '../../../schemas/sessions/record.ts'
import type { RoundVerdict } from '../../../schemas/sessions/verdicts.ts'
import { VERDICT_OUTCOMES } from '../../../schemas/sessions/verdicts.ts'

const AT = iso(Date.UTC(2026, 0, 5, 12))
const LATER = iso(Date.UTC(2026, 0, 19, 12))
const resolution = (verdict: RoundVerdict) => ({
  disputeId: 'dispute-0a96015779ab',
  kind: 'arbitration',
  verdict,
  workerShareBps: 0,
  reasonCode: `CODE_OF_${verdict}`,
  workerPayout: { asset: 'USDC', raw: '0', decimals: 6, display: '0' },
  txHash: '0x1',
  decidedAt: LATER,
})
const overturn = { by: '0xb', note: 'The terms were read wrong.', at: AT }
const session = (status: SessionStatus, more: object = {}) => ({ status, disputeResolution: null, operatorOverturn: null, ...more })

const itemsFor = (outcome: 'approved' | 'rejected') => [
  { criterion: 'arbitrator_accepts', result: outcome === 'approved' ? 'met' : 'unmet', evidence: '/verdict' },
]

describe('what stands in the place of a verdict', () => {
  test.each(SESSION_STATUSES)('is nothing while no dispute of a session that is %s was decided', (status) => {
    for (const outcome of VERDICT_OUTCOMES) expect(replacementOf(session(status), { outcome })).toBeNull()
  })

  test.each([
    ['upheld', 'rejected'],
    ['dismissed', 'approved'],
    ['split', 'approved'],
    ['approved', 'approved'],
    ['rejected', 'rejected'],
  ] as const)('is the end of its dispute where it was %s: the outcome is %s, with its code and instant', (verdict, outcome) => {
    const ended = session('resolved', { disputeResolution: resolution(verdict) })
    const other = outcome === 'approved' ? 'rejected' : 'approved'
    const replacement = { outcome, reasonCode: `CODE_OF_${verdict}`, resolvedAt: LATER, items: itemsFor(outcome) }
    for (const before of [other, 'disputed', 'platform_fault']) expect(replacementOf(ended, { outcome: before })).toEqual(replacement)
    expect(replacementOf(ended, { outcome })).toBeNull()
  })

  test('is nothing after a time-out: there was no decision', () => {
    const ended = session('closed', { disputeResolution: resolution('timeout'), operatorOverturn: overturn })
    for (const outcome of VERDICT_OUTCOMES) expect(replacementOf(ended, { outcome })).toBeNull()
  })

  test('is an open question while the arbitrator has a rejection that an operator overturned', () => {
    const open = { outcome: 'disputed', reasonCode: 'operator_overturn', resolvedAt: AT, items: [] }
    expect(replacementOf(session('disputed', { operatorOverturn: overturn }), { outcome: 'rejected' })).toEqual(open)
    expect(replacementOf(session('disputed', { operatorOverturn: overturn }), { outcome: 'disputed' })).toBeNull()
  })

  test.each(SESSION_STATUSES.filter((status) => status !== 'disputed'))('is no open question in a session that is %s', (status) => {
    expect(replacementOf(session(status, { operatorOverturn: overturn }), { outcome: 'rejected' })).toBeNull()
  })

  test('is the end of the dispute, not the overturn that began it', () => {
    const ended = session('rejected', { disputeResolution: resolution('dismissed'), operatorOverturn: overturn })
    expect(replacementOf(ended, { outcome: 'rejected' })).toMatchObject({ outcome: 'approved', resolvedAt: LATER })
  })
})
