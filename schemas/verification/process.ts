import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { Disposition } from '../sessions/record.ts'

/** Workflow id of a session's verification. */
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
  /** ISO 8601; start of the human review without a verdict. */
  slaDeadline: string
  /** Interval between two readings of an undecided pull request. */
  pollSeconds?: number
  /** True once a human review has started. */
  underReview?: boolean
}

/** Requester of a verdict, and the metadata address that the verdict names in place of the badge's. */
export interface VerdictRequester {
  requestedBy: string
  metadataURI?: string
}

export type RunResult =
  | { kind: 'verdict'; verdictId: string; outcome: string; reasonCode: string }
  | { kind: 'unavailable'; reasonCode: string; detail: string; retryAfterSeconds?: number }

/** Result of reading a pull request. `undecided` decides nothing; `ended`: no verdict can release the money any more. */
export type PullRequestResult =
  | RunResult
  | { kind: 'undecided'; outcome: string; reasonCode: string; detail: string; disposition: Disposition }
  | { kind: 'ended'; status: string }

export interface VerdictNotice {
  sessionId: string
  verdictId: string
}

/** Verdict that the claim has to settle. */
export interface VerdictToSettle {
  verdictId: string
  outcome: 'approved' | 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault'
  reasonCode: string
}

export interface VerifierHandlerActivities {
  /** Evaluates the submission with the pinned config and stores the verdict, once per run across all attempts. */
  evaluateSubmission(input: VerdictRequester & { sessionId: string; runId: string; attempt: number }): Promise<RunResult>
  /**
   * Reads the pull request of a submission and stores the lookup. Stores an approval as a verdict, once per (run, attempt), when it settles by
   * itself. Stores any other finding only when `decisive`, because an operator or verifier requested a verdict.
   */
  readPullRequest(
    input: VerdictRequester & { sessionId: string; runId: string; attempt: number; decisive: boolean },
  ): Promise<PullRequestResult>
}

/** Step of a claim that reads the verdict it was notified of. */
export interface VerdictReadActivities {
  readVerdict(input: VerdictNotice): Promise<VerdictToSettle | null>
}

export interface VerdictNoticeActivities {
  /** Notifies the session's claim workflow of the verdict to settle. */
  announceVerdict(input: VerdictNotice): Promise<void>
}

export interface VerifierRecordActivities {
  loadSubject(input: { sessionId: string }): Promise<VerifierSubject>
  /**
   * Stores the verdict that starts the human review, after the SLA has passed; for a profile the one that ends its escrow without a result, with
   * outcome and reason code.
   */
  recordReviewRequired(input: { sessionId: string; runId: string }): Promise<{ verdictId: string; outcome?: string; reasonCode?: string }>
}

/** A webhook reports a change of the pull request. The run wakes and reads the code host itself. */
export const pullRequestChanged = defineSignal<[{ deliveryId: string }]>('pullRequestChanged')
/** Runs the handler now and returns its result; returns the existing verdict once this run has one. */
export const runUpdate = defineUpdate<RunResult, [VerdictRequester & { requestId: string }]>('run')
/** Query for operators in the Temporal UI. `next`: text about the next step. */
export const verifierProgress = defineQuery<{ state: string; attempts: number; slaDeadline: string | null; next: string }>('progress')
