// Points of what others do on chain past the service, and of what it does where it does not get there itself.
import {
  BEFORE_ARBITRATOR,
  bringing,
  decision,
  HAND_OVER,
  LOOK,
  news,
  points,
  REJECTED,
  record,
  told,
  transaction,
  VERDICT,
  word,
} from './moments.ts'
import { after, BADGE, before, engine, selector } from './places.ts'
import type { Point } from './point.ts'

const [CLAIM, SUBMIT] = [selector('claimJobFor'), selector('submitWorkFor')]

const DROPPED = { call: '^update "session" set "evidence".*"submission"', of: ['{job}'] }
const DIVERGED = { call: '^insert into "session_event"', of: ['{job}', 'chain_state_diverged'] }
const LEFT = { call: '^update "dispute_verdict"', of: ['{dispute}', 'preparationId'] }
/** It names the run and not the job; nothing else is under way then. */
const RELEASED = { call: '^update "claim_intent"', of: ['insufficient_liquidity'] }
const MARKED = { call: '^update "dispute" set "origin"', of: ['{dispute}'] }

/** Points of every way on which somebody else acts on chain, or nobody does in time. */
export const ELSEWHERE_POINTS: readonly Point[] = [
  ...points('worker', 'observe', [
    ...told('claim/', 'JobClosed', 'an approval past the service'),
    ...record('the verdict', VERDICT, ['storing', 'stored']),
    ...record('payout and badge', BADGE),
  ]),
  ...points('worker', 'deny', [
    ...told('claim/', 'JobRejected', 'a rejection past the service'),
    ...record('the verdict', VERDICT, ['storing', 'stored']),
    ['handing-over', 'the dispute is about to be started', engine('worker', { ...before, ...HAND_OVER })],
    ['handed-over', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...HAND_OVER })],
    ...record('the rejection', REJECTED),
  ]),
  ...points('worker', 'drop', [
    ['looking', 'the chain, which holds other work, is about to be read', LOOK],
    ...record('that nothing is handed in', DROPPED),
  ]),
  ...points('worker', 'miss', [...transaction(SUBMIT, '/submit/'), ...record('that the platform came too late', DIVERGED)]),
  ...points('worker', 'prepare', [
    ...decision('the arbitrator’s verdict'),
    ...bringing,
    ...record('the arbitrator’s turn', BEFORE_ARBITRATOR),
  ]),
  ...points('worker', 'supersede', [
    ['looking', 'the chain, on which the arbitrator has its turn, is about to be read', LOOK],
    ...record('the verdict in place of the first', LEFT),
  ]),
  ...points('worker', 'sign', [
    ...told('dispute/', 'DisputeResolved', 'the verdict that the arbitrator sent'),
    ...record('payout, badge and end of the dispute', BADGE),
    ...news,
  ]),
  ...points('worker', 'appeal', [
    ...record('that the service itself goes on', MARKED, ['marking', 'marked']),
    ...bringing,
    ...record('the arbitrator’s turn', BEFORE_ARBITRATOR),
  ]),
  ...points('worker', 'forsake', [...decision('the arbitrator’s verdict'), ...record('that somebody has to sign', LEFT)]),
  ...points('worker', 'release', [...transaction(CLAIM, '/claim'), ...record('that the claim did not come about', RELEASED)]),
  ...points('api', 'prepare', word('the arbitrator’s verdict')),
  ...points('api', 'supersede', word('the verdict in place of the first')),
]
