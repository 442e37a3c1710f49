import { describe, expect, test } from '@jest/globals'
import { ARBITRATOR_SLA_SECONDS, DISPUTE_WINDOW_SECONDS } from '../../../domain/common/constants.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { detectChainChange } from '../../../domain/disputes/chain-alignment.ts'
import { rationaleBlob } from '../../../domain/disputes/evidence.ts'
import {
  arbitrationRefusal,
  decisionDeadline,
  decisionState,
  disputeStatus,
  disputeWait,
  isAlarmDue,
  isAwaitingSignature,
  isBehind,
  isLostOnChain,
  isSameOverturn,
  isSameRequest,
  isSplitDue,
  overturnRefusal,
  reviewRefusal,
  verdictLapsesAt,
} from '../../../domain/disputes/stage.ts'
import { CHAIN_JOB_STATES } from '../../../schemas/chain/job-state.ts'
import type { DisputeRecord, RoundDecision } from '../../../schemas/disputes/record.ts'
import { SESSION_STATUSES, type SessionStatus } from '../../../schemas/sessions/record.ts'

import { OPENED_AT as AT, aDecision, aDispute, anObservedVerdict } from '../builders/dispute.ts'

const session = (status: SessionStatus, rejectionFinalizedAt: number | null = null) => ({
  status,
  timestamps: { rejectedAt: status === 'rejected' || status === 'disputed' ? AT : null, rejectionFinalizedAt },
})
const END = AT + ARBITRATOR_SLA_SECONDS * 1000
const refused = (currentStatus: SessionStatus, reason: string) => ({
  code: 'invalid_session_transition',
  message: expect.stringContaining(`The session is ${currentStatus}`),
  info: { details: { currentStatus, reason } },
})
const PREPARED = aDecision({ preparation: { preparationId: 'p1' } as never })

describe('where a session stands', () => {
  test('is given for every status', () => {
    const stages = SESSION_STATUSES.map((status) => [status, disputeStatus(session(status), aDispute(), null).stage])
    expect(Object.fromEntries(stages)).toEqual({
      claimed: 'final',
      submitted: 'verdict',
      disputed: 'arbitration',
      rejected: 'window',
      resolved: 'final',
      closed: 'final',
      expired: 'final',
      timed_out: 'final',
      chain_state_diverged: 'final',
    })
    expect(disputeStatus(session('rejected', AT + 1), null, null)).toEqual({ stage: 'final', status: 'rejected' })
    const undated = { rejectedAt: null, rejectionFinalizedAt: null }
    expect(disputeStatus({ status: 'rejected', timestamps: undated }, null, null).stage).toBe('final')
    // A reader may see the session before and the dispute after its opening: neither final, nor is anything due.
    expect(disputeStatus(session('disputed'), null, null)).toEqual({ stage: 'verdict' })
  })

  test('is the end for a session that is over, whatever rejection there was before', () => {
    const timestamps = { rejectedAt: AT, rejectionFinalizedAt: null }
    for (const status of SESSION_STATUSES.filter((one) => !['submitted', 'rejected', 'disputed'].includes(one)))
      expect(disputeStatus({ status, timestamps }, null, null)).toEqual({ stage: 'final', status })
  })

  test('and the time-out begins at the deadline, or the second after the window', () => {
    expect(disputeStatus(session('rejected'), null, null)).toEqual({
      stage: 'window',
      deadlineAt: AT + DISPUTE_WINDOW_SECONDS * 1000,
      dueAt: AT + DISPUTE_WINDOW_SECONDS * 1000 + 1000,
      timeoutOutcome: 'finalize_rejection',
    })
    const until = { stage: 'arbitration', deadlineAt: END, dueAt: END, timeoutOutcome: 'contract_timeout' }
    expect(disputeStatus(session('disputed'), aDispute(), null)).toEqual(until)
    // A signature is awaited no longer than the contract's time-out.
    expect(disputeStatus(session('disputed'), aDispute({ arbitrator: null }), PREPARED)).toEqual(until)
  })

  test('and a verdict that only the chain refuses waits for it as long again', () => {
    expect(verdictLapsesAt(aDispute())).toBe(END + ARBITRATOR_SLA_SECONDS * 1000)
  })
})

