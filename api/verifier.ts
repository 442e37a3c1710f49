import { findJob } from '../activities/records/catalogue.ts'
import { findSession, needSession } from '../activities/records/sessions.ts'
import { findVerdict, latestVerdict, type StoredVerdict } from '../activities/records/verifications.ts'
import { handlerListing, VERIFIER_HANDLERS } from '../activities/verifiers/registry.ts'
import { type Evaluated, evaluateSession, replayDrift, type VerdictRecord } from '../activities/verifiers/verdicts.ts'
import { normaliseSessionId } from '../domain/ids.ts'
import { iso, isoOrNull } from '../domain/instants.ts'
import { isTerminal } from '../domain/session-graph.ts'
import { ServiceError } from '../schemas/errors.ts'
import type { Caller } from '../schemas/operations/authorisation.ts'
import type { Handler, HandlersOf } from '../schemas/operations/operation.ts'
import type * as verifierOperations from '../schemas/operations/verifier.ts'
import type { SessionRecord } from '../schemas/session-record.ts'
import type { WorkDeps } from './deps-work.ts'
import { withProcessKey } from './idempotency.ts'
import { waitFor } from './sessions.ts'

const slim = (session: SessionRecord) => ({
  sessionId: session.sessionId,
  jobId: session.jobId,
  wallet: session.wallet,
  status: session.status,
  chainState: session.chainState,
})

const undecided = (session: SessionRecord): 'not_submitted' | 'verifying' =>
  session.timestamps.submittedAt === null ? 'not_submitted' : 'verifying'

/** What anybody may know: no submission, no evidence. */
const publicResult = (session: SessionRecord, verdict: StoredVerdict | null) => {
  const submittedAt = isoOrNull(session.timestamps.submittedAt)
  const base = { sessionId: session.sessionId, jobId: session.jobId, submittedAt }
  if (verdict === null) return { ...base, status: undecided(session), ...(submittedAt !== null && { awaitingSince: submittedAt }) }
  return {
    ...base,
    status: 'decided' as const,
    outcome: verdict.outcome,
    reasonCode: verdict.reasonCode,
    resolvedAt: iso(verdict.decidedAt),
  }
}

const mayReadAll = (session: SessionRecord, caller: Caller | null): boolean =>
  caller !== null && (caller.wallet === session.wallet || caller.capabilities.includes('verifier:result:read'))

const needVerdict = (evaluated: Evaluated): VerdictRecord => {
  if ('unavailable' in evaluated) {
    throw new ServiceError('upstream_failure', {
      reason: evaluated.unavailable.reasonCode,
      detail: evaluated.unavailable.detail,
      details: { ...evaluated.unavailable },
    })
  }
  return evaluated.verdict
}

/** Verification over HTTP: results for readers, runs for verifiers; the session's own process settles. */
export const createVerifierHandlers = (deps: WorkDeps): HandlersOf<typeof verifierOperations> => {
  const { database, engine, clock, baseUrl } = deps

  const assertVerifiable = (session: SessionRecord): void => {
    if (session.status === 'submitted' || session.status === 'disputed') return
    throw new ServiceError('invalid_session_transition', {
      detail: 'Only a submitted or disputed session can be verified.',
      details: { sessionId: session.sessionId, currentStatus: session.status, nextStatus: 'resolved', reason: 'not_awaiting_verification' },
    })
  }

  const sessionOf = (id: string): Promise<SessionRecord> => needSession(database.rows, normaliseSessionId(id) ?? id)

  const full = (session: SessionRecord, record: Record<string, unknown>) => ({
    ...record,
    session: slim(session),
    payoutTx: session.payoutTx,
  })

  const preview = async (session: SessionRecord, submission: unknown) => {
    const options = { publicBaseUrl: baseUrl, now: clock.now(), ...(submission !== undefined && { submission }) }
    return needVerdict(await evaluateSession(session, VERIFIER_HANDLERS, options))
  }

  const run: Handler<typeof verifierOperations.runVerifier> = async ({ body, caller, request }) => {
    const session = await sessionOf(body.sessionId)
    assertVerifiable(session)
    if (body.preview === true)
      return { status: 200, body: { ...full(session, await preview(session, body.evidence)), preview: true } as never }
    const title = String(session.jobSnapshot.specDefinition.title)
    const outcome = await engine.verify(
      { ...session, title },
      { sessionId: session.sessionId, requestId: request.id, requestedBy: caller.wallet },
    )
    if (outcome.kind === 'pending')
      throw new ServiceError('upstream_failure', { detail: 'The handler is still at work; read the result later.', retryAfterSeconds: 5 })
    if (outcome.value.kind === 'unavailable')
      throw new ServiceError('upstream_failure', { reason: outcome.value.reasonCode, detail: outcome.value.detail })
    const verdict = await findVerdict(database.rows, outcome.value.verdictId)
    if (verdict === null) throw new Error(`verdict ${outcome.value.verdictId} is gone`)
    await waitFor(5, request.signal, async () => (await findSession(database.rows, session.sessionId))?.status !== 'submitted')
    const settled = (await findSession(database.rows, session.sessionId)) ?? session
    return { status: 200, body: { ...full(settled, verdict.verdict), decidedAt: iso(verdict.decidedAt) } as never }
  }

  return {
    listVerifierHandlers: async () => ({ status: 200, body: handlerListing() }),

    getVerificationResult: async ({ query, caller, request }) => {
      const sessionId = normaliseSessionId(query.sessionId) ?? query.sessionId
      const session = await needSession(database.rows, sessionId)
      let verdict = await latestVerdict(database.rows, sessionId)
      if (query.waitSeconds !== undefined && query.waitSeconds > 0 && !isTerminal(session.status)) {
        const { status } = session
        await waitFor(query.waitSeconds, request.signal, async () => {
          verdict = await latestVerdict(database.rows, sessionId)
          return verdict !== null && (await findSession(database.rows, sessionId))?.status !== status
        })
      }
      const now = (await findSession(database.rows, sessionId)) ?? session
      const result = publicResult(now, verdict)
      if (verdict === null || !mayReadAll(now, caller)) return { status: 200, body: result }
      return { status: 200, body: { ...full(now, verdict.verdict), ...result, decidedAt: iso(verdict.decidedAt) } as never }
    },

    runVerifier: (input) =>
      withProcessKey(
        { database, scope: { wallet: input.caller.wallet, operation: 'verifier_run' }, request: input.request, now: clock.now() },
        () => run(input),
      ),

    replayVerifier: async ({ body }) => {
      const session = await sessionOf(body.sessionId)
      const original = await latestVerdict(database.rows, session.sessionId)
      if (original === null)
        throw new ServiceError('invalid_session_transition', {
          detail: 'There is no verdict to replay yet.',
          details: { sessionId: session.sessionId, currentStatus: session.status },
        })
      const verdict = await preview(session, undefined)
      const live = await findJob(database.rows, session.jobId)
      return {
        status: 200,
        body: {
          ...full(session, verdict),
          replay: true,
          originalOutcome: original.outcome,
          replayDrift: replayDrift(session, live?.definition ?? null),
        } as never,
      }
    },
  }
}
