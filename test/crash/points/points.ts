import { DISPUTE_POINTS } from './dispute-points.ts'
import { signal } from './moments.ts'
import { after, BADGE, before, committed, engine, lookup, outcome, selector, send, signing, sql, written } from './places.ts'
import type { Point } from './point.ts'

const [CLAIM, SUBMIT, APPROVE] = [selector('claimJobFor'), selector('submitWorkFor'), selector('resolveSinglePayout')]
const START = { call: 'ExecuteMultiOperation$', of: ['{job}'] }
const UPDATE = { call: 'UpdateWorkflowExecution$', of: ['{job}', 'submit/'] }
const INTENT = { call: '^insert into "claim_intent"', of: ['{job}'] }
const SESSION = { call: '^insert into "session"', of: ['{job}'] }
const SUBMITTED = { call: '^insert into "session_event"', of: ['{job}', 'work_submitted'] }
const ADMITTED = { call: '^update "session" set "submission"', of: ['{job}'] }
const VERIFY = { call: '/StartWorkflowExecution$', of: ['verify/', '{job}'] }
const VERDICT = { call: '^insert into "verification"', of: ['{job}'] }

const api: Point[] = [
  {
    name: 'api/claim/accepted',
    when: 'the claim was taken in and nothing is started',
    at: sql('api', { ...before, call: '^select .* from "claim_intent"', of: ['{claimKey}'] }),
    kills: ['api'],
  },
  {
    name: 'api/claim/before-start',
    when: 'the start of the workflow is about to leave',
    at: engine('api', { ...before, ...START }),
    kills: ['api'],
  },
  {
    name: 'api/claim/started',
    when: 'the workflow runs, the API waits for it',
    at: sql('worker', { ...before, ...INTENT }),
    kills: ['entryApi'],
  },
  {
    name: 'api/claim/unanswered',
    when: 'the outcome is known and not answered',
    at: engine('api', { ...after, ...START }),
    kills: ['api'],
  },
  {
    name: 'api/submit/accepted',
    when: 'the idempotency key is bound and names no process yet',
    at: sql('api', { ...after, call: '^insert into "idempotency_key"', of: ['{submitKey}'] }),
    kills: ['api'],
  },
  { name: 'api/submit/before-update', when: 'the update is about to leave', at: engine('api', { ...before, ...UPDATE }), kills: ['api'] },
  { name: 'api/submit/under-way', when: 'the work is on its way to the chain', at: send('before', [SUBMIT]), kills: ['entryApi'] },
  {
    name: 'api/submit/unanswered',
    when: 'the outcome is known and not answered',
    at: engine('api', { ...after, ...UPDATE }),
    kills: ['api'],
  },
]

