import { latestOfSession } from '../../activities/chain/journal/rows.ts'
import { capReachedError, isCapReached, repositoryRoom } from '../../activities/pull-requests/records.ts'
import { findSession, runOfSession } from '../../activities/sessions/records.ts'
import { checkPinnedSubmission } from '../../domain/claims/pinned-submission.ts'
import { divergedRefusal, submissionRefusal, takenInSomeTimeBefore } from '../../domain/claims/submission-refusal.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { hasDiverged } from '../../domain/sessions/state-machine.ts'
import type { submitWork } from '../../schemas/claims/operations.ts'
import { claimWorkflowId, type SubmitInput } from '../../schemas/claims/process.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { Answer, Handler, Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { type ProcessKey, REPLAYED, withProcessKey } from '../http/idempotency.ts'
import { pendingAnswer, sessionAnswer } from '../sessions/answers.ts'
import { isPending, recordedOrUnderWay } from '../sessions/pending.ts'

type SubmitReply = Answer<typeof submitWork>

/** The caller's own session by its id in any spelling: 404 for an unknown one, 403 for another wallet's. */
export const ownSession = async (deps: Pick<ApiDeps, 'database' | 'engine'>, id: string, wallet: string): Promise<SessionRecord> => {
  const sessionId = normaliseSessionId(id) ?? id
  const found = await recordedOrUnderWay(deps, sessionId, wallet)
  if (found === null) throw new ServiceError('session_not_found', { details: { sessionId } })
  if (found.wallet !== wallet) throw new ServiceError('session_not_owned', { details: { sessionId } })
  if (!isPending(found)) return found
  throw new ServiceError('claim_in_progress', {
    details: { sessionId },
    retryAfterSeconds: 2,
    detail: 'The claim is still being recorded; submit when the session is claimed.',
  })
}

/** `POST /jobs/submit`: checked against the pinned schema here, so that a bad one never enters the process; decided by the session's own run. */
export const createSubmitWork = (deps: ApiDeps): Handler<typeof submitWork> => {
  const { database, engine, clock, baseUrl, settings, deliveries } = deps

  const pending = async (session: SessionRecord): Promise<SubmitReply> => {
    const sent = await latestOfSession(database.rows, session.sessionId)
    return {
      status: 202,
      body: pendingAnswer({
        sessionId: session.sessionId,
        jobId: session.jobId,
        wallet: session.wallet,
        stage: 'submitting',
        txHash: sent?.txHash ?? null,
        nonce: sent?.nonce ?? null,
      }),
    }
  }

  /** What no worker has taken up in time is left with the engine, so that a 202 never stands for something that a restart forgets. */
  const accepted = async (session: SessionRecord, runId: string, input: SubmitInput, gone: AbortSignal): Promise<SubmitReply> => {
    const now = await findSession(database.rows, session.sessionId)
    const waits = now?.status === 'claimed' && now.submission === null
    if (!waits || (await engine.offer({ jobId: session.jobId, runId }, input, gone))) return pending(session)
    throw new ServiceError('workflow_engine_unavailable')
  }

  const current = async (sessionId: string, replayed: boolean): Promise<SubmitReply> => {
    const session = await findSession(database.rows, sessionId)
    if (session === null) throw new ServiceError('session_not_found', { details: { sessionId } })
    return {
      status: 200,
      body: sessionAnswer(session, clock.now(), baseUrl),
      ...(replayed && { headers: REPLAYED }),
    }
  }

  /** Before a full repository refuses the work its open pull requests are looked at; of those that come together the submission's own step decides. */
  const makeRoom = async (session: SessionRecord, normalized: unknown): Promise<void> => {
    const terms = { usualCap: settings.MAINTAINER_OPEN_PR_CAP, now: clock.now() }
    const room = await repositoryRoom(database.rows, session, normalized, terms)
    if (!isCapReached(room)) return
    await deliveries.refresh(room.repo)
    const after = await repositoryRoom(database.rows, session, normalized, terms)
    if (isCapReached(after)) throw capReachedError(after)
  }

  /** Accepted in time, and the chain was too slow for it: not the worker's fault, and not to be told so. */
  const orDiverged =
    (sessionId: string) =>
    async (refusal: unknown): Promise<never> => {
      const ended = isServiceError(refusal) && refusal.code === 'claim_expired' ? await findSession(database.rows, sessionId) : null
      throw ended !== null && hasDiverged(ended) ? divergedRefusal(ended) : refusal
    }

  const submit = async ({ body, caller, request }: Input<typeof submitWork>, key: ProcessKey, gone: AbortSignal): Promise<SubmitReply> => {
    const session = await ownSession(deps, body.sessionId, caller.wallet)
    const submission = body.submission ?? body.evidence
    const checked = checkPinnedSubmission(session, submission)
    const now = clock.now()
    const refusal = submissionRefusal(session, checked.evidenceHash, now)
    const wasInTime = refusal?.code === 'claim_expired' && session.status === 'claimed' && (await key.named()) !== null
    if (refusal !== null && !wasInTime) throw refusal
    if (session.status !== 'claimed') return current(session.sessionId, true)
    await makeRoom(session, checked.normalized)
    const runId = await runOfSession(database.rows, session.sessionId)
    if (runId === null) throw new ServiceError('session_not_found', { details: { sessionId: session.sessionId } })
    // A submission that the chain refused before may be sent again: then it is another update.
    const updateId = `submit/${checked.evidenceHash}/${session.submitFailedAt ?? 0}`
    await key.bind({ subject: session.sessionId, workflowId: claimWorkflowId(session.jobId), runId, updateId })
    // A key names its process only after the deadline was looked at: whoever repeats it then was in time, and may not have been heard yet.
    const acceptedAt = iso(wasInTime ? takenInSomeTimeBefore(session.claimExpiresAt) : now)
    const input = { sessionId: session.sessionId, submission, requestId: request.id, protocol: request.protocol, acceptedAt }
    gone.throwIfAborted()
    const outcome = await engine.submit({ jobId: session.jobId, runId, updateId }, input, gone).catch(orDiverged(session.sessionId))
    if (outcome?.kind === 'pending') return accepted(session, runId, input, gone)
    const after = await findSession(database.rows, session.sessionId)
    const late = after === null ? null : submissionRefusal(after, checked.evidenceHash, clock.now())
    if (late !== null) throw late
    // The run was over, and nothing took the submission.
    if (after?.status === 'claimed') throw new ServiceError('workflow_engine_unavailable')
    return current(session.sessionId, false)
  }

  return (input) => {
    const keyed = { database, scope: { wallet: input.caller.wallet, operation: 'jobs_submit' }, request: input.request, now: clock.now() }
    return engine.watched((gone) => withProcessKey(keyed, (key) => submit(input, key, gone)))
  }
}
