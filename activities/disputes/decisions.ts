import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { rationaleBlob } from '../../domain/disputes/evidence.ts'
import { memberError, parseDecider, parseDecisionRequestId, parsePayoutRaw, parseRationale } from '../../domain/disputes/operator-input.ts'
import { arbitratedPayout } from '../../domain/disputes/payout.ts'
import { proofRefusal } from '../../domain/disputes/proof.ts'
import { arbitrationRefusal, decisionState, isSameRequest, reviewRefusal } from '../../domain/disputes/stage.ts'
import { describeVerdictError, parseVerdict } from '../../domain/disputes/verdict-names.ts'
import { hasDiverged } from '../../domain/sessions/state-machine.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type { ArbitrationInput, DisputeRecordActivities, ReviewInput, SessionDecision } from '../../schemas/disputes/process.ts'
import { RATIONALE, type RoundDecision } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { getSession } from '../sessions/records.ts'
import { storeHumanVerdict } from '../verification/human-verdict.ts'
import { findVerdict } from '../verification/records.ts'
import { type DecisionDeps, lockDisputeContext } from './context.ts'
import { EMPTY_DECISION, findDecision, findDisputeOfSession, insertDecision, updateArbitrator, updateDecision } from './rows.ts'
import { preparationOf } from './signatures.ts'
import { submitDecision } from './writes.ts'

/** Records an arbitrator's verdict. It may replace one that waits for a signature. */
const recordArbitration = async (
  rows: Rows,
  { clock, arbitrator, prepare }: DecisionDeps,
  input: SessionDecision<ArbitrationInput>,
): Promise<{ round: number }> => {
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
  const { disputeId, round, claimant, respondent, remainingRaw } = dispute
  const amount = parsePayoutRaw(input.workerPayout)
  const { asset } = session.economics
  const blobOf = (payout: bigint) => rationaleBlob({ disputeId, verdict, workerPayout: assetAmount(payout, asset), rationale })
  if (refusal !== null) {
    const blob = blobOf(amount ?? decision?.workerPayoutRaw ?? 0n)
    if (isSameRequest(decision, { source: 'arbitrator', verdict, by, decisionRequestId, blob })) return { round }
    throw refusal
  }
  const { payoutRaw, source } = arbitratedPayout(verdict, amount, remainingRaw, dispute.isProofGated)
  const unproven = proofRefusal({ ...dispute, arbitrator }, { verdict, payoutRaw })
  if (unproven !== null) throw unproven
  const owners = [claimant, by, ...(respondent === null ? [] : [respondent])]
  const reasoningHash = await storeContent(rows, { contentType: 'dispute_rationale', payload: blobOf(payoutRaw), owners, at: now })
  const unsigned = arbitrator === null && verdict !== 'timeout'
  const preparation = unsigned ? preparationOf(prepare(session, { verdict, payoutRaw, reasoningHash }), now) : null
  const identity = { round, source: 'arbitrator', decidedBy: by, decisionRequestId, decidedAt: now } as const
  const judgement = { verdict, reasonCode: verdictCode(verdict), workerPayoutRaw: payoutRaw, payoutSource: source }
  const decided: RoundDecision = { ...EMPTY_DECISION, ...identity, ...judgement, reasoningHash, preparation }
  if (decision === null) await insertDecision(rows, disputeId, decided)
  else await updateDecision(rows, dispute, decided)
  const action = decision === null ? 'verdict_submitted' : 'verdict_superseded'
  const prepared = preparation !== null && { preparationId: preparation.preparationId }
  const data = { verdict, workerPayout: assetAmount(payoutRaw, asset), reasoningHash, ...prepared }
  await appendEntry(rows, disputeId, { at: now, actor: by, action, data })
  return { round }
}

