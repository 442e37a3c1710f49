import { pullRequestChanged, verifierWorkflowId } from '../../schemas/verification/process.ts'
import type { EngineCalls } from './calls.ts'
import { unavailable, whenEnded } from './failures.ts'

/** Below the ten seconds that code hosts wait for a webhook. */
const SIGNAL_LIMIT_MS = 4_000

/** Calls of the API to the verification of a session. */
export const createVerificationCalls = ({ client, within }: EngineCalls) => ({
  /** Notifies the verification of a session that its pull request may have changed; false when no run is left. */
  notifyPullRequestChanged: async (sessionId: string, deliveryId: string): Promise<boolean> => {
    const sent = await within(SIGNAL_LIMIT_MS, 'workflow_engine_unavailable', () =>
      client.workflow.getHandle(verifierWorkflowId(sessionId)).signal(pullRequestChanged, { deliveryId }),
    ).catch(whenEnded(null))
    if (sent?.kind === 'pending') throw unavailable(new Error('the signal was not confirmed'))
    return sent !== null
  },
})
