import { describe, expect, test } from '@jest/globals'
import { submissionRefusal } from '../../../domain/claims/submission-refusal.ts'
import { iso } from '../../../domain/common/instants.ts'
import { arbitrationEndsAt, arbitrationRefusal, disputeStatus, overturnRefusal, reviewRefusal } from '../../../domain/disputes/stage.ts'
import { disputeRemedy } from '../../../domain/disputes/view.ts'
import { closedStatus } from '../../../domain/sessions/close.ts'
import { reviewEnd } from '../../../domain/sessions/review-deadline.ts'
import {
  assertMove,
  canMove,
  disputeWindowEndsAt,
  effectiveStatus,
  isLapsedSession,
  isTerminal,
  sessionLifecycle,
  stateMachine,
} from '../../../domain/sessions/state-machine.ts'
import { findDisputeAction, sessionNextActions, sessionView } from '../../../domain/sessions/view.ts'
import { disputableUntil } from '../../../domain/sessions/waiting.ts'
import { isLateVerdict } from '../../../domain/verification/late-verdict.ts'
import { verificationRefusal } from '../../../domain/verification/refusal.ts'
import type { ChainJobState } from '../../../schemas/chain/job-state.ts'
import type { DisputeRecord } from '../../../schemas/disputes/record.ts'
import { DISPUTE_STAGES } from '../../../schemas/disputes/stages.ts'
import type { ServiceError } from '../../../schemas/errors.ts'
import { SESSION_STATUSES, type SessionStatus } from '../../../schemas/sessions/record.ts'
import { aDispute } from '../builders/dispute.ts'
import { refusalOf } from '../builders/refusal.ts'
import { aSession, CLAIMED_AT, EXPIRES_AT } from '../builders/session.ts'

const SUBMITTED_AT = CLAIMED_AT + 60_000
const DECIDED_AT = CLAIMED_AT + 120_000

/** Where a session can stand: its status, and what tells apart two sessions of one status. */
type Stand =
  | Exclude<SessionStatus, 'disputed' | 'rejected'>
  | `disputed in ${(typeof DISPUTE_STAGES)[number]}`
  | 'rejected in its window'
  | 'rejected for good'

/** Every place that the code knows; a status or a stage of a dispute that is new appears here by itself. */
const STANDS = SESSION_STATUSES.flatMap((status): Stand[] => {
  if (status === 'disputed') return DISPUTE_STAGES.map((stage) => `disputed in ${stage}` as const)
  return status === 'rejected' ? ['rejected in its window', 'rejected for good'] : [status]
})

const statusOf = (stand: Stand): SessionStatus => SESSION_STATUSES.find((status) => stand.split(' ')[0] === status) ?? 'claimed'

/** The escrow without calls directly on chain. */
const ESCROW: Record<Stand, ChainJobState> = {
  claimed: 'claimed',
  submitted: 'submitted',
  chain_state_diverged: 'submitted',
  expired: 'open',
  timed_out: 'open',
  'disputed in review': 'submitted',
  'disputed in arbitration': 'disputed',
  'rejected in its window': 'rejected',
  'rejected for good': 'closed',
  resolved: 'closed',
  closed: 'closed',
}

const sessionAt = (stand: Stand) => {
  const status = statusOf(stand)
  const decided = status === 'rejected' || status === 'disputed'
  return aSession({
    status,
    chainState: ESCROW[stand],
    timestamps: {
      submittedAt: SUBMITTED_AT,
      rejectedAt: decided ? DECIDED_AT : null,
      rejectionFinalizedAt: stand === 'rejected for good' ? DECIDED_AT + 1 : null,
    },
  })
}

const disputeAt = (stand: Stand): DisputeRecord | null => {
  const stage = DISPUTE_STAGES.find((known) => stand === `disputed in ${known}`)
  if (stage === undefined) return null
  const reasonCode = 'HUMAN_REVIEW_REQUIRED'
  const times = { openedAt: DECIDED_AT, deadlineAt: arbitrationEndsAt(DECIDED_AT), updatedAt: DECIDED_AT }
  return aDispute({ stage, origin: stage === 'review' ? 'review' : 'participant', reasonCode, ...times })
}

const OK = 'accepted'
const codeOf = (refusal: ServiceError | null): string => refusal?.code ?? OK