describe('a time-out', () => {
  const asked = (changes: Partial<DisputeRecord>, given: RoundDecision | null = null) => {
    const standing = disputeStatus(session('disputed'), aDispute({ origin: 'operator', ...changes }), given)
    return 'timeoutOutcome' in standing ? [standing.timeoutOutcome, standing.dueAt, standing.deadlineAt] : null
  }

  test('is applied when the published time is over: a quarter of an hour before any wallet may time out on chain what the service splits', () => {
    const early = END - 15 * 60_000
    expect(asked({})).toEqual(['split_half', early, early])
    expect(asked({ arbitrator: null })).toEqual(['contract_timeout', END, END])
    expect(asked({ origin: 'participant' })).toEqual(['contract_timeout', END, END])
    expect(asked({}, aDecision())).toEqual(['contract_timeout', END, END])
    expect(asked({ stage: 'review' })).toEqual(['split_half', END, END])
    expect(asked({ stage: 'review', arbitrator: null })).toEqual(['open_on_chain', END, END])
    expect(asked({ stage: 'review' }, aDecision())).toEqual(['open_on_chain', END, END])
    expect([decisionDeadline(aDispute({ origin: 'platform' }), null), decisionDeadline(aDispute(), null)]).toEqual([early, END])
  })

  test('is split by the service at the published instant, with the key, and not of a dispute that the parties opened', () => {
    const due = (changes: Partial<DisputeRecord>, now: number) => isSplitDue(aDispute({ origin: 'operator', ...changes }), now)
    const early = END - 15 * 60_000
    expect([due({}, early - 1), due({}, early)]).toEqual([false, true])
    expect([due({ stage: 'review' }, END - 1), due({ stage: 'review' }, END)]).toEqual([false, true])
    expect([due({ origin: 'participant' }, END), due({ arbitrator: null }, END)]).toEqual([false, false])
  })

  test('of a dispute has one default in every stage', () => {
    const table = (['review', 'arbitration'] as const).flatMap((stage) =>
      (['review', 'participant', 'operator', 'platform'] as const).map((origin) => [
        stage,
        origin,
        ...['0xa', null].map((arbitrator) => asked({ stage, origin, arbitrator })?.[0]),
      ]),
    )
    expect(table).toEqual([
      ['review', 'review', 'split_half', 'open_on_chain'],
      ['review', 'participant', 'split_half', 'open_on_chain'],
      ['review', 'operator', 'split_half', 'open_on_chain'],
      ['review', 'platform', 'split_half', 'open_on_chain'],
      ['arbitration', 'review', 'split_half', 'contract_timeout'],
      ['arbitration', 'participant', 'contract_timeout', 'contract_timeout'],
      ['arbitration', 'operator', 'split_half', 'contract_timeout'],
      ['arbitration', 'platform', 'split_half', 'contract_timeout'],
    ])
  })
})

