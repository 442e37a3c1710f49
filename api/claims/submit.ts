import { findLatestTransaction } from '../../activities/chain/journal/rows.ts'
import { capReachedError, findRepositoryCapacity, isCapReached } from '../../activities/pull-requests/records.ts'
import { findSession } from '../../activities/sessions/records.ts'
import { checkPinnedSubmission } from '../../domain/claims/pinned-submission.ts'
import { assumedAcceptanceTime, divergedRefusal, submissionRefusal } from '../../domain/claims/submission-refusal.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { hasDiverged } from '../../domain/sessions/state-machine.ts'
import type { submitWork } from '../../schemas/claims/operations.ts'
import { claimWorkflowId, type SubmitInput } from '../../schemas/claims/process.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { Answer, Handler, Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { type ProcessKey, withProcessKey } from '../http/idempotency.ts'
import { pendingAnswer, servedSession } from '../sessions/answers.ts'
import { getOwnSession, isPending } from '../sessions/pending.ts'
import { createSelfPaid } from './self-paid.ts'

type SubmitReply = Answer<typeof submitWork>

/** The caller's own session by its id in any spelling. Throws 404 for an unknown session and 403 for another wallet's. */
const ownSession = async (deps: Pick<ApiDeps, 'database' | 'engine'>, id: string, wallet: string): Promise<SessionRecord> => {
  const sessionId = normaliseSessionId(id) ?? id
  const found = await getOwnSession(deps, sessionId, wallet)
  if (!isPending(found)) return found
  throw new ServiceError('claim_in_progress', {
    details: { sessionId },
    retryAfterSeconds: 2,
    detail: 'The claim is still being recorded; submit when the session is claimed.',
  })
}

/** `POST /jobs/submit`: checks against the pinned schema before the workflow sees the submission; the session's own run decides. */
export const createSubmitWork = (deps: ApiDeps): Handler<typeof submitWork> => {
  const { database, engine, clock, baseUrl, settings, deliveries } = deps

  const selfPaid = createSelfPaid(deps)

  const pending = async (session: SessionRecord): Promise<SubmitReply> => {
    const { sessionId, jobId, wallet } = session
    const { txHash = null, nonce = null } = (await findLatestTransaction(database.rows, sessionId, 'submitWorkFor')) ?? {}
    return { status: 202, body: pendingAnswer({ sessionId, jobId, wallet, stage: 'submitting', txHash, nonce }) }
  }

  /** Leaves a submission that no worker accepted in time with the engine, so that a 202 survives a restart. */
  const acceptPending = async (session: SessionRecord, runId: string, input: SubmitInput, outage: AbortSignal): Promise<SubmitReply> => {
    const current = await findSession(database.rows, session.sessionId)
    const isWaiting = current?.status === 'claimed' && current.submission === null
    if (!isWaiting || (await engine.offer({ jobId: session.jobId, runId }, input, outage))) return pending(session)
    throw new ServiceError('workflow_engine_unavailable')
  }

  const current = async (sessionId: string, replayed: boolean): Promise<SubmitReply> => {
    const session = await findSession(database.rows, sessionId)
    if (session === null) throw new ServiceError('session_not_found', { details: { sessionId } })
    return servedSession(session, { now: clock.now(), baseUrl, replayed })
  }

  /** Refreshes the open pull requests before a full repository refuses the work. Between concurrent submissions the workflow step decides. */
  const assertCapacity = async (session: SessionRecord, normalized: unknown): Promise<void> => {
    const terms = { usualCap: settings.MAINTAINER_OPEN_PR_CAP, now: clock.now() }
    const capacity = await findRepositoryCapacity(database.rows, session, normalized, terms)
    if (!isCapReached(capacity)) return
    await deliveries.refresh(capacity.repo)
    const after = await findRepositoryCapacity(database.rows, session, normalized, terms)
    if (isCapReached(after)) throw capReachedError(after)
  }

  /** A submission that was accepted in time and reached the chain too late is a divergence, not the worker's fault. */
  const rethrowAsDiverged =
    (sessionId: string) =>
    async (refusal: unknown): Promise<never> => {
      const ended = isServiceError(refusal) && refusal.code === 'claim_expired' ? await findSession(database.rows, sessionId) : null
      throw ended !== null && hasDiverged(ended) ? divergedRefusal(ended) : refusal
    }

  const submit = async (
    { body, caller, request }: Input<typeof submitWork>,
    key: ProcessKey,
    outage: AbortSignal,
  ): Promise<SubmitReply> => {
    const session = await ownSession(deps, body.sessionId, caller.wallet)
    const submission = body.submission ?? body.evidence
    const checked = checkPinnedSubmission(session, submission)
    const now = clock.now()
    const refusal = submissionRefusal(session, checked.evidenceHash, now)
    const wasInTime = refusal?.code === 'claim_expired' && session.status === 'claimed' && (await key.findUpdate()) !== null
    if (refusal !== null && !wasInTime) throw refusal
    if (session.status !== 'claimed') return current(session.sessionId, true)
    const checkCapacity = () => assertCapacity(session, checked.normalized)
    await (session.external ? selfPaid.assertSubmitted({ body, request }, session, checked, checkCapacity) : checkCapacity())
    const { runId } = session
    // A submission that the chain refused may be sent again, as another update.
    const updateId = `submit/${checked.evidenceHash}/${session.submitFailedAt ?? 0}`
    await key.bind(claimWorkflowId(session.jobId), updateId)
    // A key records its workflow only after the deadline check: a repeat under it was in time.
    const acceptedAt = iso(wasInTime ? assumedAcceptanceTime(session.claimExpiresAt) : now)
    const input = { sessionId: session.sessionId, submission, requestId: request.id, protocol: request.protocol, acceptedAt }
    outage.throwIfAborted()
    const outcome = await engine
      .submit({ jobId: session.jobId, runId, updateId }, input, outage)
      .catch(rethrowAsDiverged(session.sessionId))
    if (outcome?.kind === 'pending') return acceptPending(session, runId, input, outage)
    const after = await findSession(database.rows, session.sessionId)
    const late = after === null ? null : submissionRefusal(after, checked.evidenceHash, clock.now())
    if (late !== null) throw late
    // The run had ended before it accepted the submission.
    if (after?.status === 'claimed') throw new ServiceError('workflow_engine_unavailable')
    return current(session.sessionId, false)
  }

  return (input) => engine.watchOutages((outage) => withProcessKey(deps, input, (key) => submit(input, key, outage)))
}
