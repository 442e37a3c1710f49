// Points while other parties act directly on chain, and while the service cannot act there itself.
import {
  announcement,
  BEFORE_ARBITRATOR,
  bringing,
  decision,
  delivery,
  LOOK,
  notification,
  points,
  REJECTED,
  record,
  START_DISPUTE,
  transaction,
  VERDICT,
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

/** Points of every journey in which another party acts on chain, or no party does in time. */
export const ELSEWHERE_POINTS: readonly Point[] = [
  ...points('worker', 'observe', [
    ...notification('claim/', 'JobClosed', 'an approval directly on chain'),
    ...record('the verdict', VERDICT, ['storing', 'stored']),
    ...record('payout and badge', BADGE),
  ]),
  ...points('worker', 'deny', [
    ...notification('claim/', 'JobRejected', 'a rejection directly on chain'),
    ...record('the verdict', VERDICT, ['storing', 'stored']),
    ['starting-dispute', 'the dispute is about to be started', engine('worker', { ...before, ...START_DISPUTE })],
    ['dispute-started', 'the dispute runs, the claim does not know', engine('worker', { ...after, ...START_DISPUTE })],
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
    ...notification('dispute/', 'DisputeResolved', 'the verdict that the arbitrator sent'),
    ...record('payout, badge and end of the dispute', BADGE),
    ...announcement,
  ]),
  ...points('worker', 'appeal', [
    ...record('that the service itself goes on', MARKED, ['marking', 'marked']),
    ...bringing,
    ...record('the arbitrator’s turn', BEFORE_ARBITRATOR),
  ]),
  ...points('worker', 'forsake', [...decision('the arbitrator’s verdict'), ...record('that a key holder has to sign', LEFT)]),
  ...points('worker', 'release', [...transaction(CLAIM, '/claim'), ...record('that the claim did not come about', RELEASED)]),
  ...points('api', 'prepare', delivery('the arbitrator’s verdict')),
  ...points('api', 'supersede', delivery('the verdict in place of the first')),
]
