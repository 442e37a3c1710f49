// Points off the way to a badge by a verifier of our own: every step of a dispute, before its effect, after it, and before it is recorded, and other ways to a verdict.
import { ELSEWHERE_POINTS } from './elsewhere-points.ts'
import {
  announcement,
  BEFORE_ARBITRATOR,
  bringing,
  DECISION,
  decision,
  delivery,
  LOOK,
  type Moment,
  notification,
  points,
  REJECTED,
  record,
  START_DISPUTE,
  signal,
  transaction,
  VERDICT,
} from './moments.ts'
import { after, BADGE, before, committed, engine, outcome, selector, send, sql } from './places.ts'
import type { Point } from './point.ts'

const [JUDGE, OPEN] = [selector('resolveSinglePayout'), selector('openDisputeFor')]
const [RESOLVE, FINALIZE] = [selector('resolveDispute'), selector('finalizeRejectedJob')]
const [EXPIRE, TIME_OUT] = [selector('handleClaimTimeout'), selector('autoResolveOnTimeout')]

const DISPUTE = { call: '^insert into "dispute" ', of: ['{job}'] }
const EXPIRED = { call: '^insert into "session_event"', of: ['{job}', 'claim_ttl_expired'] }
const TIMED_OUT = { call: '^insert into "event"', of: ['{job}', 'settlement.stake_release_recorded'] }
const OVERTURNED = { call: '^update "session" set "operator_overturn"', of: ['{job}'] }
const FINAL = { call: '^insert into "reputation_event"', of: ['{job}', 'rejection_final'] }
const LOST = { call: '^insert into "reputation_event"', of: ['{job}', 'dispute_lost'] }
const REMINDED = { call: '^insert into "dispute_event"', of: ['{dispute}', 'people_reminded'] }
const SEEN = { call: '"pull_request"', of: ['{job}', 'merged'] }

/** People are called where no verifier has decided in time. */
const call: Moment[] = [
  ...record('the call for people', VERDICT, ['calling', 'called']),
  ['announcing', 'it is about to be signalled to the claim', engine('worker', { ...before, ...signal('verdictReached') })],
  ['dispute-started', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...START_DISPUTE })],
  ...record('the review', DISPUTE),
]

const worker: Point[] = [
  ...points('worker', 'expire', [...transaction(EXPIRE, '/timeout'), ...record('the end of the claim', EXPIRED)]),
  ...points('worker', 'look', [...record('that the pull request changed', SEEN, ['seeing', 'seen']), ...record('the verdict', VERDICT)]),
  ...points('worker', 'overdue', call),
  ...points('worker', 'recall', call),
  ...points('worker', 'later', [...decision('the machine’s later verdict'), ...record('payout, badge and end of the review', BADGE)]),
  ...points('worker', 'overturn', [
    ['marked', 'it is marked as taken back, nothing is sent', sql('worker', { ...after, ...OVERTURNED })],
    ...transaction(OPEN, '/overturn'),
    ...record('the dispute', DISPUTE),
  ]),
  ...points('worker', 'timeout', [...transaction(TIME_OUT, '/timeout/'), ...record('the end by the contract’s rule', TIMED_OUT)]),
  ...points('worker', 'refuse', [...decision('people’s no'), ...transaction(JUDGE, '/reject/'), ...record('the rejection', REJECTED)]),
  ...points('worker', 'reject', [
    [
      'announced',
      'the claim has received the verdict, the verification has no answer',
      engine('worker', { ...after, ...signal('verdictReached') }),
    ],
    ['starting-dispute', 'the dispute is about to be started', engine('worker', { ...before, ...START_DISPUTE })],
    ['dispute-started', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...START_DISPUTE })],
    ...transaction(JUDGE, '/reject/0'),
    ...record('the rejection', REJECTED),
  ]),
  ...points('worker', 'dispute', [...notification('dispute/', 'DisputeOpened', 'the worker’s dispute'), ...record('the dispute', DISPUTE)]),
  ...points('worker', 'arbitrate', [
    ...decision('the arbitrator’s verdict'),
    ...transaction(RESOLVE, '/resolve/'),
    ...record('payout, badge and end of the dispute', BADGE),
    ...announcement,
  ]),
  ...points('worker', 'uphold', [
    ...decision('the arbitrator’s no'),
    ...transaction(RESOLVE, '/resolve/'),
    ...record('the lost dispute', LOST),
    ...announcement,
  ]),
  ...points('worker', 'review', [
    ['dispute-started', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...START_DISPUTE })],
    ...record('the review', DISPUTE),
  ]),
  ...points('worker', 'people', [
    ...decision('people’s verdict'),
    ...transaction(JUDGE, '/approve/'),
    ...record('payout, badge and end of the review', BADGE),
    ...announcement,
  ]),
  ...points('worker', 'remind', [['looking', 'a day is over, the chain is about to be read', LOOK], ...record('the reminder', REMINDED)]),
  ...points('worker', 'lapse', [
    ['looking', 'the window is over, the chain is about to be read', LOOK],
    ...transaction(FINALIZE, '/finalize/'),
    ...record('the final rejection', FINAL),
    ...announcement,
  ]),
  ...points('worker', 'unreviewed', [
    ...decision('the default'),
    ...bringing,
    ['opened-and-recorded', 'the arbitrator’s turn is recorded, the step goes on', sql('worker', { ...committed, ...BEFORE_ARBITRATOR })],
    ['signed', 'the default verdict is signed, not broadcast', send('before', [RESOLVE])],
    ['broadcast', 'it is broadcast, no receipt read', send('after', [RESOLVE])],
    ...record('payout, badge and end of the dispute', BADGE),
  ]),
]

const others: Point[] = [
  ...points('workers', 'arbitrate', [['signed', 'both workers, the verdict signed, not broadcast', send('before', [RESOLVE])]]),
  ...points('api', 'arbitrate', delivery('the arbitrator’s verdict')),
  ...points('api', 'people', delivery('people’s verdict')),
  ...points('api', 'overturn', delivery('the overturn')),
  ...points('temporal', 'reject', [
    ['starting-dispute', 'the dispute is about to be started', engine('worker', { ...before, ...START_DISPUTE })],
  ]),
  ...points('temporal', 'arbitrate', [
    ['mined', 'the verdict is mined, its step has not ended', sql('worker', { ...before, ...outcome(['/resolve/']) })],
  ]),
  ...points('postgres', 'arbitrate', [
    ['decided', 'the verdict has the round, the answer lost', sql('worker', { ...committed, ...DECISION })],
    ['recorded', 'payout, badge and end are committed, the answer lost', sql('worker', { ...committed, ...BADGE })],
  ]),
  ...points('chain', 'arbitrate', [['in-flight', 'the verdict waits to be mined', send('after', [RESOLVE], { unmined: true })]]),
]

/** Points of every other way. */
export const DISPUTE_POINTS: readonly Point[] = [...worker, ...ELSEWHERE_POINTS, ...others]
