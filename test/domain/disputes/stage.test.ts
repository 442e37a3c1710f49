import { describe, expect, test } from '@jest/globals'
import { ARBITRATOR_SLA_SECONDS, DISPUTE_WINDOW_SECONDS } from '../../../domain/common/constants.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { detectChainChange } from '../../../domain/disputes/chain-alignment.ts'
import { rationaleBlob } from '../../../domain/disputes/evidence.ts'
import {
  arbitrationEndsAt,
  arbitrationRefusal,
  decisionDeadline,
  decisionState,
  disputeStatus,
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

const AT = Date.UTC(2026, 0, 5, 12)
const session = (status: SessionStatus, rejectionFinalizedAt: number | null = null) => ({
  status,
  timestamps: { rejectedAt: status === 'rejected' || status === 'disputed' ? AT : null, rejectionFinalizedAt },
})
const dispute = (changes: Partial<DisputeRecord> = {}): DisputeRecord => ({
  disputeId: 'dispute-0a96015779ab',
  sessionId: 's',
  jobId: 'j',
  chainJobId: '0x',
  claimant: '0xc',
  respondent: null,
  stage: 'arbitration',
  origin: 'participant',
  round: 1,
  status: 'open',
  reasonCode: 'dispute_opened',
  openedAt: AT,
  deadlineAt: arbitrationEndsAt(AT),
  remainingRaw: 1_000_000n,
  arbitrator: '0xa',
  evidence: { before: {}, after: {} },
  evidenceHash: '0x',
  lastAlarmAt: null,
  updatedAt: AT,
  ...changes,
})
const END = AT + ARBITRATOR_SLA_SECONDS * 1000
const refused = (currentStatus: SessionStatus, reason: string) => ({
  code: 'invalid_session_transition',
  message: expect.stringContaining(`The session is ${currentStatus}`),
  info: { details: { currentStatus, reason } },
})
const decision = (changes: Partial<RoundDecision> = {}): RoundDecision => ({
  round: 1,
  source: 'arbitrator',
  verdict: 'dismissed',
  reasonCode: 'DISPUTE_OVERTURNED',
  workerPayoutRaw: 1_000_000n,
  payoutSource: null,
  reasoningHash: null,
  verificationId: null,
  decidedBy: '0xa',
  decisionRequestId: null,
  decidedAt: AT,
  preparation: null,
  observed: null,
  ...changes,
})

describe('where a session stands', () => {
  test('is given for every status', () => {
    const stages = SESSION_STATUSES.map((status) => [status, disputeStatus(session(status), dispute(), null).stage])
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
    expect(disputeStatus({ status: 'rejected', timestamps: { rejectedAt: null, rejectionFinalizedAt: null } }, null, null).stage).toBe(
      'final',
    )
    // A reader may see the session before and the dispute after its opening: neither final, nor is anything due.
    expect(disputeStatus(session('disputed'), null, null)).toEqual({ stage: 'verdict' })
  })

  test.each(SESSION_STATUSES.filter((status) => !['submitted', 'rejected', 'disputed'].includes(status)))(
    'an earlier rejection opens no window for a session that is %s',
    (status) => {
      expect(disputeStatus({ status, timestamps: { rejectedAt: AT, rejectionFinalizedAt: null } }, null, null)).toEqual({
        stage: 'final',
        status,
      })
    },
  )

  test('and the time-out begins at the deadline, or the second after the window', () => {
    expect(disputeStatus(session('rejected'), null, null)).toEqual({
      stage: 'window',
      deadlineAt: AT + DISPUTE_WINDOW_SECONDS * 1000,
      dueAt: AT + DISPUTE_WINDOW_SECONDS * 1000 + 1000,
      timeoutOutcome: 'finalize_rejection',
    })
    const until = { stage: 'arbitration', deadlineAt: END, dueAt: END, timeoutOutcome: 'contract_timeout' }
    expect(disputeStatus(session('disputed'), dispute(), null)).toEqual(until)
    // A signature is awaited no longer than the contract's time-out.
    const prepared = decision({ preparation: { preparationId: 'p' } as never })
    expect(disputeStatus(session('disputed'), dispute({ arbitrator: null }), prepared)).toEqual(until)
  })

  test('and a verdict that only the chain refuses waits for it as long again', () => {
    expect(verdictLapsesAt(dispute())).toBe(END + ARBITRATOR_SLA_SECONDS * 1000)
  })
})

describe('a time-out', () => {
  const asked = (changes: Partial<DisputeRecord>, given: RoundDecision | null = null) => {
    const standing = disputeStatus(session('disputed'), dispute({ origin: 'operator', ...changes }), given)
    return 'timeoutOutcome' in standing ? [standing.timeoutOutcome, standing.dueAt, standing.deadlineAt] : null
  }

  test('is applied when the published time is over: a quarter of an hour before any wallet may time out on chain what the service splits', () => {
    const early = END - 15 * 60_000
    expect(asked({})).toEqual(['split_half', early, early])
    expect(asked({ arbitrator: null })).toEqual(['contract_timeout', END, END])
    expect(asked({ origin: 'participant' })).toEqual(['contract_timeout', END, END])
    expect(asked({}, decision())).toEqual(['contract_timeout', END, END])
    expect(asked({ stage: 'review' })).toEqual(['split_half', END, END])
    expect(asked({ stage: 'review', arbitrator: null })).toEqual(['open_on_chain', END, END])
    expect(asked({ stage: 'review' }, decision())).toEqual(['open_on_chain', END, END])
    expect([decisionDeadline(dispute({ origin: 'platform' }), null), decisionDeadline(dispute(), null)]).toEqual([early, END])
  })

  test('is split by the service at the published instant, with the key, and not of a dispute that the parties opened', () => {
    const due = (changes: Partial<DisputeRecord>, now: number) => isSplitDue(dispute({ origin: 'operator', ...changes }), now)
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
  const open = { session: session('disputed'), dispute: dispute(), decision: null, now: AT }
  const keyless = { ...open, dispute: dispute({ arbitrator: null }) }

  test('is taken once', () => {
    expect(arbitrationRefusal(open, 'dismissed', undefined)).toBeNull()
    expect(arbitrationRefusal({ ...open, decision: decision() }, 'upheld', undefined)).toMatchObject({
      code: 'dispute_already_decided',
      info: { details: { verdict: 'dismissed', decidedAt: new Date(AT).toISOString() } },
    })
  })

  test('that was only prepared is replaced by who names the preparation, until the chain has decided', () => {
    const preparation = {
      preparationId: 'p1',
      preparedAt: '',
      transaction: { to: '', data: '', value: '0', chainId: 1, function: '', args: [] },
    } as const
    const prepared = decision({ preparation: { ...preparation, transaction: { ...preparation.transaction, args: [] } } })
    expect(arbitrationRefusal({ ...keyless, decision: prepared }, 'upheld', 'p1')).toBeNull()
    for (const other of ['p0', undefined])
      expect(arbitrationRefusal({ ...keyless, decision: prepared }, 'upheld', other)).toMatchObject({
        code: 'dispute_already_decided',
        message: expect.stringContaining('signature'),
        info: {
          details: { verdict: 'dismissed', decidedAt: new Date(AT).toISOString(), preparationId: 'p1' },
          nextActions: [
            {
              kind: 'http',
              method: 'POST',
              path: `/disputes/${dispute().disputeId}/verdict`,
              description: expect.stringContaining('"p1"'),
            },
          ],
        },
      })
    const at = new Date(AT + 5_000).toISOString()
    const observed = { verdict: 'upheld', workerPayoutRaw: '0', by: '0xa', txHash: '0x', at, mismatch: true } as const
    expect(arbitrationRefusal({ ...keyless, decision: { ...prepared, observed } }, 'upheld', 'p1')?.info.details).toEqual({
      verdict: 'upheld',
      decidedAt: at,
    })
  })

  test('of time-out takes the place of one that is unsigned at the deadline, as the contract does, without naming it', () => {
    const prepared = decision({ preparation: { preparationId: 'p1' } as never })
    const at = (now: number, given = prepared, supersedes?: string) =>
      arbitrationRefusal({ ...keyless, decision: given, now }, 'timeout', supersedes)?.code ?? 'taken'
    expect([at(END - 1), at(END), at(END, prepared, 'p1'), at(END, prepared, 'p0')]).toEqual([
      'dispute_already_decided',
      'taken',
      'taken',
      'dispute_already_decided',
    ])
    expect(at(END - 1, prepared, 'p1')).toBe('dispute_timeout_not_reached')
    expect(at(END, decision())).toBe('dispute_already_decided')
    const observed = { verdict: 'upheld', workerPayoutRaw: '0', by: '0xa', txHash: '0x', at: '', mismatch: true } as const
    expect(at(END, { ...prepared, observed })).toBe('dispute_already_decided')
    expect(arbitrationRefusal({ ...keyless, decision: prepared, now: END }, 'upheld', undefined)?.code).toBe('dispute_already_decided')
    const inReview = { ...keyless, dispute: dispute({ stage: 'review', arbitrator: null }), decision: prepared, now: END }
    expect(arbitrationRefusal(inReview, 'timeout', undefined)?.code).toBe('dispute_already_decided')
  })

  test('that was prepared is decided like any other where the key is held again: nothing takes its place, whatever it names', () => {
    const prepared = decision({ preparation: { preparationId: 'p1' } as never })
    for (const [verdict, now] of [
      ['upheld', AT],
      ['dismissed', AT],
      ['timeout', END],
    ] as const)
      for (const supersedes of ['p1', 'p0', undefined])
        expect(arbitrationRefusal({ ...open, decision: prepared, now }, verdict, supersedes)).toMatchObject({
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
    const inReview = { ...open, dispute: dispute({ stage: 'review' }), now: deadlineAt }
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
    const review = { session: session('disputed'), dispute: dispute({ stage: 'review', origin: 'review' }), decision: null }
    expect(reviewRefusal(review)).toBeNull()
    expect(reviewRefusal({ ...review, dispute: dispute() })).toMatchObject(refused('disputed', 'not_submitted_on_chain'))
    expect(reviewRefusal({ ...review, session: session('submitted') })).toMatchObject(refused('submitted', 'not_awaiting_people'))
    expect(reviewRefusal({ ...review, decision: decision() })?.code).toBe('dispute_already_decided')
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
  const HELD = { blockTime: AT + 1_000, recordedAt: AT }
  test.each([
    ['window', ['submitted']],
    ['arbitration', ['submitted', 'rejected']],
    ['review', []],
    ['verdict', []],
    ['final', []],
  ] as const)('has lost what the record holds at %s in these states, and in no other', (stage, lost) => {
    const states = ['none', 'open', 'claimed', 'submitted', 'rejected', 'disputed', 'closed', 'cancelled'] as const
    expect(states.filter((state) => isLostOnChain(stage, state, HELD))).toEqual(lost)
  })

  test('that is not past the block the record knows has lost nothing yet', () => {
    expect(isLostOnChain('arbitration', 'rejected', { blockTime: AT + 999, recordedAt: AT })).toBe(false)
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
    const payload = {
      source: 'arbitrator',
      verdict: 'split',
      by: '0xa',
      decisionRequestId: 'request-1',
      blob: blobOf('Half of it was done as asked.'),
    } as const
    const { blob, by, ...rest } = payload
    const decision = { ...rest, decidedBy: by, reasoningHash: sha256Of(blob) } as never
    expect(isSameRequest(decision, payload)).toBe(true)
    expect(isSameRequest(null, payload)).toBe(false)
    for (const other of [
      { by: '0xb' },
      { decisionRequestId: 'request-2' },
      { decisionRequestId: null },
      { verdict: 'upheld' },
      { source: 'reviewer' },
      { blob: blobOf('Another reason altogether.') },
    ])
      expect(isSameRequest(decision, { ...payload, ...other } as typeof payload)).toBe(false)
  })
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
  expect([isSameOverturn({ ...overturn, by: '0xb' }, overturn), isSameOverturn({ ...overturn, note: 'Other terms.' }, overturn)]).toEqual([
    false,
    false,
  ])
})

describe('a look at the escrow', () => {
  const STAGES = ['verdict', 'review', 'window', 'arbitration', 'final'] as const

  test('brings to the record what the chain shows of it, in every stage and every state of the job', () => {
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

  test('takes a job that stands before the record for one that is behind, and for lost once the chain is past it', () => {
    const behind = STAGES.flatMap((stage) => CHAIN_JOB_STATES.filter((state) => isBehind(stage, state)).map((state) => `${stage} ${state}`))
    expect(behind).toEqual(['window submitted', 'arbitration submitted', 'arbitration rejected'])
    for (const [blockTime, lost] of [
      [AT + 999, false],
      [AT + 1_000, true],
    ] as const)
      expect(isLostOnChain('arbitration', 'rejected', { blockTime, recordedAt: AT })).toBe(lost)
    expect(isLostOnChain('arbitration', 'disputed', { blockTime: AT + 1_000, recordedAt: AT })).toBe(false)
  })
})
