import { iso } from '../../domain/common/instants.ts'
import { STATUSES_AFTER_LOST_SUBMISSION } from '../../domain/sessions/state-machine.ts'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { SessionRecord, SessionStatus } from '../../schemas/sessions/record.ts'
import { touchCatalogue } from '../catalogue/jobs.ts'
import type { Database } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { dropDelivery } from '../pull-requests/records.ts'
import { closeDispute } from '../sessions/dispute.ts'
import { lockSession, moveSession } from '../sessions/records.ts'

const REASON = 'chain_state_diverged'

/** Columns of a session whose on-chain state does not match our record. */
export const divergence = (expected: ChainJobState, observed: ChainJobState, at: number) => ({
  chainStateDivergence: { expected, observed, at: iso(at) },
})

/**
 * Ends a session whose submission is not on chain. The platform is at fault, so the attempt does not count and an operator closes the session.
 * Returns the final status; a repeat changes nothing.
 */
export const recordMissingSubmission = (
  database: Database,
  { sessionId }: SessionRecord,
  observed: ChainJobState,
  at: number,
): Promise<SessionStatus> =>
  database.transaction(async (rows) => {
    const session = await lockSession(rows, sessionId)
    const { claimExpiresAt, status, timestamps } = session
    const way = timestamps.rejectionFinalizedAt === null ? STATUSES_AFTER_LOST_SUBMISSION[status] : undefined
    const to = way?.at(-1)
    if (way === undefined || to === undefined) return status
    const metadata = { expected: 'submitted', observed, claimExpiresAt: iso(claimExpiresAt) }
    const patch = { chainState: observed, countsAsAttempt: false, ...divergence('submitted', observed, at) }
    for (const next of way) {
      const origin = next !== to && { origin: 'submission_lost' }
      await moveSession(rows, { sessionId, to: next, reason: REASON, at, metadata: { ...metadata, ...origin }, patch })
    }
    await dropDelivery(rows, sessionId)
    await closeDispute(rows, sessionId, { at, actor: 'system:dispute', action: 'submission_lost', data: metadata })
    const data = { status: to, ...metadata }
    await emit(rows, { topic: 'verifier.chain_state_diverged', ...sessionSubject(session), at, data })
    await touchCatalogue(rows)
    return to
  })
