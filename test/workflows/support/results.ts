import { DAY, HOUR, MINUTE } from './engine.ts'
import type { Outcome } from './outcomes.ts'
import type { CLAIM_STATES, DISPUTE_STATES, VERIFIER_STATES } from './reach.ts'

const quiet = (state: string, steps = ''): Outcome => ['–', steps, state]
const told = (answer: string, steps: string, state: string): Outcome => [answer, steps, state]
const gone = (state: string): Outcome => ['gone', '', state]

const SUBMITTING = 'admitSubmission submitOnChain recordSubmission startVerifier'
const LAPSING = 'admitSubmission submitOnChain recordLateSubmission'
const BEGINNING = 'admitClaim lockBond recordClaim'

type ClaimMessage = 'claimedUpdate' | 'submitUpdate' | 'submissionOffered' | 'verdictReached' | 'expiryDue' | 'sessionFinal' | 'chainMoved'

/** News that says nothing to a claim in this state. */
const unmoved = (state: string, steps = ''): Record<'verdictReached' | 'expiryDue' | 'sessionFinal' | 'chainMoved', Outcome> => ({
  verdictReached: quiet(state, steps),
  expiryDue: quiet(state, steps),
  sessionFinal: quiet(state, steps),
  chainMoved: quiet(state, steps),
})
const claimOver = (state: string): Record<ClaimMessage, Outcome> => ({
  claimedUpdate: gone(state),
  submitUpdate: gone(state),
  submissionOffered: gone(state),
  verdictReached: gone(state),
  expiryDue: gone(state),
  sessionFinal: gone(state),
  chainMoved: gone(state),
})

/** What every message does to a claim in every state. A verdict that comes before the submission is kept for it. */
export const CLAIM_RESULTS: Record<keyof typeof CLAIM_STATES | 'admitting', Record<ClaimMessage, Outcome>> = {
  admitting: {
    ...unmoved('claimed', BEGINNING),
    claimedUpdate: told('session', BEGINNING, 'claimed'),
    submitUpdate: told('submitted', `${BEGINNING} ${SUBMITTING}`, 'submitted'),
    submissionOffered: quiet('submitted', `${BEGINNING} ${SUBMITTING}`),
  },
  claiming: {
    ...unmoved('claimed', 'recordClaim'),
    claimedUpdate: told('session', 'recordClaim', 'claimed'),
    submitUpdate: told('submitted', `recordClaim ${SUBMITTING}`, 'submitted'),
    submissionOffered: quiet('submitted', `recordClaim ${SUBMITTING}`),
  },
  blocked: {
    ...unmoved('claiming'),
    claimedUpdate: told('waits', '', 'claiming'),
    submitUpdate: told('waits', '', 'claiming'),
    submissionOffered: quiet('claiming'),
  },
  claimed: {
    ...unmoved('claimed'),
    claimedUpdate: told('session', '', 'claimed'),
    submitUpdate: told('submitted', SUBMITTING, 'submitted'),
    submissionOffered: quiet('submitted', SUBMITTING),
  },
  submitting: {
    ...unmoved('submitted', 'recordSubmission startVerifier'),
    verdictReached: quiet('ended resolved', 'recordSubmission startVerifier readVerdict settleApproval'),
    chainMoved: quiet('submitted', 'recordSubmission startVerifier observeVerdict'),
    claimedUpdate: told('session', 'recordSubmission startVerifier', 'submitted'),
    submitUpdate: told('submitted', 'recordSubmission admitSubmission startVerifier', 'submitted'),
    submissionOffered: quiet('submitted', 'recordSubmission admitSubmission startVerifier'),
  },
  expiring: {
    ...unmoved('ended expired', 'recordExpiry'),
    claimedUpdate: told('session', 'recordExpiry', 'ended expired'),
    submitUpdate: told('claim_expired', 'recordExpiry', 'ended expired'),
    submissionOffered: quiet('ended expired', 'recordExpiry'),
  },
  // What was taken in in time is tried: where it lapses on its way, the time-out is not sent again.
  resting: {
    ...unmoved('expiring'),
    claimedUpdate: told('session', '', 'expiring'),
    submitUpdate: told('claim_expired', LAPSING, 'ended chain_state_diverged'),
    submissionOffered: quiet('ended chain_state_diverged', LAPSING),
  },
  submitted: {
    ...unmoved('submitted'),
    claimedUpdate: told('session', '', 'submitted'),
    submitUpdate: told('submitted', 'admitSubmission', 'submitted'),
    submissionOffered: quiet('submitted', 'admitSubmission'),
    verdictReached: quiet('ended resolved', 'readVerdict settleApproval'),
    chainMoved: quiet('submitted', 'observeVerdict'),
  },
  paying: {
    ...unmoved('ended resolved'),
    claimedUpdate: told('session', '', 'ended resolved'),
    submitUpdate: told('submitted', 'admitSubmission', 'ended resolved'),
    submissionOffered: quiet('ended resolved', 'admitSubmission'),
  },
  contested: {
    ...unmoved('contested'),
    claimedUpdate: told('session', '', 'contested'),
    submitUpdate: told('rejected', 'admitSubmission', 'contested'),
    submissionOffered: quiet('contested', 'admitSubmission'),
    verdictReached: quiet('contested', 'readEnd startDispute'),
    sessionFinal: quiet('contested', 'readEnd startDispute'),
  },
  refused: claimOver('ended refused:job_not_found'),
  resolved: claimOver('ended resolved'),
}

