import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { ClockActivities } from '../processes.ts'
import type { Disposition } from '../pull-requests/record.ts'

export const verifierWorkflowId = (sessionId: string): string => `verify/${sessionId}`

export interface VerifierInput {
  v: 1
  sessionId: string
  requestId: string
  /** Principal that started the run: `system:auto-verifier` or a verifier's wallet. */
  requestedBy: string
}

export interface VerifierSubject {
  sessionId: string
  jobId: string
  wallet: string
  chainJobId: string
  verifierMode: string
  title: string
  /** ISO 8601; when silence becomes a dispute. */
  slaDeadline: string
  /** How often a pull request that is held is looked at; missing in runs of earlier versions. */
  pollSeconds?: number
  /** True when people were called already. */
  underReview?: boolean
}

/** Whoever wants a verdict, and the address the verdict is to name in place of the badge's. */
export interface VerdictRequester {
  requestedBy: string
  metadataURI?: string
}

export type RunResult =
  | { kind: 'verdict'; verdictId: string; outcome: string; reasonCode: string }
  | { kind: 'unavailable'; reasonCode: string; detail: string; retryAfterSeconds?: number }

/** What a look at a pull request brought. `held` decides nothing; `over`: no verdict can move the money any more. */
export type LookResult =
  | RunResult
  | { kind: 'held'; outcome: string; reasonCode: string; detail: string; disposition: Disposition }
  | { kind: 'over'; status: string }

export interface VerifierHandlerActivities {
  /** Evaluates the stored submission with the captured configuration and stores the verdict, once per run, in whichever attempt. */
  evaluateSubmission(input: VerdictRequester & { sessionId: string; runId: string; attempt: number }): Promise<RunResult>
  /**
   * Reads the pull request of a submission and keeps what was seen. An approval is stored as a verdict, once per (run, look), when something
   * changed since the first sight; any other finding, and an approval before, only when the look is `decisive`, because somebody asked.
   */
  lookAtPullRequest(input: VerdictRequester & { sessionId: string; runId: string; look: number; decisive: boolean }): Promise<LookResult>
  /** Tells the claim of the session which verdict to settle. */
  announceVerdict(input: { sessionId: string; verdictId: string }): Promise<void>
}

export interface VerifierRecordActivities extends ClockActivities {
  loadSubject(input: { sessionId: string }): Promise<VerifierSubject>
  /** The SLA passed without a verdict: stores the verdict that sends the session to human review. */
  recordReviewRequired(input: { sessionId: string; runId: string }): Promise<{ verdictId: string }>
}

/** Somebody says that the pull request changed. It only wakes: the run reads the code host itself. */
export const pullRequestChanged = defineSignal<[{ deliveryId: string }]>('pullRequestChanged')
/** Runs the handler now (or attaches to the decided verdict of this run) and answers with it. */
export const runUpdate = defineUpdate<RunResult, [VerdictRequester & { requestId: string }]>('run')
/** For operators in the Temporal UI only. `next`: what the run waits for, in words. */
export const verifierProgress = defineQuery<{ state: string; attempts: number; slaDeadline: string | null; next: string }>('progress')
