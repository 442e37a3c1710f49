import { WithStartWorkflowOperation } from '@temporalio/client'
import type { UpdateDefinition } from '@temporalio/common'
import { disputeStart } from '../../activities/processes/siblings.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type EngineCalls, JOIN_OR_START, type Outcome } from './calls.ts'
import { whenEnded } from './failures.ts'

/** Calls of the API to the dispute of a session. */
export const createDisputeCalls = ({ client, waitMs, within, updateWithin, describe }: EngineCalls) => ({
  /**
   * Sends a decision to the running dispute of a session, or to a new run, which continues from the record. Repeated requests use the same
   * update id and share its outcome. Pending also when the run ended before it answered.
   */
  openDispute: <Value, Decision>(
    session: Parameters<typeof disputeStart>[0],
    requestId: string,
    update: UpdateDefinition<Value, [Decision]>,
    decision: Decision,
    updateId: string,
  ): Promise<Outcome<Value>> =>
    updateWithin<Value>(waitMs, 'upstream_failure', () =>
      client.workflow.executeUpdateWithStart(update, {
        updateId,
        args: [decision],
        startWorkflowOperation: new WithStartWorkflowOperation('dispute', {
          ...disputeStart(session, { v: 1, sessionId: session.sessionId, requestId }),
          ...JOIN_OR_START,
        }),
      }),
    ).catch(whenEnded({ kind: 'pending' as const })),

  /** Id of the running dispute of a session; null without one. */
  disputeRun: async (sessionId: string): Promise<string | null> => {
    const description = await describe(disputeWorkflowId(sessionId), 'workflow_engine_unavailable')
    return description?.status.name === 'RUNNING' ? description.runId : null
  },

  /** Result of an update from the latest run of a session's dispute; null for an unknown update. */
  readDecisionResult: <Value>(sessionId: string, updateId: string): Promise<Outcome<Value> | null> =>
    within<Value>(waitMs, 'upstream_failure', () =>
      client.workflow.getHandle(disputeWorkflowId(sessionId)).getUpdateHandle<Value>(updateId).result(),
    ).catch(whenEnded(null)),
})