type DisputeMessage = 'verdictUpdate' | 'verdictGiven' | 'reviewUpdate' | 'reviewGiven' | 'overturnUpdate' | 'verdictReached' | 'chainMoved'

const LOOK = 'reconcileWithChain remindPeople'
const ARBITRATE = 'reconcileWithChain recordArbitration'
const REVIEW = 'reconcileWithChain recordHumanVerdict'
const OVERTURN = 'reconcileWithChain overturnRejection'
const CARRY_OUT = 'applyDecision decisionAnswer announceEnd'
const WRONG = 'invalid_session_transition'
const DECIDED = 'dispute_already_decided'

interface Refusals {
  state: string
  arbitration: string
  review: string
  overturn: string
  /** Steps of what was under way, after the decision is refused. */
  after?: string
}

/** Decisions that change nothing: the record refuses each, and the caller gets its code. */
const refusing = ({ state, arbitration, review, overturn, after = '' }: Refusals): Record<DisputeMessage, Outcome> => {
  const then = (steps: string) => `${steps} ${after}`.trim()
  return {
    verdictUpdate: told(arbitration, then(ARBITRATE), state),
    verdictGiven: quiet(state, then(ARBITRATE)),
    reviewUpdate: told(review, then(REVIEW), state),
    reviewGiven: quiet(state, then(REVIEW)),
    overturnUpdate: told(overturn, then(OVERTURN), state),
    verdictReached: quiet(state),
    chainMoved: quiet(state),
  }
}

const inWindow: Record<DisputeMessage, Outcome> = {
  ...refusing({ state: 'window', arbitration: 'dispute_not_found', review: WRONG, overturn: WRONG }),
  overturnUpdate: told('disputed', OVERTURN, 'arbitration'),
  chainMoved: quiet('window', LOOK),
}
const decidedByArbitrator = {
  verdictUpdate: told('resolved', `${ARBITRATE} ${CARRY_OUT}`, 'ended resolved'),
  verdictGiven: quiet('ended resolved', `${ARBITRATE} ${CARRY_OUT}`),
}

/** A dispute that has just begun looks at the chain once, after its first verdict and whatever words it found. */
const looksFirst = ([message, [answer, steps, state]]: [string, Outcome]): [string, Outcome] => [
  message,
  [answer, `${steps} ${LOOK}`.trim(), state],
]

const inReview: Record<DisputeMessage, Outcome> = {
  ...refusing({ state: 'review', arbitration: '', review: '', overturn: WRONG }),
  ...decidedByArbitrator,
  reviewUpdate: told('resolved', `${REVIEW} ${CARRY_OUT}`, 'ended resolved'),
  reviewGiven: quiet('ended resolved', `${REVIEW} ${CARRY_OUT}`),
  verdictReached: quiet('ended resolved', 'recordLaterVerdict applyDecision announceEnd'),
  chainMoved: quiet('review', LOOK),
}

/** A decision is recorded while a step is blocked, ends its pause, and is carried out after it. */
const whileBlocked: Record<DisputeMessage, Outcome> = {
  verdictUpdate: told('resolved', `${ARBITRATE} remindPeople ${LOOK} ${CARRY_OUT}`, 'ended resolved'),
  verdictGiven: quiet('ended resolved', `${ARBITRATE} remindPeople ${LOOK} ${CARRY_OUT}`),
  reviewUpdate: told('resolved', `${REVIEW} remindPeople ${LOOK} ${CARRY_OUT}`, 'ended resolved'),
  reviewGiven: quiet('ended resolved', `${REVIEW} remindPeople ${LOOK} ${CARRY_OUT}`),
  overturnUpdate: told(WRONG, `${OVERTURN} remindPeople ${LOOK}`, 'review'),
  verdictReached: quiet('ended resolved', `remindPeople ${LOOK} recordLaterVerdict applyDecision announceEnd`),
  chainMoved: quiet('review', `remindPeople ${LOOK} ${LOOK}`),
}

