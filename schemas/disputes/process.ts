import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { ClockActivities } from '../processes.ts'
import type { ArbitrationVerdict } from '../sessions/verdicts.ts'
import type { Silence } from './record.ts'

/** One per session: owns everything after a verdict that is not an approval. */
export const disputeWorkflowId = (sessionId: string): string => `dispute/${sessionId}`

export interface DisputeInput {
  v: 1
  sessionId: string
  requestId: string
}

/** What a session waits for, by its record. Instants are ISO 8601. */
export interface StandingView {
  stage: 'verdict' | 'review' | 'window' | 'arbitration' | 'final'
  /** Status of the session. */
  status: string
  /** Why it stands so. */
  reasonCode: string
  deadlineAt: string | null
  /** First instant at which silence has a meaning; null where it has none. */
  dueAt: string | null
  /** What happens then; absent without a due instant. */
  silence?: Silence | undefined
  /** Of the dispute; 0 before the first. */
  round: number
  /** `none`: nobody decided this round; `decided`: the chain step is due; `prepared`: an arbitrator has to sign; `settled`: it is over. */
  decision: 'none' | 'decided' | 'prepared' | 'settled'
  title: string
  wallet: string
}

/** A verdict of an arbitrator: from the API, or by hand through the engine's UI or command line. */
export interface ArbitrationInput {
  /** One of the accepted words; a signal may hold anything, so the record judges it. */
  verdict: ArbitrationVerdict | (string & {})
  /** Base units, digits; a split only. */
  workerPayout?: string | undefined
  /** At least 20 characters. */
  rationale: string
  /** Lower-case wallet, or a name of the operator who sends the signal. */
  by: string
  /** Id of the unsigned preparation that this one replaces. */
  supersedes?: string | undefined
}

/** A verdict of people on a review. */
export interface ReviewInput {
  verdict: 'approve' | 'reject' | (string & {})
  rationale: string
  by: string
}

export interface OverturnInput {
  by: string
  note: string
}

/** What came of a verdict: `settled` on chain, `prepared` for a signature, or `decided`: recorded and on its way. */
export interface DecisionAnswer {
  round: number
  state: 'decided' | 'prepared' | 'settled'
  status: string
}

/** A word as the process hands it on. `decisionRequestId`: id of the request; none for a signal. */
export type Handed<Decision> = Decision & { sessionId: string; decisionRequestId?: string | undefined }

/** Database steps: milliseconds each. */
export interface DisputeRecordActivities extends ClockActivities {
  disputeStanding(input: { sessionId: string }): Promise<StandingView>
  /** The compare-and-set that decides a round; refuses with 409 what comes later. */
  recordArbitration(input: Handed<ArbitrationInput>): Promise<{ round: number }>
  recordHumanVerdict(input: Handed<ReviewInput>): Promise<{ round: number }>
  /** A later verdict of the machine on a session that waits for people; false when it decides nothing. */
  recordLaterVerdict(input: { sessionId: string; verdictId: string }): Promise<boolean>
  /** What the decided round came to; refuses when the chain ended it otherwise before. */
  decisionAnswer(input: { sessionId: string; round: number }): Promise<DecisionAnswer>
  /** Raises the alarm of the day for what waits for people or stands still: one for every 24 hours since the opening. */
  remindPeople(input: { sessionId: string }): Promise<void>
}

/** Steps that touch the chain: each reads it first and converges on what it finds. */
export interface DisputeChainActivities {
  /** The first verdict: rejects on chain, or records that people must complete it. */
  takeVerdict(input: { sessionId: string; verdictId: string }): Promise<void>
  /** Carries out the decision of the present round, or prepares it for a signature. */
  applyDecision(input: { sessionId: string }): Promise<void>
  /** What silence means, at its due instant. */
  applyTimeout(input: { sessionId: string }): Promise<void>
  /**
   * Brings the record to what the chain shows. `again`: compare again soon, since what the record holds may still be lost. `behind`: the escrow
   * lacks it, which is a fork once there is a later block; otherwise the follower has not recorded the event yet.
   */
  reconcileWithChain(input: { sessionId: string }): Promise<{ again: boolean; behind: boolean }>
  /** Opens the dispute of a rejection for the worker, on an operator's word. */
  overturnRejection(input: OverturnInput & { sessionId: string }): Promise<void>
}

/** News for the claim that holds the job. */
export interface DisputeSiblingActivities {
  announceEnd(input: { sessionId: string; status: string }): Promise<void>
}

export const verdictUpdate = defineUpdate<DecisionAnswer, [ArbitrationInput]>('verdict')
export const reviewUpdate = defineUpdate<DecisionAnswer, [ReviewInput]>('review')
export const overturnUpdate = defineUpdate<{ status: string }, [OverturnInput]>('overturn')
/** The same as the updates, for hands at the engine's UI or command line: nobody waits for an answer. */
export const verdictGiven = defineSignal<[ArbitrationInput]>('verdictGiven')
export const reviewGiven = defineSignal<[ReviewInput]>('reviewGiven')
/** For operators in the Temporal UI only; resources are read from the database. */
export const disputeProgress = defineQuery<{
  stage: string
  deadlineAt: string | null
  next: string
  /** Why the last signal was refused; null when none was. */
  refused: string | null
}>('progress')
