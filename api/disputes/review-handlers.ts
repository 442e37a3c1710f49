import { z } from 'zod'
import { createEscrowBalanceReader } from '../../activities/disputes/escrow-balance.ts'
import { findWatched, type WatchedPullRequest } from '../../activities/pull-requests/records.ts'
import { listUndecided } from '../../activities/sessions/records.ts'
import { humanVerdictRecord } from '../../activities/verification/human-verdict.ts'
import { findVerdict, latestVerdict } from '../../activities/verification/records.ts'
import { disputeId, normaliseSessionId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { moneySplit, moneyView } from '../../domain/disputes/payout.ts'
import { arbitrationEndsAt, overturnRefusal, reviewRefusal } from '../../domain/disputes/stage.ts'
import { reviewEnd } from '../../domain/sessions/review-deadline.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { describeDisposition } from '../../domain/sessions/waiting.ts'
import { overturnUpdate, reviewUpdate } from '../../schemas/disputes/process.ts'
import type * as reviewOperations from '../../schemas/disputes/review-operations.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { type ProcessKey, withProcessKey } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { sessionAnswer, verdictAnswer } from '../sessions/answers.ts'
import { decisionPending, deliverDecision } from './deliver-verdict.ts'
import { type DisputeContext, readDisputeContext, viewDisputeOf } from './views.ts'

const Position = z.object({ submittedAt: InstantKey, sessionId: TextKey })
const submittedAtOf = ({ timestamps, updatedAt }: SessionRecord): number => timestamps.submittedAt ?? updatedAt

const HOUR_MS = 3_600_000

type ReviewInput = Input<typeof reviewOperations.decideReview>
type ReviewAnswer = Answer<typeof reviewOperations.decideReview>
type OverturnInput = Input<typeof reviewOperations.overturnSession>
type OverturnAnswer = Answer<typeof reviewOperations.overturnSession>

const pendingRow = (session: SessionRecord, watched: WatchedPullRequest | undefined, now: number) => {
  const { economics, timestamps, statusHistory } = session
  const submittedAt = submittedAtOf(session)
  const isReviewed = session.status === 'disputed'
  return {
    sessionId: session.sessionId,
    jobId: session.jobId,
    jobTitle: pinnedDefinition(session.jobSnapshot).title,
    wallet: session.wallet,
    reward: assetAmount(economics.rewardRaw, economics.asset),
    verifierMode: session.verifierMode,
    submittedAt: iso(submittedAt),
    ageMs: Math.max(0, now - submittedAt),
    ageHours: Math.max(0, Math.floor(((now - submittedAt) / HOUR_MS) * 10) / 10),
    slaDeadline: iso(isReviewed ? arbitrationEndsAt(timestamps.disputedAt ?? submittedAt) : reviewEnd(session, submittedAt)),
    disposition: describeDisposition(session, watched),
    reason: statusHistory.at(-1)?.reason ?? session.status,
    ...(watched !== undefined && { prUrl: watched.url }),
    ...(typeof watched?.heldBecause === 'string' && { heldBecause: watched.heldBecause }),
    ...(isReviewed && { disputeId: disputeId(session.sessionId) }),
  }
}

/** Reviews by verifiers and overturns by operators. */
export const createReviewHandlers = (deps: ApiDeps): HandlersOf<typeof reviewOperations> => {
  const { database, engine, clock, baseUrl, chain, clients } = deps
  const { rows } = database
  const readBalance = createEscrowBalanceReader(chain, clients)
  const idOf = (text: string): string => normaliseSessionId(text) ?? text

  const preview = async ({ session }: DisputeContext, { body, caller }: ReviewInput): Promise<ReviewAnswer> => {
    const verdict = body.verdict === 'approve' ? 'approved' : 'rejected'
    const by = { by: caller.wallet, at: clock.now() }
    const decision = { ...by, verdict, rationale: body.rationale, reasoningHash: null, publicBaseUrl: baseUrl } as const
    const last = await latestVerdict(rows, session.sessionId)
    const balance = await readBalance({ chainJobId: session.chainJobId, retainedRaw: session.economics.gasRetainedRaw })
    const record = humanVerdictRecord(session, decision, last?.verdict ?? null)
    const money = moneyView(balance, moneySplit(balance, verdict, 0n), session.economics.asset)
    return { status: 200, body: { ...verdictAnswer(session, record), payoutTx: null, preview: true, money } }
  }

  const decide = async (input: ReviewInput, key: ProcessKey): Promise<ReviewAnswer> => {
    const { params, body, caller, request } = input
    const context = await readDisputeContext(rows, idOf(params.id))
    const refusal = reviewRefusal(context)
    if (body.preview === true) {
      if (refusal !== null) throw refusal
      return preview(context, input)
    }
    const { session } = context
    const decision = { verdict: body.verdict, rationale: body.rationale, by: caller.wallet }
    const decided = { session, update: reviewUpdate, input: decision, refusal, key, requestId: request.id }
    const { outcome, decisionRequestId } = await deliverDecision(engine, decided)
    // The worker may have opened the next round meanwhile.
    const after = await readDisputeContext(rows, session.sessionId, outcome.kind === 'done' ? outcome.value.round : undefined)
    const isDecided = outcome.kind === 'done' || after.decision?.decisionRequestId === decisionRequestId
    const verdictId = after.decision?.verificationId ?? null
    const verdict = isDecided && verdictId !== null ? await findVerdict(rows, verdictId) : null
    if (verdict === null) throw decisionPending()
    return { status: 200, body: { ...verdictAnswer(after.session, verdict.verdict), decidedAt: iso(verdict.decidedAt) } }
  }

  const overturn = async ({ body, caller, request }: OverturnInput, key: ProcessKey): Promise<OverturnAnswer> => {
    const { session } = await readDisputeContext(rows, idOf(body.sessionId))
    const refusal = overturnRefusal(session, clock.now())
    const input = { by: caller.wallet, note: body.note }
    const decided = { session, update: overturnUpdate, input, refusal, key, requestId: request.id }
    const { outcome } = await deliverDecision(engine, decided)
    const after = await readDisputeContext(rows, session.sessionId)
    const overturned = after.session.status === 'disputed' && after.session.operatorOverturn?.by === caller.wallet
    if (outcome.kind === 'pending' && !overturned) throw decisionPending()
    const now = clock.now()
    const dispute = await viewDisputeOf(rows, session.sessionId, { now, baseUrl })
    return { status: 200, body: { session: sessionAnswer(after.session, now, baseUrl), dispute } }
  }

  return {
    decideReview: (input) => withProcessKey(deps, input, (key) => decide(input, key)),
    overturnSession: (input) => withProcessKey(deps, input, (key) => overturn(input, key)),

    listPendingVerifications: async ({ query }) => {
      const page = listPage({ ...query, operationId: 'listPendingVerifications', filters: {}, position: Position })
      const found = await listUndecided(rows, { limit: page.readLimit, after: page.after })
      const placeOf = (session: SessionRecord) => ({ submittedAt: submittedAtOf(session), sessionId: session.sessionId })
      const { rows: sessions, ...envelope } = page.cut(found, placeOf)
      const ids = sessions.map(({ sessionId }) => sessionId)
      const watched = await findWatched(rows, ids)
      const pending = sessions.map((session) => pendingRow(session, watched.get(session.sessionId), clock.now()))
      return { status: 200, body: { pending, ...envelope } }
    },
  }
}
