import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { chainMoved } from '../../schemas/processes.ts'
import { isRoutine, JOB_EVENTS, jobEvents, noticeOf, type Subscriber } from '../chain/follower/subscriber.ts'
import { listSessionsOfChainJobs } from '../sessions/records.ts'

/** Events of claims and submissions of this service change no dispute. */
const ROUTINE: ReadonlySet<string> = new Set(['JobClaimed', 'WorkSubmitted'])

/** Notifies the disputes of a job of its events. */
export const disputeSubscriber: Subscriber = {
  events: JOB_EVENTS,
  findWakes: async (events, { rows }) => {
    const moved = jobEvents(events).filter((event) => !(isRoutine(event) && ROUTINE.has(event.event)))
    const jobs = moved.map(({ chainJobId }) => chainJobId)
    const sessions = await listSessionsOfChainJobs(rows, jobs, ['submitted', 'rejected', 'disputed'])
    return moved.flatMap((cause) =>
      sessions
        .filter(({ chainJobId, isRejectionFinal }) => chainJobId === cause.chainJobId && !isRejectionFinal)
        .map(({ sessionId }) => ({ cause, workflowId: disputeWorkflowId(sessionId), signal: chainMoved, args: [noticeOf(cause)] })),
    )
  },
}
