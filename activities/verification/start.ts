import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import { type VerifierInput, type VerifierSubject, verifierWorkflowId } from '../../schemas/verification/process.ts'

/** What the processes of a session show of it. */
export type ShownSession = Pick<VerifierSubject, 'sessionId' | 'jobId' | 'wallet' | 'chainJobId' | 'verifierMode' | 'title'>

/** Search attributes of a session's processes. */
export const sessionAttributes = (session: ShownSession) => [
  { key: SEARCH.jobId, value: session.jobId },
  { key: SEARCH.sessionId, value: session.sessionId },
  { key: SEARCH.wallet, value: session.wallet },
  { key: SEARCH.chainJobId, value: session.chainJobId },
  { key: SEARCH.verifierMode, value: session.verifierMode },
]

/** Start options of a verifier run, for every starter. */
export const verifierStart = (session: ShownSession, input: VerifierInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: verifierWorkflowId(session.sessionId),
  args: [input] as [VerifierInput],
  staticSummary: `Verify ${session.title}`,
  staticDetails: `Submission of ${session.wallet} for job ${session.jobId}.`,
  // The attribute never changes: after the run its status shows the end.
  typedSearchAttributes: [...sessionAttributes(session), { key: SEARCH.sessionState, value: 'verifying' }],
})