describe('a verdict', () => {
  const open = { session: session('disputed'), dispute: aDispute(), decision: null, now: AT }
  const keyless = { ...open, dispute: aDispute({ arbitrator: null }) }

  test('is taken once', () => {
    expect(arbitrationRefusal(open, 'dismissed', undefined)).toBeNull()
    expect(arbitrationRefusal({ ...open, decision: aDecision() }, 'upheld', undefined)).toMatchObject({
      code: 'dispute_already_decided',
      info: { details: { verdict: 'dismissed', decidedAt: new Date(AT).toISOString() } },
    })
  })

  test('that was only prepared is replaced by who names the preparation, until the chain has decided', () => {
    expect(arbitrationRefusal({ ...keyless, decision: PREPARED }, 'upheld', 'p1')).toBeNull()
    const path = `/disputes/${aDispute().disputeId}/verdict`
    for (const other of ['p0', undefined])
      expect(arbitrationRefusal({ ...keyless, decision: PREPARED }, 'upheld', other)).toMatchObject({
        code: 'dispute_already_decided',
        message: expect.stringContaining('signature'),
        info: {
          details: { verdict: 'dismissed', decidedAt: new Date(AT).toISOString(), preparationId: 'p1' },
          nextActions: [{ kind: 'http', method: 'POST', path, description: expect.stringContaining('"p1"') }],
        },
      })
    const observed = anObservedVerdict({ verdict: 'upheld', mismatch: true })
    expect(arbitrationRefusal({ ...keyless, decision: { ...PREPARED, observed } }, 'upheld', 'p1')?.info.details).toEqual({
      verdict: 'upheld',
      decidedAt: observed.at,
    })
  })

  test('of time-out takes the place of one that is unsigned at the deadline, as the contract does, without naming it', () => {
    const at = (now: number, given = PREPARED, supersedes?: string) =>
      arbitrationRefusal({ ...keyless, decision: given, now }, 'timeout', supersedes)?.code ?? 'taken'
    const [decided, taken] = ['dispute_already_decided', 'taken']
    expect([at(END - 1), at(END), at(END, PREPARED, 'p1'), at(END, PREPARED, 'p0')]).toEqual([decided, taken, taken, decided])
    expect(at(END - 1, PREPARED, 'p1')).toBe('dispute_timeout_not_reached')
    expect(at(END, aDecision())).toBe('dispute_already_decided')
    const observed = anObservedVerdict({ verdict: 'upheld', mismatch: true })
    expect(at(END, { ...PREPARED, observed })).toBe('dispute_already_decided')
    expect(arbitrationRefusal({ ...keyless, decision: PREPARED, now: END }, 'upheld', undefined)?.code).toBe('dispute_already_decided')
    const inReview = { ...keyless, dispute: aDispute({ stage: 'review', arbitrator: null }), decision: PREPARED, now: END }
    expect(arbitrationRefusal(inReview, 'timeout', undefined)?.code).toBe('dispute_already_decided')
  })

  test('that was prepared is decided like any other where the key is held again: nothing takes its place, whatever it names', () => {
    for (const verdict of ['upheld', 'dismissed', 'timeout'] as const)
      for (const supersedes of ['p1', 'p0', undefined])
        expect(
          arbitrationRefusal({ ...open, decision: PREPARED, now: verdict === 'timeout' ? END : AT }, verdict, supersedes),
        ).toMatchObject({
          code: 'dispute_already_decided',
          info: { details: { verdict: 'dismissed', decidedAt: new Date(AT).toISOString() } },
        })
  })

  test('that is to replace a preparation is not taken for a first one', () => {
    expect(arbitrationRefusal(open, 'upheld', 'p1')).toMatchObject({
      code: 'invalid_session_transition',
      info: {
        detail: expect.stringContaining('without supersedes'),
        details: { currentStatus: 'disputed', reason: 'nothing_to_supersede' },
      },
    })
    // By hand a member may be null: then it is absent.
    expect(arbitrationRefusal(open, 'upheld', null)).toBeNull()
  })

  test('of time-out needs the deadline to be reached, on chain', () => {
    const { deadlineAt } = open.dispute
    expect(arbitrationRefusal({ ...open, now: deadlineAt - 1 }, 'timeout', undefined)).toMatchObject({
      code: 'dispute_timeout_not_reached',
      info: {
        details: { deadline: new Date(deadlineAt).toISOString(), stage: 'arbitration' },
        nextActions: [{ kind: 'wait', availableAt: new Date(deadlineAt).toISOString() }],
      },
    })
    expect(arbitrationRefusal({ ...open, now: deadlineAt }, 'timeout', undefined)).toBeNull()
    const inReview = { ...open, dispute: aDispute({ stage: 'review' }), now: deadlineAt }
    const tooEarly = arbitrationRefusal(inReview, 'timeout', undefined)
    expect([tooEarly?.code, tooEarly?.info.nextActions]).toEqual(['dispute_timeout_not_reached', undefined])
    expect(arbitrationRefusal(inReview, 'dismissed', undefined)).toBeNull()
  })

  test('needs a dispute, and a session that is disputed', () => {
    expect(arbitrationRefusal({ ...open, dispute: null }, 'upheld', undefined)?.code).toBe('dispute_not_found')
    expect(arbitrationRefusal({ ...open, session: session('rejected') }, 'upheld', undefined)).toMatchObject(
      refused('rejected', 'not_disputed'),
    )
  })

  test('of a reviewer is for a review whose escrow still waits', () => {
    const review = { session: session('disputed'), dispute: aDispute({ stage: 'review', origin: 'review' }), decision: null }
    expect(reviewRefusal(review)).toBeNull()
    expect(reviewRefusal({ ...review, dispute: aDispute() })).toMatchObject(refused('disputed', 'not_submitted_on_chain'))
    expect(reviewRefusal({ ...review, session: session('submitted') })).toMatchObject(refused('submitted', 'not_awaiting_people'))
    expect(reviewRefusal({ ...review, decision: aDecision() })?.code).toBe('dispute_already_decided')
  })
})

