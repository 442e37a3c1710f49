import { describe, expect, test } from '@jest/globals'
import { ARBITRATOR_SLA_SECONDS, DISPUTE_WINDOW_SECONDS } from '../../domain/constants.ts'
import { rationaleBlob } from '../../domain/dispute/evidence.ts'
import {
  arbitrationEndsAt,
  arbitrationRefusal,
  dueSilence,
  hasLost,
  isAlarmDue,
  isOwnWord,
  overturnRefusal,
  reviewRefusal,
  standingOf,
  waitsForSigner,
  waitsUntil,
} from '../../domain/dispute/stage.ts'
import { sha256Of } from '../../domain/hashes.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/dispute-record.ts'
import { SESSION_STATUSES, type SessionStatus } from '../../schemas/session-record.ts'

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
  wordId: null,
  decidedAt: AT,
  preparation: null,
  observed: null,
  ...changes,
})

describe('where a session stands', () => {
  test('is told for every status', () => {
    const stages = SESSION_STATUSES.map((status) => [status, standingOf(session(status), dispute(), null).stage])
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
    expect(standingOf(session('rejected', AT + 1), null, null)).toEqual({ stage: 'final', status: 'rejected' })
    expect(standingOf({ status: 'rejected', timestamps: { rejectedAt: null, rejectionFinalizedAt: null } }, null, null).stage).toBe('final')
    // Disputed before disputes had records: neither final, nor is anything due.
    expect(standingOf(session('disputed'), null, null)).toEqual({ stage: 'verdict' })
  })

  test.each(SESSION_STATUSES.filter((status) => !['submitted', 'rejected', 'disputed'].includes(status)))(
    'an earlier rejection opens no window for a session that is %s',
    (status) => {
      expect(standingOf({ status, timestamps: { rejectedAt: AT, rejectionFinalizedAt: null } }, null, null)).toEqual({
        stage: 'final',
        status,
      })
    },
  )

  test('and the first instant of silence is the deadline, or the second after the window', () => {
    expect(standingOf(session('rejected'), null, null)).toEqual({
      stage: 'window',
      deadlineAt: AT + DISPUTE_WINDOW_SECONDS * 1000,
      dueAt: AT + DISPUTE_WINDOW_SECONDS * 1000 + 1000,
    })
    const end = AT + ARBITRATOR_SLA_SECONDS * 1000
    expect(standingOf(session('disputed'), dispute(), null)).toEqual({ stage: 'arbitration', deadlineAt: end, dueAt: end })
    const signedBy = end + ARBITRATOR_SLA_SECONDS * 1000
    const prepared = { preparation: { preparationId: 'p' } as never }
    expect(standingOf(session('disputed'), dispute(), prepared)).toEqual({ stage: 'arbitration', deadlineAt: signedBy, dueAt: signedBy })
    expect([waitsUntil(dispute(), null), waitsUntil(dispute(), { preparation: null }), waitsUntil(dispute(), prepared)]).toEqual([
      ...[end, end],
      signedBy,
    ])
  })
})

describe('silence', () => {
  test('is carried out when it is due; the service’s split of what anybody may time out on chain a quarter of an hour before', () => {
    const quarter = 15 * 60_000
    const due = (stage: 'review' | 'window' | 'arbitration', arbitratorHeld: boolean, given: RoundDecision | null = null) =>
      dueSilence({ stage, deadlineAt: AT, dueAt: AT }, dispute({ origin: 'operator' }), given, arbitratorHeld)
    expect(due('arbitration', true)).toEqual({ silence: 'split_half', dueAt: AT - quarter })
    expect(due('arbitration', false)).toEqual({ silence: 'contract_timeout', dueAt: AT })
    expect(due('arbitration', true, decision())).toEqual({ silence: 'contract_timeout', dueAt: AT })
    expect(due('review', true)).toEqual({ silence: 'split_half', dueAt: AT })
    expect(due('review', false)).toEqual({ silence: 'open_on_chain', dueAt: AT })
    expect(due('window', true)).toEqual({ silence: 'finalize_rejection', dueAt: AT })
  })

  test('comes to nothing where nothing is due', () => {
    expect(dueSilence({ stage: 'verdict' }, null, null, true)).toBeNull()
    expect(dueSilence({ stage: 'final', status: 'closed' }, dispute(), null, true)).toBeNull()
  })

  test('has one default in every stage', () => {
    const table = (['review', 'window', 'arbitration'] as const).flatMap((stage) =>
      (['review', 'participant', 'operator', 'platform'] as const).map((origin) => [
        stage,
        origin,
        ...[true, false].map((held) => dueSilence({ stage, deadlineAt: AT, dueAt: AT }, dispute({ origin }), null, held)?.silence),
      ]),
    )
    expect(table).toEqual([
      ['review', 'review', 'split_half', 'open_on_chain'],
      ['review', 'participant', 'split_half', 'open_on_chain'],
      ['review', 'operator', 'split_half', 'open_on_chain'],
      ['review', 'platform', 'split_half', 'open_on_chain'],
      ['window', 'review', 'finalize_rejection', 'finalize_rejection'],
      ['window', 'participant', 'finalize_rejection', 'finalize_rejection'],
      ['window', 'operator', 'finalize_rejection', 'finalize_rejection'],
      ['window', 'platform', 'finalize_rejection', 'finalize_rejection'],
      ['arbitration', 'review', 'split_half', 'contract_timeout'],
      ['arbitration', 'participant', 'contract_timeout', 'contract_timeout'],
      ['arbitration', 'operator', 'split_half', 'contract_timeout'],
      ['arbitration', 'platform', 'split_half', 'contract_timeout'],
    ])
  })
})

