import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { chainMoved } from '../../schemas/processes.ts'
import { JOB_EVENTS, jobEvents, noticeOf, type Subscriber } from '../chain/follower/subscriber.ts'
import { listSessionsOfChainJobs } from '../sessions/records.ts'

/** Notifies the claim of a job, while it has no verdict, of the events that another caller caused. */
export const claimSubscriber: Subscriber = {
  events: JOB_EVENTS,
  findWakes: async (events, { rows }) => {
    const foreign = jobEvents(events).filter(({ own }) => !own)
    const sessions = await listSessionsOfChainJobs(
      rows,
      foreign.map(({ chainJobId }) => chainJobId),
      ['claimed', 'submitted'],
    )
    return foreign.flatMap((cause) => {
      const open = sessions.find(({ chainJobId }) => chainJobId === cause.chainJobId)
      return open === undefined ? [] : [{ cause, workflowId: claimWorkflowId(open.jobId), signal: chainMoved, args: [noticeOf(cause)] }]
    })
  },
}
