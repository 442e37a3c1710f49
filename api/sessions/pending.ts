import { pendingClaim } from '../../activities/claims/intents.ts'
import { findSession, hasSessionOfRun, nextAttempt } from '../../activities/sessions/records.ts'
import { parseSessionId, sessionId } from '../../domain/common/ids.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { PendingClaim, SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'

type Deps = { database: Pick<ApiDeps['database'], 'rows'>; engine: Pick<ApiDeps['engine'], 'findClaimRun'> }

/** Whether the claim has no session yet. */
export const isPending = (found: SessionRecord | PendingClaim): found is PendingClaim => 'stage' in found

/** A claim whose workflow has started but not admitted it yet, under the id of its later session. */
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
 * Whether a claim of this wallet runs that has no session yet. A process that goes on after its session was recorded, such as one that
 * waits for the end of a dispute window, is no new claim.
 */
export const isClaimUnderWay = async (
  { database, engine }: Deps,
  { jobId, wallet }: { jobId: string; wallet: string },
): Promise<boolean> => {
  const running = await engine.findClaimRun(jobId)
  return running !== null && running.wallet === wallet && !(await hasSessionOfRun(database.rows, running.runId))
}

/**
 * The caller's claim without a session: admitted, or only started in the Temporal server. The server is read only for the id of the caller's
 * own next attempt; without an answer this throws 503 `workflow_engine_unavailable`, since the claim may exist.
 */
const findPendingClaim = async (deps: Deps, id: string, wallet: string): Promise<PendingClaim | null> => {
  const admitted = await pendingClaim(deps.database.rows, id)
  if (admitted !== null) return admitted
  const parts = parseSessionId(id)
  if (parts === null || parts.wallet !== wallet) return null
  const queued = await queuedClaim(deps, parts)
  return queued.sessionId === id && (await isClaimUnderWay(deps, parts)) ? queued : null
}

/**
 * The caller's session, or the pending claim that becomes it. Throws 404 `session_not_found` and 403 `session_not_owned`. The session is read
 * again in case it was recorded between the two reads.
 */
export const getOwnSession = async (deps: Deps, sessionId: string, wallet: string): Promise<SessionRecord | PendingClaim> => {
  const { rows } = deps.database
  const found =
    (await findSession(rows, sessionId)) ?? (await findPendingClaim(deps, sessionId, wallet)) ?? (await findSession(rows, sessionId))
  if (found === null) throw new ServiceError('session_not_found', { details: { sessionId } })
  if (found.wallet !== wallet) throw new ServiceError('session_not_owned', { details: { sessionId } })
  return found
}
