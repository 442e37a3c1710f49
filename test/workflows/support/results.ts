import type { Outcome } from './outcomes.ts'
import type { CLAIM_STATES, DISPUTE_STATES, VERIFIER_STATES } from './reach.ts'

const signalled = (state: string, steps = ''): Outcome => ['–', steps, state]
const answered = (answer: string, steps: string, state: string): Outcome => [answer, steps, state]
const notRunning = (state: string): Outcome => ['gone', '', state]

const SUBMITTING = 'admitSubmission submitOnChain recordSubmission startVerifier'
const EXPIRING = 'admitSubmission submitOnChain recordLateSubmission'
const CLAIMING = 'admitClaim lockBond recordClaim'

type ClaimMessage = 'claimedUpdate' | 'submitUpdate' | 'submissionOffered' | 'verdictReached' | 'expiryDue' | 'sessionFinal' | 'chainMoved'

/** Signals without effect on a claim in this state. */
const unchanged = (state: string, steps = ''): Record<'verdictReached' | 'expiryDue' | 'sessionFinal' | 'chainMoved', Outcome> => ({
  verdictReached: signalled(state, steps),
  expiryDue: signalled(state, steps),
  sessionFinal: signalled(state, steps),
  chainMoved: signalled(state, steps),
})
const claimOver = (state: string): Record<ClaimMessage, Outcome> => ({
  claimedUpdate: notRunning(state),
  submitUpdate: notRunning(state),
  submissionOffered: notRunning(state),
  verdictReached: notRunning(state),
  expiryDue: notRunning(state),
  sessionFinal: notRunning(state),
  chainMoved: notRunning(state),
})

/** Effect of every message on a claim in every state. A verdict that comes before the submission is stored for it. */
export const CLAIM_RESULTS: Record<keyof typeof CLAIM_STATES | 'admitting', Record<ClaimMessage, Outcome>> = {
  admitting: {
    ...unchanged('claimed', CLAIMING),
    claimedUpdate: answered('session', CLAIMING, 'claimed'),
    submitUpdate: answered('submitted', `${CLAIMING} ${SUBMITTING}`, 'submitted'),
    submissionOffered: signalled('submitted', `${CLAIMING} ${SUBMITTING}`),
  },
  claiming: {
    ...unchanged('claimed', 'recordClaim'),
    claimedUpdate: answered('session', 'recordClaim', 'claimed'),
    submitUpdate: answered('submitted', `recordClaim ${SUBMITTING}`, 'submitted'),
    submissionOffered: signalled('submitted', `recordClaim ${SUBMITTING}`),
  },
  blocked: {
    ...unchanged('claiming'),
    claimedUpdate: answered('waits', '', 'claiming'),
    submitUpdate: answered('waits', '', 'claiming'),
    submissionOffered: signalled('claiming'),
  },
  claimed: {
    ...unchanged('claimed'),
    claimedUpdate: answered('session', '', 'claimed'),
    submitUpdate: answered('submitted', SUBMITTING, 'submitted'),
    submissionOffered: signalled('submitted', SUBMITTING),
  },
  submitting: {
    ...unchanged('submitted', 'recordSubmission startVerifier'),
    verdictReached: signalled('ended resolved', 'recordSubmission startVerifier readVerdict settleApproval'),
    chainMoved: signalled('submitted', 'recordSubmission startVerifier observeVerdict'),
    claimedUpdate: answered('session', 'recordSubmission startVerifier', 'submitted'),
    submitUpdate: answered('submitted', 'recordSubmission admitSubmission startVerifier', 'submitted'),
    submissionOffered: signalled('submitted', 'recordSubmission admitSubmission startVerifier'),
  },
  expiring: {
    ...unchanged('ended expired', 'recordExpiry'),
    claimedUpdate: answered('session', 'recordExpiry', 'ended expired'),
    submitUpdate: answered('claim_expired', 'recordExpiry', 'ended expired'),
    submissionOffered: signalled('ended expired', 'recordExpiry'),
  },
  // A submission accepted in time is sent: where it expires on its way, the time-out is not sent again.
  resting: {
    ...unchanged('expiring'),
    claimedUpdate: answered('session', '', 'expiring'),
    submitUpdate: answered('claim_expired', EXPIRING, 'ended chain_state_diverged'),
    submissionOffered: signalled('ended chain_state_diverged', EXPIRING),
  },
  submitted: {
    ...unchanged('submitted'),
    claimedUpdate: answered('session', '', 'submitted'),
    submitUpdate: answered('submitted', 'admitSubmission', 'submitted'),
    submissionOffered: signalled('submitted', 'admitSubmission'),
    verdictReached: signalled('ended resolved', 'readVerdict settleApproval'),
    chainMoved: signalled('submitted', 'observeVerdict'),
  },
  paying: {
    ...unchanged('ended resolved'),
    claimedUpdate: answered('session', '', 'ended resolved'),
    submitUpdate: answered('submitted', 'admitSubmission', 'ended resolved'),
    submissionOffered: signalled('ended resolved', 'admitSubmission'),
  },
  contested: {
    ...unchanged('contested'),
    claimedUpdate: answered('session', '', 'contested'),
    submitUpdate: answered('rejected', 'admitSubmission', 'contested'),
    submissionOffered: signalled('contested', 'admitSubmission'),
    verdictReached: signalled('contested', 'readEnd startDispute'),
    sessionFinal: signalled('contested', 'readEnd startDispute'),
  },
  refused: claimOver('ended refused:job_not_found'),
  resolved: claimOver('ended resolved'),
}

