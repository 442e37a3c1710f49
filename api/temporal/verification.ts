import { verifierStart } from '../../activities/verification/start.ts'
import {
  pullRequestChanged,
  type RunResult,
  runUpdate,
  type VerdictRequester,
  type VerifierInput,
  verifierWorkflowId,
} from '../../schemas/verification/process.ts'
import type { EngineCalls, Outcome } from './calls.ts'
import { unavailable, whenEnded } from './failures.ts'

/** Below the ten seconds that code hosts wait for a webhook. */
const SIGNAL_LIMIT_MS = 4_000

/** Calls of the API to the verification of a session. */
export const createVerificationCalls = ({ client, within, updateOrStart }: EngineCalls) => ({
  /** Runs the verifier of a submitted session now, in the running workflow or a new one. */
  verify: (
    session: Parameters<typeof verifierStart>[0],
    { metadataURI, ...input }: Omit<VerifierInput, 'v'> & VerdictRequester,
    updateId: string,
  ): Promise<Outcome<RunResult>> => {
    const asked = { requestId: input.requestId, requestedBy: input.requestedBy, ...(metadataURI !== undefined && { metadataURI }) }
    return updateOrStart(runUpdate, { updateId, input: asked }, 'verifierRun', verifierStart(session, { v: 1, ...input }))
  },

  /** Notifies the verification of a session that its pull request may have changed; false when no run is left. */
  notifyPullRequestChanged: async (sessionId: string, deliveryId: string): Promise<boolean> => {
    const sent = await within(SIGNAL_LIMIT_MS, 'workflow_engine_unavailable', () =>
      client.workflow.getHandle(verifierWorkflowId(sessionId)).signal(pullRequestChanged, { deliveryId }),
    ).catch(whenEnded(null))
    if (sent?.kind === 'pending') throw unavailable(new Error('the signal was not confirmed'))
    return sent !== null
  },
})
