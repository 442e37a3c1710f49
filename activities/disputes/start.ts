import { type DisputeInput, disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'
import { type ShownSession, sessionAttributes } from '../verification/start.ts'

/** Start options of a dispute, for every starter. */
export const disputeStart = (session: ShownSession, input: DisputeInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId: disputeWorkflowId(session.sessionId),
  args: [input] as [DisputeInput],
  staticSummary: `Dispute over ${session.title}`,
  staticDetails: `Session ${session.sessionId} of ${session.wallet}, job ${session.jobId}.`,
  typedSearchAttributes: sessionAttributes(session),
})