type DisputeMessage = 'verdictUpdate' | 'verdictGiven' | 'reviewUpdate' | 'reviewGiven' | 'overturnUpdate' | 'verdictReached' | 'chainMoved'

const RECONCILE = 'reconcileWithChain remindPeople'
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
    verdictUpdate: answered(arbitration, then(ARBITRATE), state),
    verdictGiven: signalled(state, then(ARBITRATE)),
    reviewUpdate: answered(review, then(REVIEW), state),
    reviewGiven: signalled(state, then(REVIEW)),
    overturnUpdate: answered(overturn, then(OVERTURN), state),
    verdictReached: signalled(state),
    chainMoved: signalled(state),
  }
}

const IN_WINDOW: Record<DisputeMessage, Outcome> = {
  ...refusing({ state: 'window', arbitration: 'dispute_not_found', review: WRONG, overturn: WRONG }),
  overturnUpdate: answered('disputed', OVERTURN, 'arbitration'),
  chainMoved: signalled('window', RECONCILE),
}
const decidedByArbitrator = {
  verdictUpdate: answered('resolved', `${ARBITRATE} ${CARRY_OUT}`, 'ended resolved'),
  verdictGiven: signalled('ended resolved', `${ARBITRATE} ${CARRY_OUT}`),
}

/** A dispute that has just begun reconciles with the chain once, after its first verdict and the decisions it found. */
const reconcilesFirst = ([message, [answer, steps, state]]: [string, Outcome]): [string, Outcome] => [
  message,
  [answer, `${steps} ${RECONCILE}`.trim(), state],
]

const IN_REVIEW: Record<DisputeMessage, Outcome> = {
  ...refusing({ state: 'review', arbitration: '', review: '', overturn: WRONG }),
  ...decidedByArbitrator,
  reviewUpdate: answered('resolved', `${REVIEW} ${CARRY_OUT}`, 'ended resolved'),
  reviewGiven: signalled('ended resolved', `${REVIEW} ${CARRY_OUT}`),
  verdictReached: signalled('ended resolved', 'recordLaterVerdict applyDecision announceEnd'),
  chainMoved: signalled('review', RECONCILE),
}

