import { describe, expect, test } from '@jest/globals'
import {
  assertMove,
  canBeApproved,
  canMove,
  hasDiverged,
  isLapsedSession,
  isLiveSession,
  isRejectionFinal,
  sessionLifecycle,
  stateMachine,
} from '../../../domain/sessions/state-machine.ts'
import { type ChainStateDivergence, SESSION_STATUSES } from '../../../schemas/sessions/record.ts'
import { refusalOf } from '../builders/refusal.ts'
import { aSession, CLAIMED_AT, EXPIRES_AT } from '../builders/session.ts'

const DAY = 86_400_000

describe('the session graph', () => {
  test('the public document is the published table', () => {
    const { timelineVersion, statuses } = stateMachine()
    expect(timelineVersion).toBe('v2')
    expect(
      statuses.map(({ status, phase, terminal, outcome, allowedTransitions }) => [status, phase, terminal, outcome, allowedTransitions]),
    ).toEqual([
      ['claimed', 'work', false, 'in_progress', ['submitted', 'expired', 'timed_out', 'closed', 'chain_state_diverged']],
      [
        'submitted',
        'verification',
        false,
        'awaiting_verification',
        ['resolved', 'rejected', 'disputed', 'timed_out', 'closed', 'chain_state_diverged'],
      ],
      ['disputed', 'verification', false, 'operator_attention', ['resolved', 'rejected', 'closed']],
      ['rejected', 'terminal', true, 'rejected', []],
      ['resolved', 'terminal', true, 'approved', []],
      ['closed', 'terminal', true, 'closed', []],
      ['expired', 'terminal', true, 'expired', []],
      ['timed_out', 'terminal', true, 'timed_out', []],
      ['chain_state_diverged', 'terminal', true, 'operator_attention', []],
    ])
    expect(statuses.filter((row) => row.reopensTo)).toEqual([
      expect.objectContaining({ status: 'rejected', reopensTo: ['disputed'], reopenWindowSeconds: 604_800 }),
    ])
  })

  test('exactly the published edges can be walked, plus the declared way back from a rejection', () => {
    const edges = SESSION_STATUSES.flatMap((from) => SESSION_STATUSES.filter((to) => canMove(from, to)).map((to) => `${from}>${to}`))
    const published = stateMachine().statuses.flatMap((row) =>
      [...row.allowedTransitions, ...(row.reopensTo ?? [])].map((to) => `${row.status}>${to}`),
    )
    expect(edges.sort()).toEqual(published.sort())
    expect(SESSION_STATUSES.filter((to) => canMove(null, to))).toEqual(['claimed'])
  })

  test('an illegal move is refused with what would be allowed', () => {
    const refusal = refusalOf(() => assertMove('submitted', 'claimed'))
    expect([refusal?.code, refusal?.message]).toEqual(['invalid_session_transition', 'A session that is submitted cannot become claimed.'])
    expect(refusal?.info.details).toEqual({
      currentStatus: 'submitted',
      nextStatus: 'claimed',
      reason: 'transition_not_allowed',
      currentPhase: 'verification',
      allowedTransitions: ['resolved', 'rejected', 'disputed', 'timed_out', 'closed', 'chain_state_diverged'],
      terminal: false,
    })
    const details = { reason: 'terminal_status', terminal: true }
    expect(refusalOf(() => assertMove('resolved', 'disputed'))).toMatchObject({ info: { details } })
  })

  test('a session that is not stored yet can only be claimed, and the refusal names that', () => {
    expect(() => assertMove(null, 'claimed')).not.toThrow()
    expect(refusalOf(() => assertMove(null, 'submitted'))).toMatchObject({
      message: 'A session that is new cannot become submitted.',
      info: { details: { currentStatus: 'new', allowedTransitions: ['claimed'] } },
    })
  })
})