describe('a verdict', () => {
  const open = { session: session('disputed'), dispute: dispute(), decision: null, now: AT }

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
    expect(arbitrationRefusal({ ...open, decision: prepared }, 'upheld', 'p1')).toBeNull()
    for (const other of ['p0', undefined])
      expect(arbitrationRefusal({ ...open, decision: prepared }, 'upheld', other)?.code).toBe('dispute_already_decided')
    const observed = { verdict: 'upheld', workerPayoutRaw: '0', by: '0xa', txHash: '0x', at: '', mismatch: true } as const
    expect(arbitrationRefusal({ ...open, decision: { ...prepared, observed } }, 'upheld', 'p1')?.info.details).toMatchObject({
      verdict: 'upheld',
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
      info: { details: { deadline: new Date(deadlineAt).toISOString(), stage: 'arbitration' } },
    })
    expect(arbitrationRefusal({ ...open, now: deadlineAt }, 'timeout', undefined)).toBeNull()
    const inReview = { ...open, dispute: dispute({ stage: 'review' }), now: deadlineAt }
    expect(arbitrationRefusal(inReview, 'timeout', undefined)?.code).toBe('dispute_timeout_not_reached')
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
    expect(reviewRefusal({ ...review, dispute: null })).toMatchObject(refused('disputed', 'dispute_not_recorded'))
    expect(reviewRefusal({ ...review, decision: decision() })?.code).toBe('dispute_already_decided')
  })
})

describe('an overturn', () => {
  test('is possible up to the last second of the window', () => {
    const end = AT + DISPUTE_WINDOW_SECONDS * 1000
    expect(overturnRefusal(session('rejected'), end + 999)).toBeNull()
    const closed = { code: 'overturn_window_closed', info: { details: { disputeWindowEndsAt: new Date(end).toISOString() } } }
    expect(overturnRefusal(session('rejected'), end + 1000)).toMatchObject(closed)
    expect(overturnRefusal(session('rejected', end), end)).toMatchObject(closed)
    for (const status of ['submitted', 'disputed', 'resolved'] as const)
      expect(overturnRefusal(session(status), AT)).toMatchObject(refused(status, 'not_rejected'))
  })

  test('of a rejection nobody knows the time of names no end of its window', () => {
    const undated = { status: 'rejected', timestamps: { rejectedAt: null, rejectionFinalizedAt: null } } as const
    expect(overturnRefusal(undated, AT)).toMatchObject({ code: 'overturn_window_closed', info: { details: {} } })
    expect(overturnRefusal(undated, AT)?.info.details).toEqual({})
  })
})

describe('a chain', () => {
  const HELD = { blockTime: AT + 1_000, heldSince: AT }
  test.each([
    ['window', ['submitted']],
    ['arbitration', ['submitted', 'rejected']],
    ['review', []],
    ['verdict', []],
    ['final', []],
  ] as const)('has lost what the record holds at %s in these states, and in no other', (stage, lost) => {
    const states = ['none', 'open', 'claimed', 'submitted', 'rejected', 'disputed', 'closed', 'cancelled'] as const
    expect(states.filter((state) => hasLost(stage, state, HELD))).toEqual(lost)
  })

  test('that is not past the block the record knows has lost nothing yet', () => {
    expect(hasLost('arbitration', 'rejected', { blockTime: AT + 999, heldSince: AT })).toBe(false)
  })
})

describe('a decided round', () => {
  const preparation = { preparationId: 'p' } as never
  test.each([
    ['decided and not prepared', null, 'arbitrator', false, false],
    ['prepared for an arbitrator', preparation, 'arbitrator', true, true],
    ['prepared of a silence, without the key', preparation, 'silence', false, true],
    ['prepared of a silence, with the key', preparation, 'silence', true, false],
  ] as const)('%s: waits for a signature or not', (_what, prepared, source, held, waits) => {
    expect(waitsForSigner({ preparation: prepared, source }, held)).toBe(waits)
  })

  test('knows its own word again, and no other', () => {
    const blobOf = (rationale: string) => rationaleBlob({ disputeId: 'd', verdict: 'split', workerPayoutRaw: '1', rationale })
    const said = {
      source: 'arbitrator',
      verdict: 'split',
      by: '0xa',
      wordId: 'request-1',
      blob: blobOf('Half of it was done as asked.'),
    } as const
    const { blob, by, ...rest } = said
    const decision = { ...rest, decidedBy: by, reasoningHash: sha256Of(blob) } as never
    expect(isOwnWord(decision, said)).toBe(true)
    expect(isOwnWord(null, said)).toBe(false)
    for (const other of [
      { by: '0xb' },
      { wordId: 'request-2' },
      { wordId: null },
      { verdict: 'upheld' },
      { source: 'reviewer' },
      { blob: blobOf('Another reason altogether.') },
    ])
      expect(isOwnWord(decision, { ...said, ...other } as typeof said)).toBe(false)
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
