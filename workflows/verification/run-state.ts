import { setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { RunResult, VerdictRequester, VerifierInput, VerifierSubject } from '../../schemas/verification/process.ts'

/** Where a verification stands. */
type Phase =
  | { name: 'loading' }
  | { name: 'verifying'; subject: VerifierSubject }
  /** People were called; a pull request is still watched. */
  | { name: 'under_review'; subject: VerifierSubject }
  /** `reason`: `decided`, or why no verdict is needed. */
  | { name: 'ended'; subject: VerifierSubject; reason: string }

/** One running verification: its phase and the requests for its verdict. */
export interface VerifierRunState {
  input: VerifierInput
  runId: string
  phase: Phase
  /** Requests for a verdict in the order of their arrival. */
  requests: VerdictRequester[]
  /** Requests that have an answer; infinite once the answer is final. */
  answeredCount: number
  /** The latest answer; null before the first. */
  answer: RunResult | null
  /** Finished reads of a pull request, or evaluations that were started. */
  attempts: number
  /** The pull request may have changed since the last read. */
  hasChanged: boolean
}

export const createRunState = (input: VerifierInput): VerifierRunState => ({
  input,
  runId: workflowInfo().runId,
  phase: { name: 'loading' },
  requests: [],
  answeredCount: 0,
  answer: null,
  attempts: 0,
  hasChanged: false,
})

/** The oldest unanswered requester, otherwise the starter. Copies known members only: an update may carry others. */
export const nextRequester = ({ requests, answeredCount, input }: VerifierRunState): VerdictRequester => {
  const { requestedBy, metadataURI }: VerdictRequester = requests[answeredCount] ?? input
  return { requestedBy, ...(metadataURI !== undefined && { metadataURI }) }
}

export const hasUnanswered = ({ requests, answeredCount }: VerifierRunState): boolean => requests.length > answeredCount

/** Answers the first `count` requests. */
export const answerRequests = (run: VerifierRunState, count: number, answer: RunResult): void => {
  run.answer = answer
  run.answeredCount = Math.max(run.answeredCount, count)
}

/** Ends the verification; every request, open or later, gets the answer. */
export const endRun = (run: VerifierRunState, subject: VerifierSubject, reason: string, answer: RunResult): void => {
  run.phase = { name: 'ended', subject, reason }
  answerRequests(run, Number.POSITIVE_INFINITY, answer)
}

/** Sets the details of the Temporal UI. A continued run repeats its subject, since it has no summary of its own. */
export const showDetails = ({ title, wallet, jobId }: VerifierSubject, text: string): void => {
  const isContinued = workflowInfo().continuedFromExecutionRunId !== undefined
  setCurrentDetails(isContinued ? `Verify ${title}. Submission of ${wallet} for job ${jobId}. ${text}` : text)
}