/** Records a reviewer's verdict. */
const recordReview = async (
  rows: Rows,
  { clock, publicBaseUrl }: DecisionDeps,
  input: SessionDecision<ReviewInput>,
): Promise<{ round: number }> => {
  if (input.verdict !== 'approve' && input.verdict !== 'reject') throw memberError('verdict', 'must be approve or reject')
  const rationale = parseRationale(input.rationale, RATIONALE.review)
  const by = parseDecider(input.by)
  const decisionRequestId = parseDecisionRequestId(input.decisionRequestId)
  const { session, dispute, decision } = await lockDisputeContext(rows, input.sessionId)
  const refusal = reviewRefusal({ session, dispute, decision })
  if (dispute === null) throw refusal ?? new ServiceError('dispute_not_found')
  const { disputeId, round, claimant } = dispute
  const now = clock.now()
  const verdict = input.verdict === 'approve' ? 'approved' : 'rejected'
  const blob = rationaleBlob({ disputeId, verdict, workerPayout: null, rationale })
  if (refusal !== null) {
    if (isSameRequest(decision, { source: 'reviewer', verdict, by, decisionRequestId, blob })) return { round }
    throw refusal
  }
  if (dispute.isProofGated && verdict === 'approved') throw new ServiceError('dispute_proof_required', { details: { disputeId, verdict } })
  const reasoningHash = await storeContent(rows, { contentType: 'dispute_rationale', payload: blob, owners: [claimant, by], at: now })
  const verificationId = `review/${disputeId}/${round}`
  await storeHumanVerdict(rows, session, { id: verificationId, verdict, rationale, by, at: now, reasoningHash, publicBaseUrl })
  const reasonCode = verdictCode(verdict)
  const humanReview = { verdict, reasonCode, by, at: iso(now), reasoningHash } as const
  await rows.updateTable('session').set({ humanReview }).where('sessionId', '=', session.sessionId).execute()
  const identity = { round, source: 'reviewer', decidedBy: by, decisionRequestId, decidedAt: now } as const
  const decided = { ...EMPTY_DECISION, ...identity, verdict, reasonCode, reasoningHash, verificationId } as const
  await submitDecision(rows, disputeId, decided, { verdict, reasonCode, reasoningHash })
  return { round }
}

/** Records a verifier's verdict that was given during the review. False if it decides nothing. */
const recordLaterVerdict = async (
  rows: Rows,
  { clock }: DecisionDeps,
  { sessionId, verdictId }: { sessionId: string; verdictId: string },
): Promise<boolean> => {
  const { session, dispute, decision } = await lockDisputeContext(rows, sessionId)
  const found = await findVerdict(rows, verdictId)
  if (dispute === null || found?.sessionId !== sessionId || reviewRefusal({ session, dispute, decision }) !== null) return false
  const { outcome: verdict, reasonCode, handler } = found
  if (verdict !== 'approved' && verdict !== 'rejected') return false
  const identity = { round: dispute.round, source: 'verifier', decidedBy: `system:${handler}`, decidedAt: clock.now() } as const
  const decided = { ...EMPTY_DECISION, ...identity, verdict, reasonCode, verificationId: verdictId }
  await submitDecision(rows, dispute.disputeId, decided, { verdict, reasonCode })
  return true
}

type Decisions = Pick<DisputeRecordActivities, 'recordArbitration' | 'recordHumanVerdict' | 'recordLaterVerdict' | 'decisionAnswer'>

/** Records the decision of a round: one row, and the first insert wins. Chain step and event follow it. */
export const createDisputeDecisions = (deps: DecisionDeps): Decisions => {
  const { database, arbitrator } = deps
  return {
    recordArbitration: (input) => database.transaction((rows) => recordArbitration(rows, deps, input)),
    recordHumanVerdict: (input) => database.transaction((rows) => recordReview(rows, deps, input)),
    recordLaterVerdict: (input) => database.transaction((rows) => recordLaterVerdict(rows, deps, input)),

    decisionAnswer: async ({ sessionId, round }) => {
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
