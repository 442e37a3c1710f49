import { WithStartWorkflowOperation } from '@temporalio/client'
import type { UpdateDefinition } from '@temporalio/common'
import { disputeStart } from '../../activities/processes/siblings.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type EngineCalls, JOINED_OR_STARTED, type Outcome } from './calls.ts'
import { whenEnded } from './failures.ts'

/** What requests have to do with the dispute of a session. */
export const createDisputeCalls = ({ client, waitMs, within, takenWithin, describe }: EngineCalls) => ({
  /**
   * Hands a word to the dispute of a session, on the run that is going on or a new one, which finds in the record where the session stands.
   * Twins name the same update and share its outcome; pending also when the run ended under it.
   */
  openDispute: <Value, Decision>(
    session: Parameters<typeof disputeStart>[0],
    requestId: string,
    update: UpdateDefinition<Value, [Decision]>,
    word: Decision,
    updateId: string,
  ): Promise<Outcome<Value>> =>
    takenWithin<Value>(waitMs, 'upstream_failure', () =>
      client.workflow.executeUpdateWithStart(update, {
        updateId,
        args: [word],
        startWorkflowOperation: new WithStartWorkflowOperation('dispute', {
          ...disputeStart(session, { v: 1, sessionId: session.sessionId, requestId }),
          ...JOINED_OR_STARTED,
        }),
      }),
    ).catch(whenEnded({ kind: 'pending' as const })),

  /** Run of a session's dispute that goes on; null without one. */
  disputeRun: async (sessionId: string): Promise<string | null> => {
    const description = await describe(disputeWorkflowId(sessionId), 'workflow_engine_unavailable')
    return description?.status.name === 'RUNNING' ? description.runId : null
  },

  /** What the latest run of a session's dispute answers to an update; null when it does not know the update. */
  contested: <Value>(sessionId: string, updateId: string): Promise<Outcome<Value> | null> =>
    within<Value>(waitMs, 'upstream_failure', () =>
      client.workflow.getHandle(disputeWorkflowId(sessionId)).getUpdateHandle<Value>(updateId).result(),
    ).catch(whenEnded(null)),
})
