import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { OperatorOverturn } from '../sessions/record.ts'
import type { ArbitrationVerdict } from '../sessions/verdicts.ts'
import type { TimeoutOutcome } from './record.ts'

/** Workflow id; one process per session, which owns every step after a verdict that is not an approval. */
export const disputeWorkflowId = (sessionId: string): string => `dispute/${sessionId}`

export interface DisputeInput {
  v: 1
  sessionId: string
  requestId: string
}

/** Recorded stage and deadline of a session. Instants are ISO 8601. */
export interface DisputeStatusView {
  stage: 'verdict' | 'review' | 'window' | 'arbitration' | 'final'
  /** Status of the session. */
  status: string
  /** Reason of the last status change. */
  reasonCode: string
  deadlineAt: string | null
  /** First instant at which the service applies the time-out outcome; null without one. */
  dueAt: string | null
  /** What happens at `dueAt`; absent without it. */
  timeoutOutcome?: TimeoutOutcome | undefined
  /** Round of the dispute; 0 without a dispute. */
  round: number
  /** `none`: the round is undecided; `decided`: the chain step is due; `prepared`: an arbitrator has to sign; `settled`: confirmed on chain. */
  decision: 'none' | 'decided' | 'prepared' | 'settled'
  title: string
  /** Whether the claim has a bond that the outcome moves; false for a waived one. */
  isBonded: boolean
  /** Whether only a passing result of a profile pays the job; absent where people may decide. */
  isProofGated?: boolean
}

/** An arbitrator's verdict, from the API or from an operator's Temporal signal. */
export interface ArbitrationInput {
  /** One of the accepted names; a signal can carry any text, so the record step checks it. */
  verdict: ArbitrationVerdict | (string & {})
  /** Base units, digits; a split only. */
  workerPayout?: string | undefined
  /** At least 20 characters. */
  rationale: string
  /** Lower-case wallet, or a name of the operator who sends the signal. */
  by: string
  /** Id of the unsigned preparation that this verdict replaces. */
  supersedes?: string | undefined
}

/** A reviewer's verdict. */
export interface ReviewInput {
  verdict: 'approve' | 'reject' | (string & {})
  rationale: string
  by: string
}

export type OverturnInput = Omit<OperatorOverturn, 'at'>

/** Result of a verdict: `settled` on chain, `prepared` for a signature, or `decided`: recorded and not confirmed yet. */
export interface DecisionAnswer {
  round: number
  state: 'decided' | 'prepared' | 'settled'
  status: string
}

/** A decision that the workflow passes to a record step. `decisionRequestId`: id of the request; undefined for a signal. */
export type SessionDecision<Input> = Input & { sessionId: string; decisionRequestId?: string | undefined }

/** Database steps, milliseconds each. */
export interface DisputeRecordActivities {
  disputeStanding(input: { sessionId: string }): Promise<DisputeStatusView>
  /** Records the decision of a round; throws 409 when the round is decided already. */
  recordArbitration(input: SessionDecision<ArbitrationInput>): Promise<{ round: number }>
  recordHumanVerdict(input: SessionDecision<ReviewInput>): Promise<{ round: number }>
  /** Records a verifier's later verdict on a session under review; false when it decides nothing. */
  recordLaterVerdict(input: { sessionId: string; verdictId: string }): Promise<boolean>
  /** Result of a decided round; throws 409 when the chain shows another verdict. */
  decisionAnswer(input: { sessionId: string; round: number }): Promise<DecisionAnswer>
  /** Raises the daily alarm for a dispute that waits for people or is blocked: one per 24 hours since the opening. */
  remindPeople(input: { sessionId: string }): Promise<void>
}

/** Chain steps; each reads the chain first and sends only what is missing. */
export interface DisputeChainActivities {
  /** Applies the first verdict: rejects on chain, or opens a review. */
  takeVerdict(input: { sessionId: string; verdictId: string }): Promise<void>
  /** Applies the decision of the current round on chain, or prepares it for a signature. */
  applyDecision(input: { sessionId: string }): Promise<void>
  /** Applies the time-out outcome once it is due. */
  applyTimeout(input: { sessionId: string }): Promise<void>
  /**
   * Updates the record from the chain. `again`: compare again soon, because a fork may still remove the recorded stage. `behind`: the
   * escrow lacks that stage; otherwise the follower has not recorded its event yet.
   */
  reconcileWithChain(input: { sessionId: string }): Promise<{ again: boolean; behind: boolean }>
  /** Opens the dispute of a rejection for the worker, on behalf of an operator. */
  overturnRejection(input: OverturnInput & { sessionId: string }): Promise<void>
}

/** A run of the profile that a verdict of an arbitrator needs. */
export interface DisputeProofActivities {
  /** Runs the profile again where the verdict would pay by it, and records the result. Throws 503 where the run has none. */
  proveVerdict(input: { sessionId: string; verdict: string; workerPayout?: string | undefined; key: string }): Promise<void>
}

/** Notifies the claim workflow of the job. */
export interface DisputeSiblingActivities {
  announceEnd(input: { sessionId: string; status: string }): Promise<void>
}

export const verdictUpdate = defineUpdate<DecisionAnswer, [ArbitrationInput]>('verdict')
export const reviewUpdate = defineUpdate<DecisionAnswer, [ReviewInput]>('review')
export const overturnUpdate = defineUpdate<{ status: string }, [OverturnInput]>('overturn')
/** Signals for operators in the Temporal UI or CLI, with the same input as the updates and without an answer. */
export const verdictGiven = defineSignal<[ArbitrationInput]>('verdictGiven')
export const reviewGiven = defineSignal<[ReviewInput]>('reviewGiven')
/** Query for operators in the Temporal UI; the API reads the database instead. */
export const disputeProgress = defineQuery<{
  stage: string
  deadlineAt: string | null
  next: string
  /** Code with which the last signal was refused; null when it was accepted. */
  refused: string | null
}>('progress')