describe('an overturn', () => {
  test('is possible up to the last second of the window', () => {
    const end = AT + DISPUTE_WINDOW_SECONDS * 1000
    expect(overturnRefusal(session('rejected'), end + 999)).toBeNull()
    const closed = { code: 'overturn_window_closed', info: { details: { disputeWindowEndsAt: new Date(end).toISOString() } } }
    expect(overturnRefusal(session('rejected'), end + 1000)).toMatchObject(closed)
    expect(overturnRefusal(session('rejected', AT + 1), AT + 2)).toMatchObject({
      code: 'overturn_window_closed',
      info: { details: { rejectionFinalizedAt: new Date(AT + 1).toISOString() } },
    })
    for (const status of ['submitted', 'disputed', 'resolved'] as const)
      expect(overturnRefusal(session(status), AT)).toMatchObject(refused(status, 'not_rejected'))
  })

  test('of a rejection of unknown time names no end of its window', () => {
    const undated = { status: 'rejected', timestamps: { rejectedAt: null, rejectionFinalizedAt: null } } as const
    expect(overturnRefusal(undated, AT)).toMatchObject({ code: 'overturn_window_closed', info: { details: {} } })
    expect(overturnRefusal(undated, AT)?.info.details).toEqual({})
  })
})

describe('a chain', () => {
  const STAGES = ['verdict', 'review', 'window', 'arbitration', 'final'] as const
  const HELD = { blockTime: AT + 1_000, recordedAt: AT }
  test.each([
    ['window', ['submitted']],
    ['arbitration', ['submitted', 'rejected']],
    ['review', []],
    ['verdict', []],
    ['final', []],
  ] as const)('has lost what the record holds at %s in these states, and in no other', (stage, lost) => {
    expect(CHAIN_JOB_STATES.filter((state) => isLostOnChain(stage, state, HELD))).toEqual(lost)
  })

  test('that is not past the block the record knows is behind and has lost nothing yet', () => {
    expect(isLostOnChain('arbitration', 'rejected', { blockTime: AT + 999, recordedAt: AT })).toBe(false)
    const behind = STAGES.flatMap((stage) => CHAIN_JOB_STATES.filter((state) => isBehind(stage, state)).map((state) => `${stage} ${state}`))
    expect(behind).toEqual(['window submitted', 'arbitration submitted', 'arbitration rejected'])
  })

  test('shows a change for the record, in every stage and every state of the job', () => {
    const table = Object.fromEntries(
      STAGES.map((stage) => [stage, Object.fromEntries(CHAIN_JOB_STATES.map((state) => [state, detectChainChange(stage, state)]))]),
    )
    const nothing = Object.fromEntries(CHAIN_JOB_STATES.map((state) => [state, 'nothing']))
    expect(table).toEqual({
      verdict: { ...nothing, closed: 'end' },
      review: { ...nothing, rejected: 'rejection', disputed: 'arbitration', closed: 'end' },
      window: { ...nothing, disputed: 'dispute', closed: 'end' },
      arbitration: { ...nothing, closed: 'end' },
      final: nothing,
    })
  })
})