const worker: Point[] = [
  {
    name: 'worker/claim/admitting',
    when: 'the intent is written and not committed',
    at: sql('worker', { ...written, ...INTENT }),
    kills: ['worker'],
  },
  {
    name: 'worker/claim/admitted',
    when: 'the claim is admitted, the workflow does not know',
    at: sql('worker', { ...committed, ...INTENT }),
    kills: ['worker'],
  },
  {
    name: 'worker/claim/before-signing',
    when: 'no nonce is taken, nothing is signed',
    at: sql('worker', { ...before, ...lookup(['/bond/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/claim/unstored',
    when: 'the nonces are taken, the bytes are signed and not stored',
    at: sql('worker', { ...before, ...signing(['/bond/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/claim/storing',
    when: 'nonces and bytes are stored and not committed',
    at: sql('worker', { ...written, ...signing(['/bond/']) }),
    kills: ['worker'],
  },
  { name: 'worker/claim/signed', when: 'signed, nothing broadcast', at: send('before', []), kills: ['worker'] },
  { name: 'worker/claim/half-sent', when: 'the job is created, its claim not broadcast', at: send('before', [CLAIM]), kills: ['worker'] },
  { name: 'worker/claim/broadcast', when: 'broadcast, no receipt read', at: send('after', [CLAIM]), kills: ['worker'] },
  {
    name: 'worker/claim/mined',
    when: 'the receipt is read and not journalled',
    at: sql('worker', { ...before, ...outcome(['/bond/', '/claim']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/claim/recording',
    when: 'the session is written and not committed',
    at: sql('worker', { ...written, ...SESSION }),
    kills: ['worker'],
  },
  {
    name: 'worker/claim/recorded',
    when: 'the session is recorded, the workflow does not know',
    at: sql('worker', { ...committed, ...SESSION }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/admitting',
    when: 'the work is written and not committed',
    at: sql('worker', { ...written, ...ADMITTED }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/admitted',
    when: 'the work is stored, the workflow does not know',
    at: sql('worker', { ...committed, ...ADMITTED }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/before-signing',
    when: 'no nonce is taken, nothing is signed',
    at: sql('worker', { ...before, ...lookup(['/submit/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/unstored',
    when: 'the nonce is taken, the bytes are signed and not stored',
    at: sql('worker', { ...before, ...signing(['/submit/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/storing',
    when: 'nonce and bytes are stored and not committed',
    at: sql('worker', { ...written, ...signing(['/submit/']) }),
    kills: ['worker'],
  },
  { name: 'worker/submit/signed', when: 'signed, not broadcast', at: send('before', [SUBMIT]), kills: ['worker'] },
  { name: 'worker/submit/broadcast', when: 'broadcast, no receipt read', at: send('after', [SUBMIT]), kills: ['worker'] },
  {
    name: 'worker/submit/mined',
    when: 'the receipt is read and not journalled',
    at: sql('worker', { ...before, ...outcome(['/submit/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/recording',
    when: 'the submission is written and not committed',
    at: sql('worker', { ...written, ...SUBMITTED }),
    kills: ['worker'],
  },
  {
    name: 'worker/submit/recorded',
    when: 'the submission is recorded, the workflow does not know',
    at: sql('worker', { ...committed, ...SUBMITTED }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/starting',
    when: 'the verification is about to be started',
    at: engine('worker', { ...before, ...VERIFY }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/started',
    when: 'the verification runs, the claim does not know',
    at: engine('worker', { ...after, ...VERIFY }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/judging',
    when: 'the verdict is written and not committed',
    at: sql('worker', { ...written, ...VERDICT }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/judged',
    when: 'the verdict is stored, the process does not know',
    at: sql('worker', { ...committed, ...VERDICT }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/announcing',
    when: 'the verdict is about to be signalled to the claim',
    at: engine('worker', { ...before, ...signal('verdictReached') }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/announced',
    when: 'the claim has received the verdict, the verification has no answer',
    at: engine('worker', { ...after, ...signal('verdictReached') }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/before-signing',
    when: 'no nonce is taken, nothing is signed',
    at: sql('worker', { ...before, ...lookup(['/approve/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/unstored',
    when: 'the nonce is taken, the bytes are signed and not stored',
    at: sql('worker', { ...before, ...signing(['/approve/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/storing',
    when: 'nonce and bytes are stored and not committed',
    at: sql('worker', { ...written, ...signing(['/approve/']) }),
    kills: ['worker'],
  },
  { name: 'worker/settle/signed', when: 'signed, not broadcast', at: send('before', [APPROVE]), kills: ['worker'] },
  { name: 'worker/settle/broadcast', when: 'broadcast, no receipt read', at: send('after', [APPROVE]), kills: ['worker'] },
  {
    name: 'worker/settle/mined',
    when: 'the receipt is read and not journalled',
    at: sql('worker', { ...before, ...outcome(['/approve/']) }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/recording',
    when: 'payout and badge are written and not committed',
    at: sql('worker', { ...written, ...BADGE }),
    kills: ['worker'],
  },
  {
    name: 'worker/settle/recorded',
    when: 'payout and badge are recorded, the workflow does not know',
    at: sql('worker', { ...committed, ...BADGE }),
    kills: ['worker'],
  },
  {
    name: 'workers/claim/broadcast',
    when: 'both workers, the bond broadcast, no receipt read',
    at: send('after', [CLAIM]),
    kills: ['workers'],
  },
  {
    name: 'workers/settle/signed',
    when: 'both workers, the payout signed, not broadcast',
    at: send('before', [APPROVE]),
    kills: ['workers'],
  },
]

const temporal: Point[] = [
  { name: 'temporal/claim/waiting', when: 'a claim is started and no worker is up', at: 'waiting', kills: ['temporal'] },
  {
    name: 'temporal/claim/before-start',
    when: 'the start is about to leave',
    at: engine('api', { ...before, ...START }),
    kills: ['temporal'],
  },
  {
    name: 'temporal/claim/admitting',
    when: 'the claim is being admitted',
    at: sql('worker', { ...before, ...INTENT }),
    kills: ['temporal'],
  },
  {
    name: 'temporal/claim/mined',
    when: 'the bond is mined, its step has not ended',
    at: sql('worker', { ...before, ...outcome(['/bond/', '/claim']) }),
    kills: ['temporal'],
  },
  {
    name: 'temporal/submit/before-update',
    when: 'the update is about to leave',
    at: engine('api', { ...before, ...UPDATE }),
    kills: ['temporal'],
  },
  {
    name: 'temporal/settle/announcing',
    when: 'the verdict is about to be signalled to the claim',
    at: engine('worker', { ...before, ...signal('verdictReached') }),
    kills: ['temporal'],
  },
  {
    name: 'temporal/settle/recording',
    when: 'payout and badge are being recorded',
    at: sql('worker', { ...before, ...BADGE }),
    kills: ['temporal'],
  },
]

const postgres: Point[] = [
  {
    name: 'postgres/claim/admitting',
    when: 'the intent is written and not committed',
    at: sql('worker', { ...written, ...INTENT }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/claim/admitted',
    when: 'the admission is committed, the answer lost',
    at: sql('worker', { ...committed, ...INTENT }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/claim/signing',
    when: 'nonces and signed bytes are committed, the answer lost',
    at: sql('worker', { ...committed, ...signing(['/bond/']) }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/claim/recording',
    when: 'the session is written and not committed',
    at: sql('worker', { ...written, ...SESSION }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/submit/recorded',
    when: 'the submission is committed, the answer lost',
    at: sql('worker', { ...committed, ...SUBMITTED }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/settle/judged',
    when: 'the verdict is committed, the answer lost',
    at: sql('worker', { ...committed, ...VERDICT }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/settle/recording',
    when: 'payout and badge are written and not committed',
    at: sql('worker', { ...written, ...BADGE }),
    kills: ['postgres'],
  },
  {
    name: 'postgres/settle/recorded',
    when: 'payout and badge are committed, the answer lost',
    at: sql('worker', { ...committed, ...BADGE }),
    kills: ['postgres'],
  },
]

const chain: Point[] = [
  {
    name: 'chain/claim/in-flight',
    when: 'the creation of the job waits to be mined',
    at: send('after', [], { unmined: true }),
    kills: ['chain'],
  },
  {
    name: 'chain/claim/half-mined',
    when: 'the job is created, its claim waits to be mined',
    at: send('after', [CLAIM], { unmined: true }),
    kills: ['chain'],
  },
  {
    name: 'chain/submit/in-flight',
    when: 'the submission waits to be mined',
    at: send('after', [SUBMIT], { unmined: true }),
    kills: ['chain'],
  },
  {
    name: 'chain/settle/in-flight',
    when: 'the payout waits to be mined',
    at: send('after', [APPROVE], { unmined: true }),
    kills: ['chain'],
  },
  { name: 'chain/settle/mined', when: 'the payout is mined, the answer lost', at: send('after', [APPROVE]), kills: ['chain'] },
]

/** Points of the way from a claim to its badge. */
export const BADGE_POINTS: readonly Point[] = [...worker, ...api, ...temporal, ...postgres, ...chain]

/** Every point. */
export const POINTS: readonly Point[] = [...BADGE_POINTS, ...DISPUTE_POINTS]