/** The same work again, which only an accepted submission can be. */
const work = (stand: Stand, evidenceHash: string): string => {
  const session = sessionAt(stand)
  const submission = { kind: 'text', rawText: 'w', evidenceText: 'w' } as const
  const handedIn = stand === 'claimed' ? session : { ...session, submission, evidenceHash: '0x1' }
  return codeOf(submissionRefusal(handedIn, evidenceHash, DECIDED_AT))
}

const deciding = (stand: Stand) => ({ session: sessionAt(stand), dispute: disputeAt(stand), decision: null })

/** A verdict of a machine, the first one or after one that left it open. */
const judged = (stand: Stand, last: 'disputed' | null): string =>
  isLateVerdict(
    { session: sessionAt(stand), last: last === null ? null : { outcome: last }, roundDecided: false },
    { handler: 'benchmark', outcome: 'approved' },
  )
    ? 'not kept'
    : 'kept'

/** An operator's close, once nothing of the money is left to move. */
const closing = (stand: Stand): string => {
  const { status, timestamps } = sessionAt(stand)
  const to = closedStatus({ status, chainStateDivergence: null }, 'closed')
  if (to === null) return 'noted'
  return codeOf(refusalOf(() => assertMove(status, to, timestamps.rejectionFinalizedAt)))
}

/** Every message about a session, by the rule that receives it. */
const EVENTS = {
  work: (stand: Stand) => work(stand, '0x1'),
  'other work': (stand: Stand) => work(stand, '0x2'),
  'verdict of people': (stand: Stand) => codeOf(reviewRefusal(deciding(stand))),
  'verdict of an arbitrator': (stand: Stand) => codeOf(arbitrationRefusal({ ...deciding(stand), now: DECIDED_AT }, 'dismissed', undefined)),
  overturn: (stand: Stand) => codeOf(overturnRefusal(sessionAt(stand), DECIDED_AT)),
  'question to a verifier': (stand: Stand) => codeOf(verificationRefusal(sessionAt(stand))),
  'later verdict of a verifier': (stand: Stand) => judged(stand, 'disputed'),
  'close by an operator': closing,
  'the time of the claim': (stand: Stand) => (isLapsedSession(sessionAt(stand), EXPIRES_AT + 1_000) ? 'lapsed' : 'nothing'),
} as const
type Event = keyof typeof EVENTS

const WRONG = 'invalid_session_transition'
const DONE = 'job_session_completed'
const UNKNOWN = 'dispute_not_found'

type Row = Record<Event, string>
const over = (changes: Partial<Row> = {}): Row => ({
  work: OK,
  'other work': DONE,
  'verdict of people': WRONG,
  'verdict of an arbitrator': UNKNOWN,
  overturn: WRONG,
  'question to a verifier': WRONG,
  'later verdict of a verifier': 'not kept',
  'close by an operator': WRONG,
  'the time of the claim': 'nothing',
  ...changes,
})

const ASKED = { 'question to a verifier': OK, 'later verdict of a verifier': 'kept' } as const

/** What each word does in each place. The same work is accepted after a submission, and answered as the first was, wherever the session has not diverged from its chain. */
const RESULTS: Record<Stand, Row> = {
  claimed: over({ work: OK, 'other work': OK, 'close by an operator': OK, 'the time of the claim': 'lapsed' }),
  submitted: over({ 'other work': WRONG, ...ASKED, 'close by an operator': OK }),
  'disputed in review': over({
    'other work': WRONG,
    'verdict of people': OK,
    'verdict of an arbitrator': OK,
    ...ASKED,
    'close by an operator': OK,
  }),
  'disputed in arbitration': over({ 'other work': WRONG, 'verdict of an arbitrator': OK, 'close by an operator': OK }),
  'rejected in its window': over({ overturn: OK }),
  'rejected for good': over({ overturn: 'overturn_window_closed' }),
  resolved: over(),
  closed: over(),
  expired: over({ work: 'claim_expired', 'other work': 'claim_expired' }),
  timed_out: over(),
  chain_state_diverged: over({ work: 'chain_state_diverged', 'close by an operator': 'noted' }),
}

describe('every word about a session', () => {
  test('has a rule in every place that the code knows', () => {
    expect(Object.keys(RESULTS).sort()).toEqual([...STANDS].sort())
  })

  test.each(STANDS)('has its result: %s', (stand) => {
    const results = Object.entries(EVENTS).map(([event, receive]) => [event, receive(stand)])
    expect(Object.fromEntries(results)).toEqual(RESULTS[stand])
  })
})

