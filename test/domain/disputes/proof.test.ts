import { describe, expect, test } from '@jest/globals'
import { arbitratedPayout } from '../../../domain/disputes/payout.ts'
import { proofRefusal } from '../../../domain/disputes/proof.ts'
import { decisionDeadline, isSplitDue, timeoutOutcome } from '../../../domain/disputes/stage.ts'
import type { DisputeRecord } from '../../../schemas/disputes/record.ts'
import type { DisputeProof } from '../../../schemas/disputes/stages.ts'
import type { ArbitrationVerdict } from '../../../schemas/sessions/verdicts.ts'
import { aDecision, aDispute, OPENED_AT } from '../builders/dispute.ts'

const gated = (changes: Partial<DisputeRecord> = {}) => aDispute({ isProofGated: true, ...changes })
const run = (outcome: DisputeProof['outcome'], round = 1): DisputeProof => ({
  round,
  outcome,
  reasonCode: 'VERIFICATION_PROFILE_FAILED',
  detail: 'tests-by-name.',
  ranAt: new Date(OPENED_AT).toISOString(),
})

describe('a job that only a passing result pays', () => {
  test.each<[string, ArbitrationVerdict, bigint | null, DisputeProof | null, boolean]>([
    ['refuses a dismissal without a run', 'dismissed', 1_000_000n, null, true],
    ['refuses a dismissal after a failing run', 'dismissed', 1_000_000n, run('rejected'), true],
    ['refuses a dismissal by the run of an earlier round', 'dismissed', 1_000_000n, run('approved', 2), true],
    ['takes a dismissal after a passing run', 'dismissed', 1_000_000n, run('approved'), false],
    ['refuses a split of two base units without a run', 'split', 2n, null, true],
    ['takes a split of one base unit without a run', 'split', 1n, null, false],
    ['takes a split of half after a passing run', 'split', 500_000n, run('approved'), false],
    ['takes that the rejection stands', 'upheld', 0n, null, false],
    ['refuses the time-out of the contract, which pays half', 'timeout', 500_000n, run('approved'), true],
  ])('%s', (_name, verdict, payoutRaw, proof, isRefused) => {
    const refusal = proofRefusal(gated({ proof }), { verdict, payoutRaw })
    expect(refusal?.code ?? null).toBe(isRefused ? 'dispute_proof_required' : null)
    expect(proofRefusal(aDispute({ proof }), { verdict, payoutRaw })).toBeNull()
  })

  test('names the run that did not pass in its refusal', () => {
    const refusal = proofRefusal(gated({ proof: run('rejected') }), { verdict: 'dismissed', payoutRaw: 1n })
    expect(refusal?.info.details).toMatchObject({ outcome: 'rejected', reasonCode: 'VERIFICATION_PROFILE_FAILED' })
  })

  test('leaves the time-out of the contract to a service without the key of an arbitrator', () => {
    expect(proofRefusal(gated({ arbitrator: null }), { verdict: 'timeout', payoutRaw: null })).toBeNull()
    expect(timeoutOutcome(gated({ arbitrator: null }), null)).toBe('contract_timeout')
    expect(timeoutOutcome(gated({ arbitrator: null, stage: 'review', origin: 'review' }), null)).toBe('open_on_chain')
  })

  test('splits one base unit by default in a dispute of every origin', () => {
    expect(arbitratedPayout('split', undefined, 1_000_000n, true)).toEqual({ payoutRaw: 1n, source: 'default_base_unit' })
    for (const origin of ['participant', 'operator', 'platform', 'review'] as const)
      expect(timeoutOutcome(gated({ origin }), null)).toBe('split_unit')
    expect(timeoutOutcome(gated(), aDecision())).toBe('contract_timeout')
  })

  test('ends at once without a result, and shortly before the time of the contract after a dispute of its worker', () => {
    const review = gated({ stage: 'review', origin: 'review' })
    expect(decisionDeadline(review, null)).toBe(OPENED_AT)
    expect(isSplitDue(review, OPENED_AT)).toBe(true)
    const arbitration = gated()
    expect(decisionDeadline(arbitration, null)).toBe(arbitration.deadlineAt - 15 * 60_000)
    expect(isSplitDue(arbitration, OPENED_AT)).toBe(false)
  })
})
