import { defineQuery, defineUpdate } from '@temporalio/workflow'
import type { ClockActivities } from './common.ts'

const PREFIX = 'verify/'
export const verifierWorkflowId = (sessionId: string): string => `${PREFIX}${sessionId}`
/** Inverse of `verifierWorkflowId`; null for the id of another process. */
export const sessionOfVerifierWorkflow = (workflowId: string): string | null =>
  workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length) : null

/** Hours after submission at which an undecided review becomes a dispute with HUMAN_REVIEW_REQUIRED. */
export const REVIEW_SLA_HOURS = 48

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
}

export type RunResult =
  | { kind: 'verdict'; verdictId: string; outcome: string; reasonCode: string }
  | { kind: 'unavailable'; reasonCode: string; detail: string }

export interface VerifierHandlerActivities {
  /** Evaluates the stored submission with the captured configuration and stores the verdict, once per (session, attempt). */
  evaluateSubmission(input: { sessionId: string; runId: string; attempt: number; requestedBy: string }): Promise<RunResult>
  /** Tells the claim of the session which verdict to settle. */
  announceVerdict(input: { sessionId: string; verdictId: string }): Promise<void>
}

export interface VerifierRecordActivities extends ClockActivities {
  loadSubject(input: { sessionId: string }): Promise<VerifierSubject>
  /** The SLA passed without a verdict: stores the verdict that sends the session to human review. */
  recordReviewRequired(input: { sessionId: string; runId: string }): Promise<{ verdictId: string }>
}

/** Runs the handler now (or attaches to the decided verdict of this run) and answers with it. */
export const runUpdate = defineUpdate<RunResult, [{ requestId: string; requestedBy: string }]>('run')
export const verifierProgress = defineQuery<{ state: string; attempts: number; slaDeadline: string | null }>('progress')
