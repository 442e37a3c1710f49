// The moments of a step: before its effect, after it, and before it is recorded.
import type { Phase } from '../acts/journeys.ts'
import type { Trap } from '../trap.ts'
import { after, before, committed, engine, outcome, selector, send, signing, sql, written } from './places.ts'
import type { Point, Victim } from './point.ts'

const [JUDGE, OPEN] = [selector('resolveSinglePayout'), selector('openDisputeFor')]
const DELIVERY = { call: 'ExecuteMultiOperation$', of: ['dispute/', '{job}'] }
export const DECISION = { call: '^insert into "dispute_verdict"', of: ['{dispute}'] }

export const START_DISPUTE = { call: 'SignalWithStartWorkflowExecution$', of: ['dispute/', '{job}'] }
export const VERDICT = { call: '^insert into "verification"', of: ['{job}'] }
export const REJECTED = { call: '^insert into "event"', of: ['{job}', 'settlement.session_rejected'] }
export const BEFORE_ARBITRATOR = { call: '^insert into "dispute_event"', of: ['{dispute}', 'opened_on_chain'] }
export const LOOK = { in: 'worker', on: 'rpc', when: 'before', call: '"eth_call"', of: ['{chainJob}'] } as const satisfies Trap
/** A signal about this job. */
export const signal = (...of: string[]) => ({ call: '/SignalWorkflowExecution$', of: ['{job}', ...of] })

export type Moment = [what: string, when: string, at: Trap]

export const points = (who: 'api' | 'worker' | 'workers' | 'temporal' | 'postgres' | 'chain', phase: Phase, moments: Moment[]): Point[] =>
  moments.map(([what, when, at]) => ({ name: `${who}/${phase}/${what}`, when, at, kills: [who satisfies Victim] }))

/** The moments of one transaction: `call` is its function, `step` its place in the journal. */
export const transaction = (call: string, step: string): Moment[] => [
  ['unstored', 'the nonce is taken, the bytes are signed and not stored', sql('worker', { ...before, ...signing([step]) })],
  ['signed', 'signed, not broadcast', send('before', [call])],
  ['broadcast', 'broadcast, no receipt read', send('after', [call])],
  ['mined', 'the receipt is read and not journalled', sql('worker', { ...before, ...outcome([step]) })],
]

/** The two moments of one record: `row` is what it inserts; `names` where a stretch has several. */
export const record = (
  what: string,
  row: { call: string; of: string[] },
  names: readonly [string, string] = ['recording', 'recorded'],
): Moment[] => [
  [names[0], `${what} is written and not committed`, sql('worker', { ...written, ...row })],
  [names[1], `${what} is recorded, the process does not know`, sql('worker', { ...committed, ...row })],
]

export const decision = (whose: string): Moment[] => [
  ['deciding', `${whose} is written and not committed`, sql('worker', { ...written, ...DECISION })],
  ['decided', `${whose} has the round, nothing is carried out`, sql('worker', { ...committed, ...DECISION })],
]

export const delivery = (whose: string): Moment[] => [
  ['before-update', `${whose} is about to be sent to the dispute`, engine('api', { ...before, ...DELIVERY })],
  ['unanswered', `${whose} is carried out and not answered`, engine('api', { ...after, ...DELIVERY })],
]

export const announcement: Moment[] = [
  ['announcing', 'the end is about to be signalled to the claim', engine('worker', { ...before, ...signal('sessionFinal') })],
  ['announced', 'the claim has received the end, the dispute has no answer', engine('worker', { ...after, ...signal('sessionFinal') })],
]

/** What has to be on chain before an arbitrator can decide: a rejection, and its dispute. */
export const bringing: Moment[] = [
  ['rejecting', 'the rejection that a dispute needs is signed, not broadcast', send('before', [JUDGE])],
  ['rejected', 'it is broadcast, no receipt read', send('after', [JUDGE])],
  ['opening', 'the dispute is signed, not broadcast', send('before', [OPEN])],
  ['opened', 'it is broadcast, no receipt read', send('after', [OPEN])],
]

/** Notification of a process of the job about what another party did on chain. */
export const notification = (process: 'claim/' | 'dispute/', event: string, what: string): Moment[] => [
  [
    'notifying',
    `${what} is about to be signalled to its process`,
    engine('worker', { ...before, ...signal(process, 'chainMoved', event) }),
  ],
  [
    'notified',
    'its process has received it, the follower has no answer',
    engine('worker', { ...after, ...signal(process, 'chainMoved', event) }),
  ],
  ['looking', 'the chain is about to be read', LOOK],
]
