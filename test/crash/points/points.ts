import { DISPUTE_POINTS } from './dispute-points.ts'
import { type Moment, points, record, signal, transaction, VERDICT } from './moments.ts'
import { after, BADGE, before, committed, engine, lookup, outcome, selector, send, signing, sql, written } from './places.ts'
import type { Point, Victim } from './point.ts'

const [CLAIM, SUBMIT, APPROVE] = [selector('claimJobFor'), selector('submitWorkFor'), selector('resolveSinglePayout')]
const START = { call: 'ExecuteMultiOperation$', of: ['{job}'] }
const UPDATE = { call: 'UpdateWorkflowExecution$', of: ['{job}', 'submit/'] }
const INTENT = { call: '^insert into "claim_intent"', of: ['{job}'] }
const SESSION = { call: '^insert into "session"', of: ['{job}'] }
const SUBMITTED = { call: '^insert into "session_event"', of: ['{job}', 'work_submitted'] }
const ADMITTED = { call: '^update "session" set "submission"', of: ['{job}'] }
const VERIFY = { call: '/StartWorkflowExecution$', of: ['verify/', '{job}'] }
const KEY = { call: '^insert into "idempotency_key"', of: ['{submitKey}'] }

/** The moments until the bytes of a step are stored. */
const signed = (step: string): Moment[] => [
  ['before-signing', 'no nonce is taken, nothing is signed', sql('worker', { ...before, ...lookup([step]) })],
  ['unstored', 'nonce and bytes are not stored', sql('worker', { ...before, ...signing([step]) })],
  ['storing', 'nonce and bytes are stored and not committed', sql('worker', { ...written, ...signing([step]) })],
]
/** The moments of one transaction from its nonce on. */
const wholeTransaction = (call: string, step: string): Moment[] => [...signed(step), ...transaction(call, step).slice(1)]

const waiting: Point = {
  name: 'temporal/claim/waiting',
  when: 'a claim is started and no worker is up',
  at: 'waiting',
  kills: ['temporal'],
}

/** Another victim than that of the name. */
const killing = (victim: Victim, [point]: Point[]): Point[] => (point === undefined ? [] : [{ ...point, kills: [victim] }])

const api: Point[] = [
  ...points('api', 'claim', [
    [
      'accepted',
      'the claim is accepted and nothing is started',
      sql('api', { ...before, call: '^select .* from "claim_intent"', of: ['{claimKey}'] }),
    ],
    ['before-start', 'the start of the workflow is about to leave', engine('api', { ...before, ...START })],
  ]),
  ...killing(
    'entryApi',
    points('api', 'claim', [['started', 'the workflow runs, the API waits for it', sql('worker', { ...before, ...INTENT })]]),
  ),
  ...points('api', 'claim', [['unanswered', 'the outcome is known and not answered', engine('api', { ...after, ...START })]]),
  ...points('api', 'submit', [
    ['accepted', 'the idempotency key is bound and names no process yet', sql('api', { ...after, ...KEY })],
    ['before-update', 'the update is about to leave', engine('api', { ...before, ...UPDATE })],
  ]),
  ...killing('entryApi', points('api', 'submit', [['under-way', 'the work is on its way to the chain', send('before', [SUBMIT])]])),
  ...points('api', 'submit', [['unanswered', 'the outcome is known and not answered', engine('api', { ...after, ...UPDATE })]]),
]

