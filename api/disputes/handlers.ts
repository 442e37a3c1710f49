import { z } from 'zod'
import { contentOf } from '../../activities/content/records.ts'
import { createPurseRead } from '../../activities/disputes/escrow-balance.ts'
import { findDispute, listDisputes } from '../../activities/disputes/rows.ts'
import { CONTENT_PUBLIC_AFTER_SECONDS } from '../../domain/common/constants.ts'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { minRaw } from '../../domain/common/money.ts'
import { contentVisibility } from '../../domain/content/visibility.ts'
import { moneyView } from '../../domain/disputes/money-view.ts'
import { SESSION_AFTER } from '../../domain/disputes/outcome.ts'
import { arbitratedPayout, moneySplit, remainingOf } from '../../domain/disputes/payout.ts'
import { maySeeDispute, seesEveryDispute } from '../../domain/disputes/readers.ts'
import { arbitrationRefusal } from '../../domain/disputes/stage.ts'
import { canonicalVerdict } from '../../domain/disputes/verdict-names.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type * as disputeOperations from '../../schemas/disputes/operations.ts'
import { verdictUpdate } from '../../schemas/disputes/process.ts'
import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Caller } from '../../schemas/identity/authorisation.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'
import type { WorkDeps } from '../deps-work.ts'
import { type ProcessKey, withProcessKey } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { deliverDecision, stillUnderWay } from './deliver-verdict.ts'
import { type Contested, readContested, viewDisputeOf, viewDisputes } from './views.ts'

const Position = z.object({ openedAt: InstantKey, disputeId: TextKey })
const positionOf = ({ openedAt, disputeId }: DisputeRecord): z.infer<typeof Position> => ({ openedAt, disputeId })

type Decide = Answer<typeof disputeOperations.decideDispute>
type DecideInput = Input<typeof disputeOperations.decideDispute>

/** Disputes for their parties and for those who decide; the session's own process carries a verdict out. */
export const createDisputeHandlers = (deps: WorkDeps): HandlersOf<typeof disputeOperations> => {
  const { database, engine, clock, baseUrl, chain, clients } = deps
  const { rows } = database
  const purseOf = createPurseRead(chain, clients)
  const options = () => ({ now: clock.now(), baseUrl })

  /** What the caller may not see does not exist for it. */
  const visible = async (disputeId: string, caller: Caller): Promise<Contested & { dispute: DisputeRecord }> => {
    const dispute = await findDispute(rows, disputeId)
    if (dispute === null || !maySeeDispute(dispute, caller)) throw new ServiceError('dispute_not_found', { details: { disputeId } })
    return { ...(await readContested(rows, dispute.sessionId)), dispute }
  }

  const preview = async (
    { session, dispute }: Contested & { dispute: DisputeRecord },
    verdict: ArbitrationVerdict,
    wanted?: bigint,
  ): Promise<Decide> => {
    const purse = await purseOf({ chainJobId: session.chainJobId, retainedRaw: session.economics.gasRetainedRaw })
    const { payoutRaw, source } = arbitratedPayout(verdict, wanted, minRaw(dispute.remainingRaw, remainingOf(purse)))
    return {
      status: 200,
      body: {
        preview: true,
        disputeId: dispute.disputeId,
        sessionId: session.sessionId,
        verdict,
        reasonCode: verdictCode(verdict),
        workerPayout: payoutRaw.toString(),
        payoutSource: source,
        sessionBecomes: SESSION_AFTER[verdict],
        asset: session.economics.asset.symbol,
        money: moneyView(purse, moneySplit(purse, verdict, payoutRaw)),
      },
    }
  }

  const decide = async ({ params, body, caller, request }: DecideInput, key: ProcessKey): Promise<Decide> => {
    const scene = await visible(params.id, caller)
    const { session, dispute } = scene
    const verdict = canonicalVerdict(body.verdict ?? body.outcome ?? '')
    if (verdict === null) throw new ServiceError('invalid_request')
    const wanted = body.workerPayout === undefined ? undefined : BigInt(body.workerPayout)
    const refusal = arbitrationRefusal({ ...scene, now: clock.now() }, verdict, body.supersedes)
    if (refusal === null) arbitratedPayout(verdict, wanted, dispute.remainingRaw)
    if (body.preview === true) {
      if (refusal !== null) throw refusal
      return preview(scene, verdict, wanted)
    }
    const { rationale, workerPayout, supersedes } = body
    const input = { verdict, rationale, workerPayout, supersedes, by: caller.wallet }
    const { outcome, decisionRequestId } = await deliverDecision(
      engine,
      { session, update: verdictUpdate, input, refusal },
      key,
      request.id,
    )
    const after = await readContested(rows, session.sessionId)
    if (outcome.kind === 'pending' && after.decision?.decisionRequestId !== decisionRequestId) throw stillUnderWay()
    return { status: 200, body: await viewDisputeOf(rows, session.sessionId, options()) }
  }

  return {
    listDisputes: async ({ query, caller }) => {
      const page = listPage({
        operationId: 'listDisputes',
        filters: { status: query.status, wallet: caller.wallet },
        limit: query.limit,
        cursor: query.cursor,
        position: Position,
      })
      const party = seesEveryDispute(caller) ? undefined : caller.wallet
      const found = await listDisputes(rows, { party, status: query.status, limit: page.readLimit, after: page.after })
      const { rows: shown, ...envelope } = page.cut(found, positionOf)
      return { status: 200, body: { disputes: await viewDisputes(rows, shown, options()), ...envelope } }
    },

    getDispute: async ({ params, caller }) => {
      const { session } = await visible(params.id, caller)
      return { status: 200, body: await viewDisputeOf(rows, session.sessionId, options()) }
    },

    decideDispute: (input) =>
      withProcessKey(
        { database, scope: { wallet: input.caller.wallet, operation: 'dispute_verdict' }, request: input.request, now: clock.now() },
        (key) => decide(input, key),
      ),

    getContent: async ({ params, caller }) => {
      const found = await contentOf(rows, params.hash)
      if (found.length === 0) throw new ServiceError('content_not_found', { details: { hash: params.hash } })
      const admin = caller.roles.includes('admin')
      const readable =
        found.find((row) => admin || row.owner === caller.wallet) ?? found.find((row) => contentVisibility(row, clock.now()) === 'public')
      if (readable === undefined) throw new ServiceError('content_private', { details: { hash: params.hash } })
      const { hash, owner, contentType, verdict, createdAt, publishedAt, payload } = readable
      return {
        status: 200,
        body: {
          ...{ hash, contentType, verdict, payload },
          ownerWallet: owner,
          createdAt: iso(createdAt),
          ...(publishedAt !== null && { publishedAt: iso(publishedAt) }),
          autoPublicAt: iso(plusSeconds(createdAt, CONTENT_PUBLIC_AFTER_SECONDS)),
          visibility: contentVisibility(readable, clock.now()),
          contentURI: `${baseUrl}/content/${hash}`,
          autoDisclosureEvent: { emitted: false, reason: 'not_published' },
        },
      }
    },
  }
}
