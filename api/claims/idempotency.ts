import { randomUUID } from 'node:crypto'
import { countAttempts } from '../../activities/catalogue/jobs.ts'
import { findIntentByKey } from '../../activities/claims/intents.ts'
import type { Database } from '../../activities/database/database.ts'
import { assertSameRequest, bindKey, findKey, type KeyRecord, releaseKey } from '../../activities/http/idempotency.ts'
import { findSession, sessionsOfWalletOnJob } from '../../activities/sessions/records.ts'
import { remainingAttempts } from '../../domain/eligibility/claim-state.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { isLiveSession } from '../../domain/sessions/state-machine.ts'
import { claimWorkflowId, jobOfClaim } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { type KeyedInput, keyedRequest, underKey } from '../http/idempotency.ts'
import { isClaimUnderWay } from '../sessions/pending.ts'

interface ClaimKeyDeps extends Pick<ApiDeps, 'engine' | 'clock'> {
  database: Pick<Database, 'rows'>
  /** After this time a request that bound a key has started its claim or failed. */
  pendingMs: number
}

type ClaimInput = KeyedInput & { body: { jobId: string }; caller: { wallet: string } }

/**
 * Ties the key of a claim to one job of its wallet: by a row written before the claim starts, and by the claim's own intent once it is
 * admitted. A refused claim releases its key; if its process has gone, the next request with that key releases it.
 */
export const createClaimKeys = (deps: ClaimKeyDeps) => (input: ClaimInput) => {
  const { clock, pendingMs } = deps
  const { rows } = deps.database
  const { jobId } = input.body
  const { wallet } = input.caller
  const isUnderWay = (id: string): Promise<boolean> => isClaimUnderWay(deps, { jobId: id, wallet })

  /** Whether a key without a session of its own is still in use for its job. */
  const isInUse = async ({ sessionId, workflowId, createdAt }: KeyRecord): Promise<boolean> => {
    if (sessionId !== null || workflowId === null || clock.now() - createdAt < pendingMs) return true
    if (await isUnderWay(jobOfClaim(workflowId))) return true
    const own = await sessionsOfWalletOnJob(rows, wallet, jobOfClaim(workflowId))
    return own.some(({ timestamps }) => timestamps.claimedAt > createdAt - pendingMs)
  }

  /** The session claimed or found under the key of the request, or null. Throws 422 `idempotency_key_reused` for another job. */
  const findSessionId = async (): Promise<string | null> => {
    const keyed = keyedRequest(deps, input)
    if (keyed === null) return null
    const { scope, fingerprint } = keyed
    const [intent, found] = await Promise.all([findIntentByKey(rows, wallet, scope.key), findKey(rows, scope)])
    if (intent !== null && intent.jobId !== jobId)
      throw new ServiceError('idempotency_key_reused', { details: { operation: scope.operation, jobId: intent.jobId } })
    if (found !== null && found.fingerprint !== fingerprint) {
      if (await isInUse(found)) assertSameRequest(scope, found, fingerprint)
      await releaseKey(rows, { scope, fingerprint: found.fingerprint }, found)
    }
    return intent?.sessionId ?? found?.sessionId ?? null
  }

  return {
    findSessionId,

    /** Ties the key to a session that was claimed under another key; the claim's own key is stored by the claim. */
    attachSession: async (sessionId: string): Promise<void> => {
      const known = await findSessionId()
      const keyed = keyedRequest(deps, input)
      if (keyed !== null && known === null) await bindKey(rows, keyed, { sessionId, updateId: null })
    },

    /** Throws 409 `idempotency_key_already_used` when the session claimed under the key has ended. */
    assertUnspent: async (sessionId: string): Promise<void> => {
      const session = await findSession(rows, sessionId)
      if (session === null || isLiveSession(session, clock.now())) return
      const attempts = (await countAttempts(rows, [jobId])).get(jobId) ?? 0
      const remaining = remainingAttempts(pinnedDefinition(session.jobSnapshot).retryLimit, attempts)
      throw new ServiceError('idempotency_key_already_used', {
        details: { sessionId: session.sessionId, jobId, status: session.status, remainingClaimAttempts: remaining },
      })
    },

    /** Runs the claim under the key, which is tied to this job from now on. Throws 422 `idempotency_key_reused` for another job. */
    run: <T>(work: () => Promise<T>): Promise<T> =>
      underKey(
        rows,
        keyedRequest(deps, input),
        async (key) => {
          // Each request names an update of its own, so that a refusal does not release what a duplicate has bound since.
          await key.bind(claimWorkflowId(jobId), randomUUID())
          return work()
        },
        () => isUnderWay(jobId).catch(() => true),
      ),
  }
}
