import { describe, expect, test } from '@jest/globals'
import { kindOfRound } from '../../../domain/disputes/outcome.ts'
import { resolutionOf, resolutionOfVerdict, workerShareBps } from '../../../domain/sessions/resolution.ts'
import type { RoundDecision } from '../../../schemas/disputes/record.ts'
import type { RoundVerdict } from '../../../schemas/sessions/verdicts.ts'

const PAID = { asset: 'USDC', raw: '5', decimals: 6, display: '0.000005' }

describe('the worker’s share of a resolution', () => {
  test.each([
    ['approved', 1n, 10_000],
    ['dismissed', 1n, 10_000],
    ['split', 800_000n, 4_000],
    ['split', 1n, 0],
    ['timeout', 1_000_000n, 5_000],
    ['upheld', 0n, 0],
    ['rejected', 0n, 0],
  ] as const)('of %s with %i base units of two million is %i basis points', (verdict, paidRaw, share) => {
    expect(workerShareBps(verdict, paidRaw, 2_000_000n)).toBe(share)
  })
})

describe('the kind of a resolution', () => {
  const decided = (source: RoundDecision['source'], verdict: RoundVerdict) => ({
    source,
    verdict,
    workerPayoutRaw: verdict === 'approved' ? null : 5n,
  })
  const onChain = (verdict: RoundVerdict, workerPayoutRaw = '5') => ({ verdict, workerPayoutRaw })

  test.each([
    ['an arbitrator', decided('arbitrator', 'split'), onChain('split'), 'arbitration'],
    ['a reviewer', decided('reviewer', 'approved'), onChain('approved'), 'human_review'],
    ['a verifier during the review', decided('verifier', 'approved'), onChain('approved'), 'verifier'],
    ['the service after the time-out', decided('timeout', 'split'), onChain('split'), 'timeout'],
    ['an arbitrator before the service’s time-out', decided('timeout', 'split'), onChain('split', '9'), 'arbitration'],
    ['the contract’s time-out', null, onChain('timeout'), 'timeout'],
    ['the contract’s time-out after an unsigned verdict', decided('arbitrator', 'split'), onChain('timeout'), 'timeout'],
    ['an arbitrator directly on chain', null, onChain('upheld', '0'), 'arbitration'],
    ['a verifier directly on chain', null, onChain('approved'), 'verifier'],
  ] as const)('after a decision by %s', (_by, decision, ending, kind) => {
    expect(kindOfRound(decision, ending)).toBe(kind)
  })

  test('is that of its dispute, else of its final verdict, else none', () => {
    const disputeResolution = {
      disputeId: 'd',
      reasonCode: 'DISPUTE_PARTIAL',
      workerPayout: PAID,
      txHash: '0x',
      decidedAt: '2026-01-05T12:00:00.000Z',
      ...({ kind: 'arbitration', verdict: 'split', workerShareBps: 4_000 } as const),
    }
    const rejected = { handler: 'benchmark', outcome: 'rejected' } as const
    expect(resolutionOf({ disputeResolution }, rejected)).toEqual({ kind: 'arbitration', verdict: 'split', workerShareBps: 4_000 })
    expect(resolutionOf({ disputeResolution: null }, rejected)).toEqual({ kind: 'verifier', verdict: 'rejected', workerShareBps: 0 })
    expect(resolutionOfVerdict({ handler: 'human_review' }, 'approved')).toMatchObject({ kind: 'human_review', workerShareBps: 10_000 })
    for (const verdict of [null, { handler: 'benchmark', outcome: 'disputed' } as const])
      expect(resolutionOf({ disputeResolution: null }, verdict)).toBeNull()
  })
})
