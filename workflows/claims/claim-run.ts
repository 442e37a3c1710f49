import { Mutex } from 'async-mutex'
import type { ClaimedSession, ClaimInput, ResumedClaim } from '../../schemas/claims/process.ts'
import { SEARCH } from '../../schemas/processes.ts'
import { createOperatorView, type OperatorView } from '../common/operator-view.ts'
import { describePhase, type Phase } from './phase.ts'

/** Events that arrived and are not consumed yet. */
interface PendingEvents {
  verdictIds: string[]
  /** A chain event about the job. */
  chainChanged: boolean
  /** The dispute reported that the session is final. */
  isFinal: boolean
  /** A caller met the claim after its expiry. */
  expiryDue: boolean
}

/** One running claim: its phase, its pending events and the order of its steps. */
export interface ClaimRun {
  claim: ClaimInput | ResumedClaim
  /** Whether the chain may know more of the claim than the records: it was found there, or its process was lost. */
  followsChain: boolean
  runId: string
  /** What the claim came to; null while admission, bond and record are under way. */
  answer: { session: ClaimedSession } | { refusal: unknown } | null
  phase: Phase
  /** Moves to a phase and shows it. */
  enter(phase: Phase): void
  events: PendingEvents
  /** Held by a submission and by the time-out of the claim, with the reading of its clock: what began first decides. */
  mutex: Mutex
  /** Submissions that were sent to the chain. */
  submissions: number
  /** Since when the chain shows no claim of a session that follows it, epoch ms; null while it does. */
  removedSince: number | null
  view: OperatorView
}

/** Id of the recorded session; null before there is one. */
export const sessionIdOf = ({ answer }: ClaimRun): string | null =>
  answer !== null && 'session' in answer ? answer.session.sessionId : null

/** The start request already shows a claim as claimed; further search attributes are published from then on. */
const shownAtStart: ReadonlySet<Phase['name']> = new Set(['claiming', 'claimed'])

export const createClaimRun = (claim: ClaimInput | ResumedClaim, runId: string): ClaimRun => {
  const view = createOperatorView()
  const followsChain = 'sessionId' in claim || claim.adopted
  const run: ClaimRun = {
    claim,
    followsChain,
    runId,
    answer: null,
    phase: { name: 'claiming' },
    enter: (phase) => {
      run.phase = phase
      const { state, deadlineAt, details } = describePhase(phase, claim.wallet, false)
      const sessionId = sessionIdOf(run)
      const attributes = sessionId === null ? [] : [{ key: SEARCH.sessionId, value: sessionId }]
      view[shownAtStart.has(phase.name) ? 'describe' : 'show']({ state, deadlineAt, details, attributes })
    },
    // The chain may have a submission of the claim already.
    events: { verdictIds: [], chainChanged: followsChain, isFinal: false, expiryDue: false },
    mutex: new Mutex(),
    submissions: 0,
    removedSince: null,
    view,
  }
  run.enter(run.phase)
  return run
}
