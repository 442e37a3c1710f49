import { attemptsOf } from '../activities/records/catalogue.ts'
import type { Database } from '../activities/records/database.ts'
import { assertSameRequest, findKey, type KeyRecord, type KeyScope, nameKeyProcess, releaseKey } from '../activities/records/idempotency.ts'
import { findIntentByKey } from '../activities/records/intents.ts'
import { findSession } from '../activities/records/sessions.ts'
import { remainingAttempts } from '../domain/claim-state.ts'
import { isLiveSession } from '../domain/session-graph.ts'
import { pinnedDefinition } from '../domain/snapshot.ts'
import { ERRORS, isServiceError, ServiceError } from '../schemas/errors.ts'
import type { RequestFacts } from '../schemas/operations/operation.ts'
import { claimWorkflowId, jobOfClaim } from '../schemas/processes/claim-session.ts'
import type { SessionRecord } from '../schemas/session-record.ts'
import type { WorkDeps } from './deps-work.ts'

type Keyed = Pick<RequestFacts, 'idempotencyKey' | 'fingerprint'>
type Claimed = { jobId: string; wallet: string }

interface ClaimKeyDeps extends Pick<WorkDeps, 'engine' | 'clock'> {
  database: Pick<Database, 'rows'>
  /** A request that bound a key has started its claim, or failed to, this much later. */
  heldMs: number
}

const scopeOf = (wallet: string, key: string): KeyScope => ({ wallet, operation: 'jobs_claim', key })

/**
 * The key of a claim names one job of its wallet: by a row that is there before the claim starts, and by the claim's own intent once it
 * is admitted. A claim that is refused gives its key back; where nobody was left to do so, the next one who needs the key sees to it.
 */
export const createClaimKeys = ({ database, engine, clock, heldMs }: ClaimKeyDeps) => {
  type Bound = Pick<KeyRecord, 'fingerprint' | 'workflowId'> & Partial<Pick<KeyRecord, 'createdAt'>>
  const giveBack = (wallet: string, key: string, { fingerprint, workflowId, createdAt: boundAt }: Bound): Promise<void> =>
    releaseKey(
      database.rows,
      { scope: scopeOf(wallet, key), fingerprint },
      { ...(workflowId !== null && { workflowId }), ...(boundAt !== undefined && { boundAt }) },
    )

  /** Whether a key that was bound for a claim without a trace in the records still stands for it. */
  const stands = async (wallet: string, { subject, workflowId, createdAt }: KeyRecord): Promise<boolean> =>
    subject !== null ||
    workflowId === null ||
    clock.now() - createdAt < heldMs ||
    (await engine.claimant(jobOfClaim(workflowId))) === wallet

  /** Session that was claimed, or found, under the key of a request; null when there is none. 422 `idempotency_key_reused` for another job. */
  const sessionOf = async (wallet: string, jobId: string, { idempotencyKey: key, fingerprint }: Keyed): Promise<string | null> => {
    if (key === null) return null
    const scope = scopeOf(wallet, key)
    const [intent, found] = await Promise.all([findIntentByKey(database.rows, wallet, key), findKey(database.rows, scope)])
    if (intent !== null && intent.jobId !== jobId)
      throw new ServiceError('idempotency_key_reused', { details: { operation: 'jobs_claim', jobId: intent.jobId } })
    if (found !== null && found.fingerprint !== fingerprint) {
      if (await stands(wallet, found)) assertSameRequest(scope, found, fingerprint)
      await giveBack(wallet, key, found)
    }
    return intent?.sessionId ?? found?.subject ?? null
  }

  /** Gives the key back unless a claim of the wallet goes on under it. */
  const release = async ({ jobId, wallet }: Claimed, key: string, fingerprint: string, refusal: unknown): Promise<void> => {
    if (!isServiceError(refusal) || ERRORS[refusal.code].status >= 500) return
    if (ERRORS[refusal.code].retryable && (await engine.claimant(jobId).catch(() => wallet)) === wallet) return
    await giveBack(wallet, key, { fingerprint, workflowId: claimWorkflowId(jobId) })
  }

  return {
    sessionOf,

    /** A key that only found the session of another one stays with its job as well. */
    keep: async ({ sessionId, wallet }: SessionRecord, { idempotencyKey: key, fingerprint }: Keyed): Promise<void> => {
      if (key === null) return
      const keyed = { scope: scopeOf(wallet, key), fingerprint, now: clock.now() }
      await nameKeyProcess(database.rows, keyed, { subject: sessionId }, { joins: false })
    },

    /** An explicitly sent key is spent once the session that was claimed under it has ended. */
    assertUnspent: async (jobId: string, sessionId: string): Promise<void> => {
      const session = await findSession(database.rows, sessionId)
      if (session === null || isLiveSession(session, clock.now())) return
      const attempts = (await attemptsOf(database.rows, [jobId])).get(jobId) ?? 0
      const remaining = remainingAttempts(pinnedDefinition(session.jobSnapshot).retryLimit, attempts)
      throw new ServiceError('idempotency_key_already_used', {
        details: { sessionId: session.sessionId, jobId, status: session.status, remainingClaimAttempts: remaining },
        nextActions: [
          { kind: 'http', method: 'POST', path: '/jobs/claim', description: 'Claim again with a fresh key, if attempts remain.' },
        ],
      })
    },

    /** Hands a claim to the engine under its key, which from here on names no other job. 422 `idempotency_key_reused` when it does already. */
    during: async <T>(claim: Claimed, { idempotencyKey: key, fingerprint }: Keyed, work: () => Promise<T>): Promise<T> => {
      if (key === null) return work()
      const keyed = { scope: scopeOf(claim.wallet, key), fingerprint, now: clock.now() }
      await nameKeyProcess(database.rows, keyed, { workflowId: claimWorkflowId(claim.jobId) }, { joins: false })
      try {
        return await work()
      } catch (refusal) {
        await release(claim, key, fingerprint, refusal)
        throw refusal
      }
    },
  }
}
