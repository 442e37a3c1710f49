// Points off the way to a badge by a verifier of our own: every step of a dispute, before its effect, after it, and before it is recorded, and other ways to a verdict.
import { after, BADGE, before, committed, engine, outcome, selector, send, signing, sql } from './places.ts'
import type { Point, Victim } from './point.ts'
import type { Trap } from './trap.ts'

const [JUDGE, OPEN] = [selector('resolveSinglePayout'), selector('openDisputeFor')]
const [RESOLVE, FINALIZE] = [selector('resolveDispute'), selector('finalizeRejectedJob')]
const [EXPIRE, TIME_OUT] = [selector('handleClaimTimeout'), selector('autoResolveOnTimeout')]

const HAND_OVER = { call: 'SignalWithStartWorkflowExecution$', of: ['dispute/', '{job}'] }
const WORD = { call: 'ExecuteMultiOperation$', of: ['dispute/', '{job}'] }
const signal = (...of: string[]) => ({ call: '/SignalWorkflowExecution$', of: ['{job}', ...of] })
const HEARD = signal('dispute/', 'chainMoved', 'DisputeOpened')
const LOOK = { in: 'worker', on: 'rpc', when: 'before', call: '"eth_call"', of: ['{chainJob}'] } as const satisfies Trap
const DISPUTE = { call: '^insert into "dispute" ', of: ['{job}'] }
const DECISION = { call: '^insert into "dispute_verdict"', of: ['{dispute}'] }
const REJECTED = { call: '^insert into "event"', of: ['{job}', 'settlement.session_rejected'] }
const EXPIRED = { call: '^insert into "session_event"', of: ['{job}', 'claim_ttl_expired'] }
const TIMED_OUT = { call: '^insert into "event"', of: ['{job}', 'settlement.stake_release_recorded'] }
const FINAL = { call: '^insert into "reputation_event"', of: ['{job}', 'rejection_final'] }
const BEFORE_ARBITRATOR = { call: '^insert into "dispute_event"', of: ['{dispute}', 'opened_on_chain'] }

type Moment = [what: string, when: string, at: Trap]
const VERDICT = { call: '^insert into "verification"', of: ['{job}'] }
const SEEN = { call: '"pull_request"', of: ['{job}', 'merged'] }
const ELSEWHERE = signal('claim/', 'chainMoved', 'JobClosed')

type Stretch =
  | 'look'
  | 'observe'
  | 'overdue'
  | 'expire'
  | 'reject'
  | 'overturn'
  | 'dispute'
  | 'arbitrate'
  | 'timeout'
  | 'lapse'
  | 'review'
  | 'people'
  | 'refuse'
  | 'silence'

const points = (who: 'api' | 'worker' | 'workers' | 'temporal' | 'postgres' | 'chain', phase: Stretch, moments: Moment[]): Point[] =>
  moments.map(([what, when, at]) => ({ name: `${who}/${phase}/${what}`, when, at, kills: [who satisfies Victim] }))

/** The five moments of one transaction: `call` is its function, `step` its place in the journal. */
const transaction = (call: string, step: string): Moment[] => [
  ['before-signing', 'the nonce is taken, nothing stored', sql('worker', { ...before, ...signing([step]) })],
  ['signed', 'signed, not broadcast', send('before', [call])],
  ['broadcast', 'broadcast, no receipt read', send('after', [call])],
  ['mined', 'the receipt is read and not journalled', sql('worker', { ...before, ...outcome([step]) })],
]

/** The two moments of one record: `row` is what it inserts; `names` where a stretch has several. */
const record = (
  what: string,
  row: { call: string; of: string[] },
  names: readonly [string, string] = ['recording', 'recorded'],
): Moment[] => [
  [names[0], `${what} is written and not committed`, sql('worker', { ...after, ...row })],
  [names[1], `${what} is recorded, the process does not know`, sql('worker', { ...committed, ...row })],
]

const decision = (whose: string): Moment[] => [
  ['deciding', `${whose} is written and not committed`, sql('worker', { ...after, ...DECISION })],
  ['decided', `${whose} has the round, nothing is carried out`, sql('worker', { ...committed, ...DECISION })],
]

const word = (whose: string): Moment[] => [
  ['before-update', `${whose} is about to leave for the dispute`, engine('api', { ...before, ...WORD })],
  ['unanswered', `${whose} is carried out and not answered`, engine('api', { ...after, ...WORD })],
]

const news: Moment[] = [
  ['announcing', 'the end is about to be told to the claim', engine('worker', { ...before, ...signal('sessionFinal') })],
  ['announced', 'the claim was told of the end, the dispute does not know', engine('worker', { ...after, ...signal('sessionFinal') })],
]

