import { createSessionLogSteps } from '../../activities/session-log/close-day.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import { type SessionLogActivities, type SessionLogInput, sessionLogWorkflowId } from '../../schemas/session-log/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): SessionLogActivities => createSessionLogSteps(deps),
  standing: ({ chainId, name }) => {
    const input: SessionLogInput = { v: 1, chainId }
    return {
      workflow: 'sessionLog',
      start: {
        taskQueue: TASK_QUEUE,
        workflowId: sessionLogWorkflowId(chainId),
        args: [input],
        typedSearchAttributes: [{ key: SEARCH.sessionState, value: 'open' }],
        staticSummary: `Close the days of the session log of ${name}`,
        staticDetails: 'Lists the entries of all session histories that no day has yet, and signs the head of the day, at midnight UTC.',
      },
    }
  },
} satisfies WorkerSubject