describe('the claim clock', () => {
  const claim = aSession()

  test('a claim lapses one second after its expiry second, as the chain counts', () => {
    expect(isLapsedSession(claim, EXPIRES_AT)).toBe(false)
    expect(isLapsedSession(claim, EXPIRES_AT + 999)).toBe(false)
    expect(isLapsedSession(claim, EXPIRES_AT + 1000)).toBe(true)
  })

  test('an accepted submission stops the clock', () => {
    expect(isLapsedSession(aSession({ submission: { kind: 'text', rawText: 'w', evidenceText: 'w' } }), EXPIRES_AT + DAY)).toBe(false)
  })

  test('a session holds its job until it has ended or lapsed', () => {
    const work = { kind: 'text', rawText: 'w', evidenceText: 'w' } as const
    const live = (changes: Parameters<typeof aSession>[0], now: number) => isLiveSession(aSession(changes), now)
    expect([live({}, EXPIRES_AT + 999), live({}, EXPIRES_AT + 1000)]).toEqual([true, false])
    expect(live({ submission: work }, EXPIRES_AT + DAY)).toBe(true)
    expect(live({ status: 'submitted', submission: work }, EXPIRES_AT + DAY)).toBe(true)
    expect(live({ status: 'resolved' }, CLAIMED_AT)).toBe(false)
  })

  test('a session can be approved until it has ended; a rejection counts as open until its end is recorded', () => {
    const approvable = (now: number, rejectionFinalizedAt: number | null) =>
      SESSION_STATUSES.filter((status) =>
        canBeApproved(aSession({ status, timestamps: { rejectedAt: CLAIMED_AT, rejectionFinalizedAt } }), now),
      )
    expect(approvable(CLAIMED_AT, null)).toEqual(['claimed', 'submitted', 'disputed', 'rejected'])
    expect(approvable(CLAIMED_AT, CLAIMED_AT)).toEqual(['claimed', 'submitted', 'disputed'])
    expect(approvable(EXPIRES_AT + 1_000, null)).toEqual(['submitted', 'disputed', 'rejected'])
  })

  test('only what the chain contradicts has diverged', () => {
    const diverged = (chainStateDivergence: ChainStateDivergence | null) =>
      SESSION_STATUSES.filter((status) => hasDiverged({ status, chainStateDivergence }))
    expect(diverged(null)).toEqual(['chain_state_diverged'])
    expect(diverged({ expected: 'submitted', observed: 'open', at: '2026-01-01T00:00:00.000Z' })).toEqual([
      'closed',
      'chain_state_diverged',
    ])
  })

  test('a rejection is final once finalised or once its window has passed', () => {
    const rejected = { status: 'rejected' as const, rejectedAt: CLAIMED_AT, rejectionFinalizedAt: null }
    expect(isRejectionFinal(rejected, CLAIMED_AT + 7 * DAY)).toBe(false)
    expect(isRejectionFinal(rejected, CLAIMED_AT + 7 * DAY + 1000)).toBe(true)
    expect(isRejectionFinal({ ...rejected, rejectionFinalizedAt: CLAIMED_AT }, CLAIMED_AT)).toBe(true)
    expect(isRejectionFinal({ ...rejected, status: 'disputed' }, CLAIMED_AT + 30 * DAY)).toBe(false)
    expect(isRejectionFinal({ ...rejected, rejectedAt: null }, CLAIMED_AT + 30 * DAY)).toBe(false)
  })
})