const worker: Point[] = [
  ...points('worker', 'expire', [...transaction(EXPIRE, '/timeout'), ...record('the end of the claim', EXPIRED)]),
  ...points('worker', 'look', [
    ...record('what was seen of the pull request', SEEN, ['seeing', 'seen']),
    ...record('the verdict', VERDICT),
  ]),
  ...points('worker', 'observe', [
    ['telling', 'the claim is about to be told of a verdict past the service', engine('worker', { ...before, ...ELSEWHERE })],
    ['told', 'the claim was told of it, the follower does not know', engine('worker', { ...after, ...ELSEWHERE })],
    ['looking', 'the chain is about to be read', LOOK],
    ...record('the verdict', VERDICT, ['storing', 'stored']),
    ...record('payout and badge', BADGE),
  ]),
  ...points('worker', 'overdue', [
    ...record('the call for people', VERDICT, ['calling', 'called']),
    ['announcing', 'it is about to be told to the claim', engine('worker', { ...before, ...signal('verdictReached') })],
    ['handed-over', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...HAND_OVER })],
    ...record('the review', DISPUTE),
  ]),
  ...points('worker', 'overturn', [...transaction(OPEN, '/overturn'), ...record('the dispute', DISPUTE)]),
  ...points('worker', 'timeout', [...transaction(TIME_OUT, '/timeout/'), ...record('the end by the contract’s rule', TIMED_OUT)]),
  ...points('worker', 'refuse', [...decision('people’s no'), ...transaction(JUDGE, '/reject/'), ...record('the rejection', REJECTED)]),
  ...points('worker', 'reject', [
    [
      'told',
      'the claim was told of the verdict, the verification does not know',
      engine('worker', { ...after, ...signal('verdictReached') }),
    ],
    ['handing-over', 'the dispute is about to be started', engine('worker', { ...before, ...HAND_OVER })],
    ['handed-over', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...HAND_OVER })],
    ...transaction(JUDGE, '/reject/0'),
    ...record('the rejection', REJECTED),
  ]),
  ...points('worker', 'dispute', [
    ['telling', 'the worker’s dispute is about to be told of', engine('worker', { ...before, ...HEARD })],
    ['told', 'the dispute was told of it, the follower does not know', engine('worker', { ...after, ...HEARD })],
    ['looking', 'the chain is about to be read', LOOK],
    ...record('the dispute', DISPUTE),
  ]),
  ...points('worker', 'arbitrate', [
    ...decision('the arbitrator’s verdict'),
    ...transaction(RESOLVE, '/resolve/'),
    ...record('payout, badge and end of the dispute', BADGE),
    ...news,
  ]),
  ...points('worker', 'review', [
    ['handed-over', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...HAND_OVER })],
    ...record('the review', DISPUTE),
  ]),
  ...points('worker', 'people', [
    ...decision('people’s verdict'),
    ...transaction(JUDGE, '/approve/'),
    ...record('payout, badge and end of the review', BADGE),
    ...news,
  ]),
  ...points('worker', 'lapse', [
    ['looking', 'the window is over, the chain is about to be read', LOOK],
    ...transaction(FINALIZE, '/finalize/'),
    ...record('the final rejection', FINAL),
    ...news,
  ]),
  ...points('worker', 'silence', [
    ...decision('the default'),
    ['rejecting', 'the rejection that a dispute needs is signed, not broadcast', send('before', [JUDGE])],
    ['rejected', 'it is broadcast, no receipt read', send('after', [JUDGE])],
    ['opening', 'the dispute is signed, not broadcast', send('before', [OPEN])],
    ['opened', 'it is broadcast, no receipt read', send('after', [OPEN])],
    ['opened-and-recorded', 'the arbitrator’s turn is recorded, the step goes on', sql('worker', { ...committed, ...BEFORE_ARBITRATOR })],
    ['signed', 'the default verdict is signed, not broadcast', send('before', [RESOLVE])],
    ['broadcast', 'it is broadcast, no receipt read', send('after', [RESOLVE])],
    ...record('payout, badge and end of the dispute', BADGE),
  ]),
]

const others: Point[] = [
  ...points('workers', 'arbitrate', [['signed', 'both workers, the verdict signed, not broadcast', send('before', [RESOLVE])]]),
  ...points('api', 'arbitrate', word('the arbitrator’s verdict')),
  ...points('api', 'people', word('people’s verdict')),
  ...points('temporal', 'reject', [['handing-over', 'the dispute is about to be started', engine('worker', { ...before, ...HAND_OVER })]]),
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
export const DISPUTE_POINTS: readonly Point[] = [...worker, ...others]
