import { z } from 'zod'
import { createEscrowBalanceReader } from '../../activities/disputes/escrow-balance.ts'
import { findDisputeFile } from '../../activities/disputes/file.ts'
import { findDispute, listDisputes } from '../../activities/disputes/rows.ts'
import { recordStatement } from '../../activities/disputes/statement.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount, minRaw } from '../../domain/common/money.ts'
import { SESSION_AFTER } from '../../domain/disputes/outcome.ts'
import { arbitratedPayout, moneySplit, moneyView, remainingOf } from '../../domain/disputes/payout.ts'
import { canReadDispute, canReadEveryDispute } from '../../domain/disputes/readers.ts'
import { arbitrationRefusal, disputeStatus } from '../../domain/disputes/stage.ts'
import { parseVerdict } from '../../domain/disputes/verdict-names.ts'
import { disputeRow, statementView } from '../../domain/disputes/view.ts'
import { hasDiverged } from '../../domain/sessions/state-machine.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type * as disputeOperations from '../../schemas/disputes/operations.ts'
import { verdictUpdate } from '../../schemas/disputes/process.ts'
import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'
import type { ApiDeps } from '../deps.ts'
import { type ProcessKey, withIdempotentTransaction, withProcessKey } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { decisionPending, deliverDecision } from './deliver-verdict.ts'
import { type DisputeContext, readDisputeContext, viewDisputeOf, viewDisputes } from './views.ts'

const Position = z.object({ openedAt: InstantKey, disputeId: TextKey })

type Decide = Answer<typeof disputeOperations.decideDispute>
type DecideInput = Input<typeof disputeOperations.decideDispute>

/** Disputes for their participants and for arbitrators; the dispute's workflow executes a verdict. */
export const createDisputeHandlers = (deps: ApiDeps): HandlersOf<typeof disputeOperations> => {
  const { database, engine, clock, baseUrl, chain, clients } = deps
  const { rows } = database
  const readBalance = createEscrowBalanceReader(chain, clients)
  const options = () => ({ now: clock.now(), baseUrl })

  /** Throws 404 `dispute_not_found` also for a dispute the caller may not see. */
  const getVisible = async (disputeId: string, caller: WalletPrincipal): Promise<DisputeContext & { dispute: DisputeRecord }> => {
    const dispute = await findDispute(rows, disputeId)
    if (dispute === null || !canReadDispute(dispute, caller)) throw new ServiceError('dispute_not_found', { details: { disputeId } })
    return { ...(await readDisputeContext(rows, dispute.sessionId)), dispute }
  }

  const preview = async (
    { session, dispute }: DisputeContext & { dispute: DisputeRecord },
    verdict: ArbitrationVerdict,
    requestedRaw?: bigint,
  ): Promise<Decide> => {
    const balance = await readBalance({ chainJobId: session.chainJobId, retainedRaw: session.economics.gasRetainedRaw })
    const { payoutRaw, source } = arbitratedPayout(
      verdict,
      requestedRaw,
      minRaw(dispute.remainingRaw, remainingOf(balance)),
      dispute.isProofGated,
    )
    return {
      status: 200,
      body: {
        preview: true,
        disputeId: dispute.disputeId,
        sessionId: session.sessionId,
        verdict,
        reasonCode: verdictCode(verdict),
        workerPayout: amount({ ...session.economics.asset, raw: payoutRaw }),
        payoutSource: source,
        sessionBecomes: SESSION_AFTER[verdict],
        asset: session.economics.asset.symbol,
        money: moneyView(balance, moneySplit(balance, verdict, payoutRaw), session.economics.asset),
      },
    }
  }

  const decide = async ({ params, body, caller, request }: DecideInput, key: ProcessKey): Promise<Decide> => {
    const context = await getVisible(params.id, caller)
    const { session, dispute } = context
    const verdict = parseVerdict(body.verdict ?? body.outcome ?? '')
    if (verdict === null) throw new ServiceError('invalid_request')
    const requestedRaw = body.workerPayout === undefined ? undefined : BigInt(body.workerPayout)
    const refusal = arbitrationRefusal({ ...context, now: clock.now() }, verdict, body.supersedes)
    if (refusal === null) arbitratedPayout(verdict, requestedRaw, dispute.remainingRaw, dispute.isProofGated)
    if (body.preview === true) {
      if (refusal !== null) throw refusal
      return preview(context, verdict, requestedRaw)
    }
    const { rationale, workerPayout, supersedes } = body
    const input = { verdict, rationale, workerPayout, supersedes, by: caller.wallet }
    const decided = { session, update: verdictUpdate, input, refusal, key, requestId: request.id }
    const { outcome, decisionRequestId } = await deliverDecision(engine, decided)
    const after = await readDisputeContext(rows, session.sessionId)
    if (outcome.kind === 'pending' && after.decision?.decisionRequestId !== decisionRequestId) throw decisionPending()
    return { status: 200, body: await viewDisputeOf(rows, session.sessionId, options()) }
  }

  return {
    listDisputes: async ({ query, caller }) => {
      const filters = { status: query.status, wallet: caller.wallet }
      const page = listPage({ ...query, operationId: 'listDisputes', filters, position: Position })
      const party = canReadEveryDispute(caller) ? undefined : caller.wallet
      const found = await listDisputes(rows, { party, status: query.status, limit: page.readLimit, after: page.after })
      const { rows: records, ...envelope } = page.cut(found, ({ openedAt, disputeId }) => ({ openedAt, disputeId }))
      return { status: 200, body: { disputes: (await viewDisputes(rows, records, options())).map(disputeRow), ...envelope } }
    },

    getDispute: async ({ params, caller }) => {
      const { session } = await getVisible(params.id, caller)
      return { status: 200, body: await viewDisputeOf(rows, session.sessionId, options()) }
    },

    getDisputeFile: async ({ params, caller }) => {
      const { session, dispute, decision } = await getVisible(params.id, caller)
      const { disputeId, status } = dispute
      const file = await findDisputeFile(rows, disputeId)
      if (file !== null) return { status: 200, body: JSON.parse(file.document), serialised: Buffer.from(file.document) }
      if (hasDiverged(session)) throw new ServiceError('dispute_file_impossible', { details: { disputeId } })
      const standing = disputeStatus(session, dispute, decision)
      const deadlineAt = 'deadlineAt' in standing ? iso(standing.deadlineAt) : null
      throw new ServiceError('dispute_file_not_ready', { details: { disputeId, status, deadlineAt } })
    },

    submitDisputeStatement: async (input) => {
      const { params, caller, body } = input
      const { session, dispute } = await getVisible(params.id, caller)
      const { disputeId } = dispute
      if (dispute.claimant !== caller.wallet) throw new ServiceError('dispute_statement_forbidden', { details: { disputeId } })
      return withIdempotentTransaction<Answer<typeof disputeOperations.submitDisputeStatement>>(deps, input, async (own) => {
        const given = { sessionId: session.sessionId, statement: body.statement, at: clock.now() }
        const statement = statementView(await recordStatement(own, given), body.statement)
        if (statement === null) throw new Error('the statement was not recorded')
        return { status: 200, body: { disputeId, statement } }
      })
    },

    decideDispute: (input) => withProcessKey(deps, input, (key) => decide(input, key)),
  }
}
