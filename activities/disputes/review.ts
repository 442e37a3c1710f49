import { iso } from '../../domain/common/instants.ts'
import { rationaleBlob } from '../../domain/disputes/evidence.ts'
import { memberError, parseDecider, parseDecisionRequestId, parseRationale } from '../../domain/disputes/operator-input.ts'
import { isSameRequest, reviewRefusal } from '../../domain/disputes/stage.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type { ReviewInput, SessionDecision } from '../../schemas/disputes/process.ts'
import { RATIONALE } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { storeHumanVerdict } from '../verification/human-verdict.ts'
import { findVerdict } from '../verification/records.ts'
import { type DecisionDeps, lockDisputeContext } from './context.ts'
import { EMPTY_DECISION } from './rows.ts'
import { submitDecision } from './writes.ts'

/** Records a reviewer's verdict. */
export const recordReview = async (
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
export const recordLaterVerdict = async (
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