const worker: Point[] = [
  ...points('worker', 'claim', [
    ...record('the intent', INTENT, ['admitting', 'admitted']),
    ...signed('/bond/'),
    ['signed', 'signed, nothing broadcast', send('before', [])],
    ['half-sent', 'the job is created, its claim not broadcast', send('before', [CLAIM])],
    ['broadcast', 'broadcast, no receipt read', send('after', [CLAIM])],
    ['mined', 'the receipt is read and not journalled', sql('worker', { ...before, ...outcome(['/bond/', '/claim']) })],
    ...record('the session', SESSION),
  ]),
  ...points('worker', 'submit', [
    ...record('the work', ADMITTED, ['admitting', 'admitted']),
    ...wholeTransaction(SUBMIT, '/submit/'),
    ...record('the submission', SUBMITTED),
  ]),
  ...points('worker', 'settle', [
    ['starting', 'the verification is about to be started', engine('worker', { ...before, ...VERIFY })],
    ['started', 'the verification runs, the claim does not know', engine('worker', { ...after, ...VERIFY })],
    ...record('the verdict', VERDICT, ['judging', 'judged']),
    ['announcing', 'the verdict is about to be signalled to the claim', engine('worker', { ...before, ...signal('verdictReached') })],
    ['announced', 'the claim has the verdict, the verification has no answer', engine('worker', { ...after, ...signal('verdictReached') })],
    ...wholeTransaction(APPROVE, '/approve/'),
    ...record('payout and badge', BADGE),
  ]),
  ...points('workers', 'claim', [['broadcast', 'both workers, the bond broadcast, no receipt read', send('after', [CLAIM])]]),
  ...points('workers', 'settle', [['signed', 'both workers, the payout signed, not broadcast', send('before', [APPROVE])]]),
]

const temporal: Point[] = [
  waiting,
  ...points('temporal', 'claim', [
    ['before-start', 'the start is about to leave', engine('api', { ...before, ...START })],
    ['admitting', 'the claim is being admitted', sql('worker', { ...before, ...INTENT })],
    ['mined', 'the bond is mined, its step has not ended', sql('worker', { ...before, ...outcome(['/bond/', '/claim']) })],
  ]),
  ...points('temporal', 'submit', [['before-update', 'the update is about to leave', engine('api', { ...before, ...UPDATE })]]),
  ...points('temporal', 'settle', [
    ['announcing', 'the verdict is about to be signalled to the claim', engine('worker', { ...before, ...signal('verdictReached') })],
    ['recording', 'payout and badge are being recorded', sql('worker', { ...before, ...BADGE })],
  ]),
]

const postgres: Point[] = [
  ...points('postgres', 'claim', [
    ['admitting', 'the intent is written and not committed', sql('worker', { ...written, ...INTENT })],
    ['admitted', 'the admission is committed, the answer lost', sql('worker', { ...committed, ...INTENT })],
    ['signing', 'nonces and signed bytes are committed, the answer lost', sql('worker', { ...committed, ...signing(['/bond/']) })],
    ['recording', 'the session is written and not committed', sql('worker', { ...written, ...SESSION })],
  ]),
  ...points('postgres', 'submit', [
    ['recorded', 'the submission is committed, the answer lost', sql('worker', { ...committed, ...SUBMITTED })],
  ]),
  ...points('postgres', 'settle', [
    ['judged', 'the verdict is committed, the answer lost', sql('worker', { ...committed, ...VERDICT })],
    ['recording', 'payout and badge are written and not committed', sql('worker', { ...written, ...BADGE })],
    ['recorded', 'payout and badge are committed, the answer lost', sql('worker', { ...committed, ...BADGE })],
  ]),
]

const chain: Point[] = [
  ...points('chain', 'claim', [
    ['in-flight', 'the creation of the job waits to be mined', send('after', [], { unmined: true })],
    ['half-mined', 'the job is created, its claim waits to be mined', send('after', [CLAIM], { unmined: true })],
  ]),
  ...points('chain', 'submit', [['in-flight', 'the submission waits to be mined', send('after', [SUBMIT], { unmined: true })]]),
  ...points('chain', 'settle', [
    ['in-flight', 'the payout waits to be mined', send('after', [APPROVE], { unmined: true })],
    ['mined', 'the payout is mined, the answer lost', send('after', [APPROVE])],
  ]),
]

/** Points of the way from a claim to its badge. */
export const BADGE_POINTS: readonly Point[] = [...worker, ...api, ...temporal, ...postgres, ...chain]

/** Every point. */
export const POINTS: readonly Point[] = [...BADGE_POINTS, ...DISPUTE_POINTS]
