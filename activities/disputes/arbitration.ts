import { assetAmount } from '../../domain/common/money.ts'
import { rationaleBlob } from '../../domain/disputes/evidence.ts'
import { memberError, parseDecider, parseDecisionRequestId, parsePayoutRaw, parseRationale } from '../../domain/disputes/operator-input.ts'
import { arbitratedPayout } from '../../domain/disputes/payout.ts'
import { arbitrationRefusal, isSameRequest } from '../../domain/disputes/stage.ts'
import { describeVerdictError, parseVerdict } from '../../domain/disputes/verdict-names.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type { ArbitrationInput, SessionDecision } from '../../schemas/disputes/process.ts'
import { RATIONALE, type RoundDecision } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { type DecisionDeps, lockDisputeContext } from './context.ts'
import { EMPTY_DECISION, insertDecision, updateArbitrator, updateDecision } from './rows.ts'
import { preparationOf } from './signatures.ts'

/** Records an arbitrator's verdict. It may replace one that waits for a signature. */
export const recordArbitration = async (
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
  const { payoutRaw, source } = arbitratedPayout(verdict, amount, remainingRaw)
  const owners = [claimant, by, ...(respondent === null ? [] : [respondent])]
  const reasoningHash = await storeContent(rows, { contentType: 'dispute_rationale', payload: blobOf(payoutRaw), owners, at: now })
  const unsigned = arbitrator === null && verdict !== 'timeout'
  const preparation = unsigned ? preparationOf(prepare(session, { verdict, payoutRaw, reasoningHash }), now) : null
  const decided: RoundDecision = {
    ...EMPTY_DECISION,
    round,
    source: 'arbitrator',
    verdict,
    reasonCode: verdictCode(verdict),
    workerPayoutRaw: payoutRaw,
    payoutSource: source,
    reasoningHash,
    decidedBy: by,
    decisionRequestId,
    decidedAt: now,
    preparation,
  }
  if (decision === null) await insertDecision(rows, disputeId, decided)
  else await updateDecision(rows, dispute, decided)
  const prepared = preparation !== null && { preparationId: preparation.preparationId }
  await appendEntry(rows, disputeId, {
    at: now,
    actor: by,
    action: decision === null ? 'verdict_submitted' : 'verdict_superseded',
    data: { verdict, workerPayout: assetAmount(payoutRaw, asset), reasoningHash, ...prepared },
  })
  return { round }
}