/** What every message does to a dispute in every state: dismissed, approved, and an overturn, each about this very session. */
export const DISPUTE_RESULTS: Record<keyof typeof DISPUTE_STATES, Record<DisputeMessage, Outcome>> = {
  verdict: { ...(Object.fromEntries(Object.entries(inWindow).map(looksFirst)) as typeof inWindow), chainMoved: inWindow.chainMoved },
  window: inWindow,
  review: inReview,
  blocked: whileBlocked,
  arbitration: {
    ...refusing({ state: 'arbitration', arbitration: '', review: WRONG, overturn: WRONG }),
    ...decidedByArbitrator,
    chainMoved: quiet('arbitration', LOOK),
  },
  prepared: {
    ...refusing({ state: 'arbitration', arbitration: DECIDED, review: WRONG, overturn: WRONG }),
    chainMoved: quiet('arbitration', LOOK),
  },
  deciding: {
    ...refusing({
      state: 'ended rejected',
      arbitration: DECIDED,
      review: WRONG,
      overturn: 'overturn_window_closed',
      after: 'decisionAnswer announceEnd',
    }),
    verdictReached: quiet('ended rejected', 'decisionAnswer announceEnd'),
    chainMoved: quiet('ended rejected', 'decisionAnswer announceEnd'),
  },
  final: refusing({ state: 'ended resolved', arbitration: DECIDED, review: WRONG, overturn: WRONG }),
  ended: {
    verdictUpdate: gone('ended resolved'),
    verdictGiven: gone('ended resolved'),
    reviewUpdate: gone('ended resolved'),
    reviewGiven: gone('ended resolved'),
    overturnUpdate: gone('ended resolved'),
    verdictReached: gone('ended resolved'),
    chainMoved: gone('ended resolved'),
  },
}

type VerifierMessage = 'runUpdate' | 'pullRequestChanged'

/** What every message does to a verification in every state. Who asks for a verdict gets one, or what stands in its way. */
export const VERIFIER_RESULTS: Record<keyof typeof VERIFIER_STATES, Record<VerifierMessage, Outcome>> = {
  evaluating: { runUpdate: told('approved', 'announceVerdict', 'ended'), pullRequestChanged: quiet('ended', 'announceVerdict') },
  unavailable: { runUpdate: told('unavailable', 'evaluateSubmission', 'verifying'), pullRequestChanged: quiet('verifying') },
  announcing: { runUpdate: told('approved', '', 'ended'), pullRequestChanged: quiet('ended') },
  looking: {
    runUpdate: told('unavailable', 'readPullRequest', 'verifying'),
    pullRequestChanged: quiet('verifying', 'readPullRequest'),
  },
  approving: { runUpdate: told('approved', 'announceVerdict', 'ended'), pullRequestChanged: quiet('ended', 'announceVerdict') },
  telling: { runUpdate: told('approved', '', 'ended'), pullRequestChanged: quiet('ended') },
  watching: {
    runUpdate: told('unavailable', 'readPullRequest', 'verifying'),
    pullRequestChanged: quiet('verifying', 'readPullRequest'),
  },
  decided: { runUpdate: gone('ended'), pullRequestChanged: gone('ended') },
}

/**
 * What ends a state in which nobody speaks: a timer, with the step it leads to and where the process stands then; a step under way, with
 * how often it is tried (0: for ever); or nothing, since the process is over.
 */
export type Silence = { afterMs: number; step: string; state: string } | { tries: number } | 'over'

const FOR_EVER = { tries: 0 }
const HANDLER_TRIES = { tries: 3 }

export const CLAIM_SILENCE: Record<keyof typeof CLAIM_STATES, Silence> = {
  claiming: FOR_EVER,
  blocked: { afterMs: 11 * MINUTE, step: 'recordClaim', state: 'claimed' },
  claimed: { afterMs: HOUR + MINUTE, step: 'recordExpiry', state: 'ended expired' },
  submitting: FOR_EVER,
  expiring: FOR_EVER,
  resting: { afterMs: 11 * MINUTE, step: 'recordExpiry', state: 'ended expired' },
  submitted: { afterMs: DAY + MINUTE, step: 'startVerifier', state: 'submitted' },
  paying: FOR_EVER,
  contested: { afterMs: DAY + MINUTE, step: 'startDispute', state: 'contested' },
  refused: 'over',
  resolved: 'over',
}

export const DISPUTE_SILENCE: Record<keyof typeof DISPUTE_STATES, Silence> = {
  verdict: FOR_EVER,
  window: { afterMs: 7 * DAY + MINUTE, step: 'applyTimeout', state: 'ended rejected' },
  review: { afterMs: 14 * DAY + MINUTE, step: 'applyTimeout', state: 'ended resolved' },
  arbitration: { afterMs: 14 * DAY + MINUTE, step: 'applyTimeout', state: 'ended closed' },
  blocked: { afterMs: 11 * MINUTE, step: 'reconcileWithChain', state: 'review' },
  prepared: { afterMs: 14 * DAY + MINUTE, step: 'applyTimeout', state: 'ended closed' },
  deciding: FOR_EVER,
  final: FOR_EVER,
  ended: 'over',
}

export const VERIFIER_SILENCE: Record<keyof typeof VERIFIER_STATES, Silence> = {
  evaluating: HANDLER_TRIES,
  unavailable: { afterMs: 48 * HOUR + MINUTE, step: 'recordReviewRequired', state: 'ended' },
  announcing: FOR_EVER,
  looking: HANDLER_TRIES,
  approving: HANDLER_TRIES,
  telling: FOR_EVER,
  watching: { afterMs: 31 * MINUTE, step: 'readPullRequest', state: 'verifying' },
  decided: 'over',
}