test.each(SESSION_STATUSES)('every move of a session that is %s is made or refused with its reason', (from) => {
  for (const finalizedAt of [null, DECIDED_AT])
    for (const to of SESSION_STATUSES) {
      const refusal = refusalOf(() => assertMove(from, to, finalizedAt))
      const final = from === 'rejected' && finalizedAt !== null ? 'rejection_final' : null
      const reason = final ?? (isTerminal(from) ? 'terminal_status' : 'transition_not_allowed')
      if (canMove(from, to, finalizedAt)) expect(refusal).toBeNull()
      else expect(refusal).toMatchObject({ code: WRONG, info: { details: { reason } } })
    }
})

const SECOND = 1_000
/** What each answer tells of a dispute by the worker: until when, or null. */
const shownDeadlines = (stand: Stand, now: number) => {
  const session = sessionAt(stand)
  const remedy = disputeRemedy(session, now)
  const action = findDisputeAction(session, now, null)
  return {
    result: disputableUntil(session, now),
    session: sessionView(session, now).disputableUntil ?? null,
    dispute: remedy.available ? remedy.opensUntil : null,
    'next action': /by (\S+):/.exec(action?.description ?? '')?.[1] ?? null,
    'next actions of the session':
      /by (\S+):/.exec(sessionNextActions(session, now).find(({ kind }) => kind === 'transaction')?.description ?? '')?.[1] ?? null,
    'not terminal': stand.startsWith('rejected') && !sessionLifecycle(session, now).terminal ? iso(disputeWindowEndsAt(DECIDED_AT)) : null,
  }
}

describe('a dispute by the worker', () => {
  const END = DECIDED_AT + 7 * 86_400 * SECOND
  test.each(STANDS)('is shown in every answer with the same deadline, or in none: %s', (stand) => {
    const shown = (now: number) => [...new Set(Object.values(shownDeadlines(stand, now)))]
    const open = stand === 'rejected in its window' ? iso(END) : null
    for (const now of [DECIDED_AT, END, END + SECOND - 1]) expect(shown(now)).toEqual([open])
    expect(shown(END + SECOND)).toEqual([null])
  })
})

/** When a claim lapses, in seconds after its end; null for a place that no end of a claim changes. */
const lapseIn = (stand: Stand): number | null => {
  const session = sessionAt(stand)
  const seconds = [-1, 0, 1, 2].find((after) => effectiveStatus(session, EXPIRES_AT + after * SECOND) !== session.status)
  return seconds ?? null
}

/** What ends the wait of a place: by the rules of a dispute, of a claim, and of the review time of a submission. */
const timeoutIn = (stand: Stand): string | null => {
  const session = sessionAt(stand)
  const standing = disputeStatus(session, disputeAt(stand), null)
  if ('dueAt' in standing) {
    expect(standing.dueAt).toBeGreaterThanOrEqual(standing.deadlineAt)
    return standing.timeoutOutcome
  }
  const lapse = lapseIn(stand)
  if (lapse !== null) return `${effectiveStatus(session, EXPIRES_AT + lapse * SECOND)} ${lapse} s after the claim`
  if (verificationRefusal(session) !== null) return null
  return `people are called ${(reviewEnd(session, SUBMITTED_AT) - SUBMITTED_AT) / (3_600 * SECOND)} h after the submission`
}

describe('every place that a session can leave', () => {
  /** What the public graph shows as open: not terminal, or with a way back. */
  const open = stateMachine()
    .statuses.filter(({ terminal, reopensTo }) => !terminal || reopensTo !== undefined)
    .map(({ status }) => status)

  test('has a time-out, and no other place has', () => {
    const waiting = STANDS.filter((stand) => timeoutIn(stand) !== null)
    expect(Object.fromEntries(waiting.map((stand) => [stand, timeoutIn(stand)]))).toEqual({
      claimed: 'expired 1 s after the claim',
      submitted: 'people are called 48 h after the submission',
      'disputed in review': 'split_half',
      'disputed in arbitration': 'contract_timeout',
      'rejected in its window': 'finalize_rejection',
    })
    expect(new Set(waiting.map(statusOf))).toEqual(new Set(open))
  })
})