describe('the lifecycle object', () => {
  test('a fresh claim can be submitted', () => {
    expect(sessionLifecycle(aSession(), CLAIMED_AT)).toEqual({
      currentStatus: 'claimed',
      currentLabel: 'Claimed',
      currentPhase: 'work',
      terminal: false,
      allowedTransitions: ['submitted', 'expired', 'timed_out', 'closed', 'chain_state_diverged'],
      verificationOutcome: null,
      finalOutcome: null,
      canSubmit: true,
      awaitingVerification: false,
      needsOperatorAttention: false,
      timestamps: { claimedAt: new Date(CLAIMED_AT).toISOString() },
    })
  })

  test('a claim whose timer is late already reads expired, at its exact expiry instant', () => {
    expect(sessionLifecycle(aSession(), EXPIRES_AT + 60_000)).toMatchObject({
      currentStatus: 'expired',
      terminal: true,
      canSubmit: false,
      finalOutcome: 'expired',
      timestamps: { expiredAt: new Date(EXPIRES_AT).toISOString() },
    })
  })

  test('a stored expiry keeps its own instant, and nothing else shows one', () => {
    const expired = aSession({ status: 'expired', timestamps: { expiredAt: EXPIRES_AT + 5_000 } })
    expect(sessionLifecycle(expired, EXPIRES_AT + DAY).timestamps).toMatchObject({ expiredAt: new Date(EXPIRES_AT + 5_000).toISOString() })
    expect(sessionLifecycle(aSession({ status: 'submitted' }), EXPIRES_AT + DAY).timestamps).not.toHaveProperty('expiredAt')
  })

  test('says of every status whether it takes work, waits for a verdict or for an operator', () => {
    const submission = { kind: 'text', rawText: 'w', evidenceText: 'w' } as const
    const having = (name: 'canSubmit' | 'awaitingVerification' | 'needsOperatorAttention') =>
      SESSION_STATUSES.filter((status) => sessionLifecycle(aSession({ status }), CLAIMED_AT)[name])
    expect([having('canSubmit'), having('awaitingVerification')]).toEqual([['claimed'], ['submitted']])
    expect(having('needsOperatorAttention')).toEqual(['disputed', 'chain_state_diverged'])
    expect(sessionLifecycle(aSession({ status: 'disputed' }), CLAIMED_AT)).toMatchObject({ terminal: false, finalOutcome: null })
    expect(sessionLifecycle(aSession({ submission }), CLAIMED_AT).canSubmit).toBe(false)
    const operatorClose = { by: '0xa', note: 'n', at: '', outcome: 'closed' } as never
    expect(sessionLifecycle(aSession({ status: 'chain_state_diverged', operatorClose }), CLAIMED_AT).needsOperatorAttention).toBe(false)
  })

  test('shows a dispute window for an open rejection alone', () => {
    const windowOf = (changes: Parameters<typeof aSession>[0]) => sessionLifecycle(aSession(changes), CLAIMED_AT).disputeWindowEndsAt
    expect(windowOf({ status: 'rejected', timestamps: { rejectedAt: CLAIMED_AT } })).toBe(new Date(CLAIMED_AT + 7 * DAY).toISOString())
    for (const status of ['disputed', 'resolved'] as const)
      expect(windowOf({ status, timestamps: { rejectedAt: CLAIMED_AT } })).toBeUndefined()
    expect(windowOf({ status: 'rejected' })).toBeUndefined()
    expect(windowOf({ status: 'rejected', timestamps: { rejectedAt: CLAIMED_AT, rejectionFinalizedAt: CLAIMED_AT } })).toBeUndefined()
  })

  test('a rejection is terminal once it cannot be disputed any more', () => {
    const rejected = aSession({ status: 'rejected', timestamps: { rejectedAt: CLAIMED_AT } })
    const open = { terminal: false, finalOutcome: null, currentPhase: 'verification', allowedTransitions: ['disputed'] }
    const over = { terminal: true, finalOutcome: 'rejected', currentPhase: 'terminal', allowedTransitions: [] }
    expect(sessionLifecycle(rejected, CLAIMED_AT + 7 * DAY)).toMatchObject(open)
    expect(sessionLifecycle(rejected, CLAIMED_AT + 7 * DAY + 1_000)).toMatchObject(over)
    const lost = aSession({ status: 'rejected', timestamps: { rejectedAt: CLAIMED_AT, rejectionFinalizedAt: CLAIMED_AT + 1 } })
    expect(sessionLifecycle(lost, CLAIMED_AT + 1)).toMatchObject(over)
  })

  test('a rejection that its dispute dismissed reads approved', () => {
    const session = aSession({
      status: 'resolved',
      verificationSummary: {
        outcome: 'rejected',
        reasonCode: 'DETERMINISTIC_MISMATCH',
        handler: 'deterministic',
        handlerVersion: 1,
        verifierPolicyVersion: 1,
        verifierConfigVersion: 1,
      },
      disputeResolution: {
        disputeId: 'd',
        kind: 'arbitration',
        verdict: 'dismissed',
        reasonCode: 'DISPUTE_OVERTURNED',
        workerShareBps: 10_000,
        workerPayout: { asset: 'USDC', raw: '1', decimals: 6, display: '0.000001' },
        txHash: '0x',
        decidedAt: new Date(CLAIMED_AT).toISOString(),
      },
    })
    expect(sessionLifecycle(session, CLAIMED_AT)).toMatchObject({ verificationOutcome: 'approved', finalOutcome: 'approved' })
    expect(sessionLifecycle({ ...session, disputeResolution: null }, CLAIMED_AT)).toMatchObject({ verificationOutcome: 'rejected' })
  })
})