describe('a decided round', () => {
  const preparation = { preparationId: 'p' } as never
  test.each([
    ['decided with the key', null, null, true, 'decided'],
    ['decided, and the key is gone before it is carried out', null, null, false, 'decided'],
    ['prepared, without the key', preparation, null, false, 'prepared'],
    ['prepared, and the key is held again', preparation, null, true, 'decided'],
    ['prepared, and the chain has shown its end', preparation, {} as never, false, 'settled'],
    ['decided, and the chain has shown its end', null, {} as never, true, 'settled'],
  ] as const)(
    'that is %s waits for a signature only where it is prepared, unseen and no key here can sign',
    (_what, prepared, observed, held, state) => {
      const round = { preparation: prepared, observed }
      expect([decisionState(round, held), isAwaitingSignature(round, held)]).toEqual([state, state === 'prepared'])
    },
  )

  test('knows its own word again, and no other', () => {
    const blobOf = (rationale: string) => rationaleBlob({ disputeId: 'd', verdict: 'split', workerPayout: null, rationale })
    const own = { source: 'arbitrator', verdict: 'split', decisionRequestId: 'request-1' } as const
    const payload = { ...own, by: '0xa', blob: blobOf('Half of it was done as asked.') }
    const decision = aDecision({ ...own, decidedBy: payload.by, reasoningHash: sha256Of(payload.blob) })
    expect(isSameRequest(decision, payload)).toBe(true)
    expect(isSameRequest(null, payload)).toBe(false)
    const others = [{ by: '0xb' }, { verdict: 'upheld' }, { source: 'reviewer' }, { blob: blobOf('Another reason altogether.') }]
    for (const other of [...others, { decisionRequestId: 'request-2' }, { decisionRequestId: null }])
      expect(isSameRequest(decision, { ...payload, ...other } as typeof payload)).toBe(false)
  })
})

test.each([
  ['for a reviewer before an arbitration', { stage: 'review' }, null, 'reviewer'],
  ['for the arbitrator', {}, null, 'arbitrator'],
  ['for the chain once a verdict was given', {}, aDecision(), 'chain'],
  ['for the arbitrator whose verdict is unsigned', { arbitrator: null }, PREPARED, 'arbitrator'],
  ['for the chain where the key is held again', { arbitrator: '0xa' }, PREPARED, 'chain'],
] as const)('an open dispute waits %s, until its deadline', (_what, changes, decision, waitingFor) => {
  const dispute = aDispute(changes)
  expect(disputeWait(dispute, decision)).toEqual({ waitingFor, deadlineAt: decisionDeadline(dispute, decision) })
})

describe('the alarm of the day', () => {
  const DAY_MS = 24 * 3_600_000
  const due = (now: number, lastAlarmAt: number | null = null) => isAlarmDue({ openedAt: AT, lastAlarmAt }, AT + now)

  test('is raised from the first whole day on, once', () => {
    expect([due(0), due(DAY_MS - 1), due(DAY_MS)]).toEqual([false, false, true])
    expect(due(2 * DAY_MS - 1, AT + DAY_MS)).toBe(false)
  })

  test('belongs to its day, however late the last one was', () => {
    expect(due(2 * DAY_MS, AT + 2 * DAY_MS - 1)).toBe(true)
    expect(due(3 * DAY_MS - 1, AT + 2 * DAY_MS)).toBe(false)
  })
})

test('the same operator with the same note repeats an overturn', () => {
  const overturn = { by: '0xa', note: 'Wrong terms.' }
  expect([isSameOverturn(overturn, overturn), isSameOverturn(null, overturn)]).toEqual([true, false])
  const others = [{ by: '0xb' }, { note: 'Other terms.' }]
  for (const other of others) expect(isSameOverturn({ ...overturn, ...other }, overturn)).toBe(false)
})
