import { pendingClaim } from '../../activities/claims/intents.ts'
import { findSession, nextAttempt } from '../../activities/sessions/records.ts'
import { parseSessionId, sessionId } from '../../domain/common/ids.ts'
import type { PendingClaim, SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'

type Deps = Pick<ApiDeps, 'database' | 'engine'>

/** Whether it is a claim that still converges. */
export const isPending = (found: SessionRecord | PendingClaim): found is PendingClaim => 'stage' in found

/** A claim that the engine holds and no worker has admitted yet, under the id that its session will have. */
export const queuedClaim = async (
  { database }: Pick<Deps, 'database'>,
  claim: { jobId: string; wallet: string },
): Promise<PendingClaim> => ({
  sessionId: sessionId(claim.jobId, claim.wallet, await nextAttempt(database.rows, claim)),
  jobId: claim.jobId,
  wallet: claim.wallet,
  stage: 'admitting',
  txHash: null,
  nonce: null,
})

/**
 * The claim of a caller that has no session yet: admitted, or still with the engine. Only for an id of the caller's own next attempt
 * is the engine asked (503 `workflow_engine_unavailable` when it is gone: a "not found" would be a guess).
 */
export const claimUnderWay = async (deps: Deps, id: string, wallet: string): Promise<PendingClaim | null> => {
  const admitted = await pendingClaim(deps.database.rows, id)
  if (admitted !== null) return admitted
  const parts = parseSessionId(id)
  if (parts === null || parts.wallet !== wallet) return null
  const queued = await queuedClaim(deps, parts)
  return queued.sessionId === id && (await deps.engine.claimant(parts.jobId)) === wallet ? queued : null
}

/** The session by its id, or the claim that converges to it; null when there is neither. Asked once more for what was recorded between the two looks. */
export const recordedOrUnderWay = async (deps: Deps, id: string, wallet: string): Promise<SessionRecord | PendingClaim | null> => {
  const { rows } = deps.database
  return (await findSession(rows, id)) ?? (await claimUnderWay(deps, id, wallet)) ?? (await findSession(rows, id))
}
