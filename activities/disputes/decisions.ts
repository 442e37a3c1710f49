import { iso } from '../../domain/common/instants.ts'
import { rationaleBlob } from '../../domain/disputes/evidence.ts'
import { memberError, parseDecider, parseDecisionRequestId, parsePayoutRaw, parseRationale } from '../../domain/disputes/operator-input.ts'
import { arbitratedPayout } from '../../domain/disputes/payout.ts'
import { arbitrationRefusal, decisionState, isSameRequest, reviewRefusal } from '../../domain/disputes/stage.ts'
import { describeVerdictError, parseVerdict } from '../../domain/disputes/verdict-names.ts'
import { hasDiverged } from '../../domain/sessions/state-machine.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type {
  ArbitrationInput,
  DecisionAnswer,
  DisputeRecordActivities,
  ReviewInput,
  SessionDecision,
} from '../../schemas/disputes/process.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import { RATIONALE } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Clock } from '../common/clock.ts'
import { storeContent } from '../content/records.ts'
import type { Database, Rows } from '../database/database.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { getSession } from '../sessions/records.ts'
import { storeHumanVerdict } from '../verification/human-verdict.ts'
import { findVerdict } from '../verification/records.ts'
import { findDecision, findDisputeOfSession, insertDecision, lockDispute, updateArbitrator, updateDecision } from './rows.ts'
import { type PrepareVerdict, preparationOf } from './signatures.ts'

export interface DecisionDeps {
  database: Database
  clock: Clock
  publicBaseUrl: string
  /** Address of this process's arbitrator key; without one (null) a verdict waits for an external signature. */
  arbitrator: string | null
  prepare: PrepareVerdict
}

type Decisions = Pick<DisputeRecordActivities, 'recordArbitration' | 'recordHumanVerdict' | 'recordLaterVerdict' | 'decisionAnswer'>

interface DisputeContext {
  session: SessionRecord
  dispute: DisputeRecord | null
  decision: RoundDecision | null
}

/** Locks session, then dispute: the same order as every writer. */
const lockDisputeContext = async (rows: Rows, sessionId: string): Promise<DisputeContext> => {
  await rows.selectFrom('session').select('sessionId').where('sessionId', '=', sessionId).forUpdate().execute()
  const dispute = await lockDispute(rows, sessionId)
  const session = await getSession(rows, sessionId)
  return { session, dispute, decision: dispute === null ? null : await findDecision(rows, dispute) }
}