/** A decision is recorded while a step is blocked, ends its pause, and is carried out after it. */
const WHILE_BLOCKED: Record<DisputeMessage, Outcome> = {
  verdictUpdate: answered('resolved', `${ARBITRATE} remindPeople ${RECONCILE} ${CARRY_OUT}`, 'ended resolved'),
  verdictGiven: signalled('ended resolved', `${ARBITRATE} remindPeople ${RECONCILE} ${CARRY_OUT}`),
  reviewUpdate: answered('resolved', `${REVIEW} remindPeople ${RECONCILE} ${CARRY_OUT}`, 'ended resolved'),
  reviewGiven: signalled('ended resolved', `${REVIEW} remindPeople ${RECONCILE} ${CARRY_OUT}`),
  overturnUpdate: answered(WRONG, `${OVERTURN} remindPeople ${RECONCILE}`, 'review'),
  verdictReached: signalled('ended resolved', `remindPeople ${RECONCILE} recordLaterVerdict applyDecision announceEnd`),
  chainMoved: signalled('review', `remindPeople ${RECONCILE} ${RECONCILE}`),
}

/** Effect of every message on a dispute in every state: dismissed, approved, and an overturn, each about this very session. */
export const DISPUTE_RESULTS: Record<keyof typeof DISPUTE_STATES, Record<DisputeMessage, Outcome>> = {
  verdict: {
    ...(Object.fromEntries(Object.entries(IN_WINDOW).map(reconcilesFirst)) as typeof IN_WINDOW),
    chainMoved: IN_WINDOW.chainMoved,
  },
  window: IN_WINDOW,
  review: IN_REVIEW,
  blocked: WHILE_BLOCKED,
  arbitration: {
    ...refusing({ state: 'arbitration', arbitration: '', review: WRONG, overturn: WRONG }),
    ...decidedByArbitrator,
    chainMoved: signalled('arbitration', RECONCILE),
  },
  prepared: {
    ...refusing({ state: 'arbitration', arbitration: DECIDED, review: WRONG, overturn: WRONG }),
    chainMoved: signalled('arbitration', RECONCILE),
  },
  deciding: {
    ...refusing({
      state: 'ended rejected',
      arbitration: DECIDED,
      review: WRONG,
      overturn: 'overturn_window_closed',
      after: 'decisionAnswer announceEnd',
    }),
    verdictReached: signalled('ended rejected', 'decisionAnswer announceEnd'),
    chainMoved: signalled('ended rejected', 'decisionAnswer announceEnd'),
  },
  final: refusing({ state: 'ended resolved', arbitration: DECIDED, review: WRONG, overturn: WRONG }),
  ended: {
    verdictUpdate: notRunning('ended resolved'),
    verdictGiven: notRunning('ended resolved'),
    reviewUpdate: notRunning('ended resolved'),
    reviewGiven: notRunning('ended resolved'),
    overturnUpdate: notRunning('ended resolved'),
    verdictReached: notRunning('ended resolved'),
    chainMoved: notRunning('ended resolved'),
  },
}

type VerifierMessage = 'runUpdate' | 'pullRequestChanged'

/** Effect of every message on a verification in every state. A caller who asks for a verdict gets it, or the reason why there is none. */
export const VERIFIER_RESULTS: Record<keyof typeof VERIFIER_STATES, Record<VerifierMessage, Outcome>> = {
  evaluating: { runUpdate: answered('approved', 'announceVerdict', 'ended'), pullRequestChanged: signalled('ended', 'announceVerdict') },
  unavailable: { runUpdate: answered('unavailable', 'evaluateSubmission', 'verifying'), pullRequestChanged: signalled('verifying') },
  announcing: { runUpdate: answered('approved', '', 'ended'), pullRequestChanged: signalled('ended') },
  reading: {
    runUpdate: answered('unavailable', 'readPullRequest', 'verifying'),
    pullRequestChanged: signalled('verifying', 'readPullRequest'),
  },
  approving: { runUpdate: answered('approved', 'announceVerdict', 'ended'), pullRequestChanged: signalled('ended', 'announceVerdict') },
  notifying: { runUpdate: answered('approved', '', 'ended'), pullRequestChanged: signalled('ended') },
  watching: {
    runUpdate: answered('unavailable', 'readPullRequest', 'verifying'),
    pullRequestChanged: signalled('verifying', 'readPullRequest'),
  },
  decided: { runUpdate: notRunning('ended'), pullRequestChanged: notRunning('ended') },
}
