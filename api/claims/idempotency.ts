import { countAttempts } from '../../activities/catalogue/jobs.ts'
import { findIntentByKey } from '../../activities/claims/intents.ts'
import type { Database } from '../../activities/database/database.ts'
import { assertSameRequest, findKey, type KeyRecord, type KeyScope, nameKeyProcess, releaseKey } from '../../activities/http/idempotency.ts'
import { findSession, sessionsOfWalletOnJob } from '../../activities/sessions/records.ts'
import { remainingAttempts } from '../../domain/eligibility/claim-state.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { isLiveSession } from '../../domain/sessions/state-machine.ts'
import { claimWorkflowId, jobOfClaim } from '../../schemas/claims/process.ts'
import { ERRORS, isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { RequestFacts } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { isClaimUnderWay } from '../sessions/pending.ts'

type KeyedRequest = Pick<RequestFacts, 'idempotencyKey' | 'fingerprint'>
type ClaimedSession = Pick<SessionRecord, 'sessionId' | 'jobId' | 'wallet'>
type Claimed = { jobId: string; wallet: string }

interface ClaimKeyDeps extends Pick<ApiDeps, 'engine' | 'clock'> {
  database: Pick<Database, 'rows'>
  /** After this time a request that bound a key has started its claim or failed. */
  pendingMs: number
}

const scopeOf = (wallet: string, key: string): KeyScope => ({ wallet, operation: 'jobs_claim', key })

/**
 * Ties the key of a claim to one job of its wallet: by a row written before the claim starts, and by the claim's own intent once it is
 * admitted. A refused claim releases its key; if its process has gone, the next request with that key releases it.
 */
export const createClaimKeys = ({ database, engine, clock, pendingMs }: ClaimKeyDeps) => {
  type Bound = Pick<KeyRecord, 'fingerprint' | 'workflowId' | 'createdAt'>
  const releaseBound = (wallet: string, key: string, { fingerprint, workflowId, createdAt: boundAt }: Bound): Promise<void> =>
    releaseKey(database.rows, { scope: scopeOf(wallet, key), fingerprint }, { workflowId, boundAt })

  /** Whether a key without a session of its own is still in use for its job. */
  const isInUse = async (wallet: string, { subject, workflowId, createdAt }: KeyRecord): Promise<boolean> => {
    if (subject !== null || workflowId === null || clock.now() - createdAt < pendingMs) return true
    const jobId = jobOfClaim(workflowId)
    if (await isClaimUnderWay({ database, engine }, { jobId, wallet })) return true
    const own = await sessionsOfWalletOnJob(database.rows, wallet, jobId)
    return own.some(({ timestamps }) => timestamps.claimedAt > createdAt - pendingMs)
  }

  /** The session claimed or found under the key of a request, or null. Throws 422 `idempotency_key_reused` for another job. */
  const sessionOf = async (wallet: string, jobId: string, { idempotencyKey: key, fingerprint }: KeyedRequest): Promise<string | null> => {
    if (key === null) return null
    const scope = scopeOf(wallet, key)
    const [intent, found] = await Promise.all([findIntentByKey(database.rows, wallet, key), findKey(database.rows, scope)])
    if (intent !== null && intent.jobId !== jobId)
      throw new ServiceError('idempotency_key_reused', { details: { operation: 'jobs_claim', jobId: intent.jobId } })
    if (found !== null && found.fingerprint !== fingerprint) {
      if (await isInUse(wallet, found)) assertSameRequest(scope, found, fingerprint)
      await releaseBound(wallet, key, found)
    }
    return intent?.sessionId ?? found?.subject ?? null
  }

  /** Releases the key unless a claim of the wallet is still running under it or a duplicate bound it again. */
  const release = async ({ jobId, wallet }: Claimed, key: string, bound: Bound, refusal: unknown): Promise<void> => {
    if (!isServiceError(refusal) || ERRORS[refusal.code].status >= 500) return
    const isUnderWay = () => isClaimUnderWay({ database, engine }, { jobId, wallet }).catch(() => true)
    if (ERRORS[refusal.code].retryable && (await isUnderWay())) return
    await releaseBound(wallet, key, bound)
  }

  return {
    sessionOf,

    /** Ties a key to a session that was claimed under another key; the claim's own key is stored by the claim. */
    attachSession: async ({ sessionId, jobId, wallet }: ClaimedSession, request: KeyedRequest): Promise<void> => {
      const { idempotencyKey: key, fingerprint } = request
      if (key === null || (await sessionOf(wallet, jobId, request)) !== null) return
      const keyed = { scope: scopeOf(wallet, key), fingerprint, now: clock.now() }
      await nameKeyProcess(database.rows, keyed, { subject: sessionId }, { joins: false })
    },

    /** Throws 409 `idempotency_key_already_used` when the session claimed under an explicit key has ended. */
    assertUnspent: async (jobId: string, sessionId: string): Promise<void> => {
      const session = await findSession(database.rows, sessionId)
      if (session === null || isLiveSession(session, clock.now())) return
      const attempts = (await countAttempts(database.rows, [jobId])).get(jobId) ?? 0
      const remaining = remainingAttempts(pinnedDefinition(session.jobSnapshot).retryLimit, attempts)
      throw new ServiceError('idempotency_key_already_used', {
        details: { sessionId: session.sessionId, jobId, status: session.status, remainingClaimAttempts: remaining },
      })
    },

    /** Runs a claim under its key, which is tied to this job from now on. Throws 422 `idempotency_key_reused` for another job. */
    runUnderKey: async <T>(claim: Claimed, { idempotencyKey: key, fingerprint }: KeyedRequest, work: () => Promise<T>): Promise<T> => {
      if (key === null) return work()
      const keyed = { scope: scopeOf(claim.wallet, key), fingerprint, now: clock.now() }
      const workflowId = claimWorkflowId(claim.jobId)
      await nameKeyProcess(database.rows, keyed, { workflowId }, { joins: false })
      try {
        return await work()
      } catch (refusal) {
        await release(claim, key, { fingerprint, workflowId, createdAt: keyed.now }, refusal)
        throw refusal
      }
    },
  }
}
