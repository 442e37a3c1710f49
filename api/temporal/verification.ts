import type { SignalDefinition } from '@temporalio/common'
import { deliveryChanged, deliveryWorkflowId } from '../../schemas/deliveries/process.ts'
import { pullRequestChanged, verifierWorkflowId } from '../../schemas/verification/process.ts'
import type { EngineCalls } from './calls.ts'
import { unavailable, whenEnded } from './failures.ts'

/** Below the ten seconds that code hosts wait for a webhook. */
const SIGNAL_LIMIT_MS = 4_000

/** Calls of the API to the processes that read a pull request: the verification of a session, and the tracking of its delivery. */
export const createVerificationCalls = ({ client, within }: EngineCalls) => {
  /** False when no run is left. */
  const notify = async (workflowId: string, signal: SignalDefinition<[{ deliveryId: string }]>, deliveryId: string): Promise<boolean> => {
    const sent = await within(SIGNAL_LIMIT_MS, 'workflow_engine_unavailable', () =>
      client.workflow.getHandle(workflowId).signal(signal, { deliveryId }),
    ).catch(whenEnded(null))
    if (sent?.kind === 'pending') throw unavailable(new Error('the signal was not confirmed'))
    return sent !== null
  }

  return {
    /** Notifies the verification of a session that its pull request may have changed; false when no run is left. */
    notifyPullRequestChanged: (sessionId: string, deliveryId: string): Promise<boolean> =>
      notify(verifierWorkflowId(sessionId), pullRequestChanged, deliveryId),

    /** Notifies the tracking of a paid session that its delivery may have changed; false when no run is left. */
    notifyDeliveryChanged: (sessionId: string, deliveryId: string): Promise<boolean> =>
      notify(deliveryWorkflowId(sessionId), deliveryChanged, deliveryId),
  }
}
