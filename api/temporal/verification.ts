import { WithStartWorkflowOperation } from '@temporalio/client'
import { verifierStart } from '../../activities/processes/siblings.ts'
import {
  pullRequestChanged,
  type RunResult,
  runUpdate,
  type VerdictRequester,
  type VerifierInput,
  verifierWorkflowId,
} from '../../schemas/verification/process.ts'
import { type EngineCalls, JOINED_OR_STARTED, type Outcome } from './calls.ts'
import { unavailable, whenEnded } from './failures.ts'

/** Code hosts give a hook ten seconds. */
const SIGNAL_LIMIT_MS = 4_000

/** What requests have to do with the verification of a session. */
export const createVerificationCalls = ({ client, waitMs, within, takenWithin }: EngineCalls) => ({
  /** Runs the verifier of a submitted session now, on the run that is going on or a new one. Twins name the same update and share its outcome. */
  verify: (
    session: Parameters<typeof verifierStart>[0],
    { metadataURI, ...input }: Omit<VerifierInput, 'v'> & VerdictRequester,
    updateId: string,
  ): Promise<Outcome<RunResult>> =>
    takenWithin<RunResult>(waitMs, 'upstream_failure', () =>
      client.workflow.executeUpdateWithStart(runUpdate, {
        updateId,
        args: [{ requestId: input.requestId, requestedBy: input.requestedBy, ...(metadataURI !== undefined && { metadataURI }) }],
        startWorkflowOperation: new WithStartWorkflowOperation('verifierRun', {
          ...verifierStart(session, { v: 1, ...input }),
          ...JOINED_OR_STARTED,
        }),
      }),
    ).catch(whenEnded({ kind: 'pending' as const })),

  /** What the latest verification of a session answers to an update; null when it does not know the update. */
  verified: (sessionId: string, updateId: string): Promise<Outcome<RunResult> | null> =>
    within<RunResult>(waitMs, 'upstream_failure', () =>
      client.workflow.getHandle(verifierWorkflowId(sessionId)).getUpdateHandle<RunResult>(updateId).result(),
    ).catch(whenEnded(null)),

  /** Tells the verification of a session that its pull request may have changed; false when no run listens any more. */
  pullRequestChanged: async (sessionId: string, deliveryId: string): Promise<boolean> => {
    const told = await within(SIGNAL_LIMIT_MS, 'workflow_engine_unavailable', () =>
      client.workflow.getHandle(verifierWorkflowId(sessionId)).signal(pullRequestChanged, { deliveryId }),
    ).catch(whenEnded(null))
    if (told?.kind === 'pending') throw unavailable(new Error('the signal was not confirmed'))
    return told !== null
  },
})