/** Records the decision of a round: one row, and the first insert wins. Chain step and event follow it. */
export const createDisputeDecisions = ({ database, clock, publicBaseUrl, arbitrator, prepare }: DecisionDeps): Decisions => {
  const arbitrate = async (rows: Rows, input: SessionDecision<ArbitrationInput>): Promise<{ round: number }> => {
    const verdict = typeof input.verdict === 'string' ? parseVerdict(input.verdict) : null
    if (verdict === null) throw memberError('verdict', describeVerdictError(input.verdict))
    const rationale = parseRationale(input.rationale, RATIONALE.arbitration)
    const by = parseDecider(input.by)
    const decisionRequestId = parseDecisionRequestId(input.decisionRequestId)
    const { session, dispute, decision } = await lockDisputeContext(rows, input.sessionId)
    const now = clock.now()
    const held = dispute === null ? null : await updateArbitrator(rows, dispute, arbitrator)
    const refusal = arbitrationRefusal({ session, dispute: held, decision, now }, verdict, input.supersedes)
    if (dispute === null) throw refusal ?? new ServiceError('dispute_not_found')
    const amount = parsePayoutRaw(input.workerPayout)
    const blobOf = (payout: bigint) =>
      rationaleBlob({ disputeId: dispute.disputeId, verdict, workerPayoutRaw: payout.toString(), rationale })
    if (refusal !== null) {
      const blob = blobOf(amount ?? decision?.workerPayoutRaw ?? 0n)
      if (isSameRequest(decision, { source: 'arbitrator', verdict, by, decisionRequestId, blob })) return { round: dispute.round }
      throw refusal
    }
    const { payoutRaw, source } = arbitratedPayout(verdict, amount, dispute.remainingRaw)
    const blob = blobOf(payoutRaw)
    const owners = [dispute.claimant, by, ...(dispute.respondent === null ? [] : [dispute.respondent])]
    const reasoningHash = await storeContent(rows, { contentType: 'dispute_rationale', payload: blob, owners, at: now })
    const unsigned = arbitrator === null && verdict !== 'timeout'
    const decided: RoundDecision = {
      round: dispute.round,
      source: 'arbitrator',
      verdict,
      reasonCode: verdictCode(verdict),
      workerPayoutRaw: payoutRaw,
      payoutSource: source,
      reasoningHash,
      verificationId: null,
      decidedBy: by,
      decisionRequestId,
      decidedAt: now,
      preparation: unsigned ? preparationOf(prepare(session, { verdict, payoutRaw, reasoningHash }), now) : null,
      observed: null,
    }
    if (decision === null) await insertDecision(rows, dispute.disputeId, decided)
    else await updateDecision(rows, dispute, decided)
    await appendEntry(rows, dispute.disputeId, {
      at: now,
      actor: by,
      action: decision === null ? 'verdict_submitted' : 'verdict_superseded',
      data: {
        verdict,
        workerPayout: payoutRaw.toString(),
        reasoningHash,
        ...(decided.preparation !== null && { preparationId: decided.preparation.preparationId }),
      },
    })
    return { round: dispute.round }
  }

  const review = async (rows: Rows, input: SessionDecision<ReviewInput>): Promise<{ round: number }> => {
    if (input.verdict !== 'approve' && input.verdict !== 'reject') throw memberError('verdict', 'must be approve or reject')
    const rationale = parseRationale(input.rationale, RATIONALE.review)
    const by = parseDecider(input.by)
    const decisionRequestId = parseDecisionRequestId(input.decisionRequestId)
    const { session, dispute, decision } = await lockDisputeContext(rows, input.sessionId)
    const refusal = reviewRefusal({ session, dispute, decision })
    if (dispute === null) throw refusal ?? new ServiceError('dispute_not_found')
    const now = clock.now()
    const verdict = input.verdict === 'approve' ? 'approved' : 'rejected'
    const blob = rationaleBlob({ disputeId: dispute.disputeId, verdict, workerPayoutRaw: null, rationale })
    if (refusal !== null) {
      if (isSameRequest(decision, { source: 'reviewer', verdict, by, decisionRequestId, blob })) return { round: dispute.round }
      throw refusal
    }
    const reasoningHash = await storeContent(rows, {
      contentType: 'dispute_rationale',
      payload: blob,
      owners: [dispute.claimant, by],
      at: now,
    })
    const verificationId = `review/${dispute.disputeId}/${dispute.round}`
    await storeHumanVerdict(rows, session, { id: verificationId, verdict, rationale, by, at: now, reasoningHash, publicBaseUrl })
    const reasonCode = verdictCode(verdict)
    await insertDecision(rows, dispute.disputeId, {
      round: dispute.round,
      source: 'reviewer',
      verdict,
      reasonCode,
      workerPayoutRaw: null,
      payoutSource: null,
      reasoningHash,
      verificationId,
      decidedBy: by,
      decisionRequestId,
      decidedAt: now,
      preparation: null,
      observed: null,
    })
    const humanReview = { verdict, reasonCode, by, at: iso(now), reasoningHash }
    await rows.updateTable('session').set({ humanReview }).where('sessionId', '=', session.sessionId).execute()
    await appendEntry(rows, dispute.disputeId, {
      at: now,
      actor: by,
      action: 'verdict_submitted',
      data: { verdict, reasonCode, reasoningHash },
    })
    return { round: dispute.round }
  }

  return {
    recordArbitration: (input) => database.transaction((rows) => arbitrate(rows, input)),
    recordHumanVerdict: (input) => database.transaction((rows) => review(rows, input)),

    recordLaterVerdict: ({ sessionId, verdictId }) =>
      database.transaction(async (rows) => {
        const { session, dispute, decision } = await lockDisputeContext(rows, sessionId)
        const verdict = await findVerdict(rows, verdictId)
        if (dispute === null || verdict?.sessionId !== sessionId || reviewRefusal({ session, dispute, decision }) !== null) return false
        const { outcome, reasonCode, handler } = verdict
        if (outcome !== 'approved' && outcome !== 'rejected') return false
        const decidedBy = `system:${handler}`
        const none = {
          workerPayoutRaw: null,
          payoutSource: null,
          reasoningHash: null,
          decisionRequestId: null,
          preparation: null,
          observed: null,
        }
        const taken = { round: dispute.round, source: 'verifier' as const, verdict: outcome, reasonCode, ...none }
        await insertDecision(rows, dispute.disputeId, { ...taken, verificationId: verdictId, decidedBy, decidedAt: clock.now() })
        const data = { verdict: outcome, reasonCode }
        await appendEntry(rows, dispute.disputeId, { at: clock.now(), actor: decidedBy, action: 'verdict_submitted', data })
        return true
      }),

    decisionAnswer: async ({ sessionId, round }): Promise<DecisionAnswer> => {
      const [session, dispute] = await Promise.all([getSession(database.rows, sessionId), findDisputeOfSession(database.rows, sessionId)])
      if (dispute === null) throw new ServiceError('dispute_not_found')
      const decision = await findDecision(database.rows, { ...dispute, round })
      if (decision === null) throw new Error(`round ${round} of ${dispute.disputeId} is not decided`)
      const { observed } = decision
      // The session ended as diverged, and an operator closes it.
      if (observed === null && hasDiverged(session))
        throw new ServiceError('chain_state_diverged', { details: { sessionId, status: session.status } })
      if (observed === null) return { round, state: decisionState(decision, arbitrator !== null), status: session.status }
      // The chain ended the dispute another way before this decision reached it.
      if (observed.mismatch)
        throw new ServiceError('dispute_already_decided', {
          details: { verdict: observed.verdict, decidedAt: observed.at, txHash: observed.txHash },
        })
      return { round, state: 'settled', status: session.status }
    },
  }
}
