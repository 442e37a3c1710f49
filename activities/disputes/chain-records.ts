import type { Hex } from 'viem'
import { disputeId } from '../../domain/common/ids.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { finalVerdict, isOverruled, kindOfRound } from '../../domain/disputes/outcome.ts'
import { resolutionOfVerdict, workerShareBps } from '../../domain/sessions/resolution.ts'
import { verdictCode, verdictForPayout } from '../../domain/settlement/award.ts'
import type { RoundDecision } from '../../schemas/disputes/record.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { getSession } from '../sessions/records.ts'
import type { createSettlementParts } from '../settlement/chain-steps.ts'
import type { Ending, Settled } from '../settlement/endings.ts'
import { findVerdict, latestVerdict, type StoredVerdict } from '../verification/records.ts'
import type { createDisputeOpenings } from './openings.ts'
import { findDecision, findDecisionOfSession, findDisputeOfSession } from './rows.ts'
import { createRoundEnd, endRound, type RoundEnd } from './writes.ts'

type SettlementParts = ReturnType<typeof createSettlementParts>

type ChangeDeps = RecordDeps &
  Pick<SettlementParts, 'settlements' | 'endings' | 'findExecutedVerdict'> & { openings: ReturnType<typeof createDisputeOpenings> }

/** Records rejections and disputes that the chain shows, whichever caller sent them. `at` and other instants in epoch ms. */
export const createChainChanges = ({ database, clock, openings, settlements, endings, findExecutedVerdict }: ChangeDeps) => ({
  /**
   * Records the rejection of a reviewer (`ours`) or one made directly on chain, which overrides ours. It ends the round of a review and starts
   * the dispute window.
   */
  recordRejection: async (session: SessionRecord, ours: StoredVerdict | null, at: number): Promise<void> => {
    const verdict = await findExecutedVerdict(session, 'rejected', ours)
    const txHash = await endings.getRejection(session)
    const decision = await findDecisionOfSession(database.rows, session.sessionId)
    const by = decision?.verdict === 'rejected' ? decision.decidedBy : 'chain'
    const end = createRoundEnd({ txHash, blockTime: at }, 'rejected', 0n, by, verdict.reasonCode)
    await settlements.recordRejected({ session, verdict, at, txHash, writeRows: (rows) => endRound(rows, session, end, clock.now()) })
  },

  /** Records that a reorganisation removed the participants' dispute. A decision of the round is closed as not executed. */
  recordRevertedDispute: async (session: SessionRecord, rejectedAt: number, at: number): Promise<void> => {
    const decision = await findDecisionOfSession(database.rows, session.sessionId)
    if (decision === null) return openings.revertDispute(session, rejectedAt, at, null)
    const verdict = await latestVerdict(database.rows, session.sessionId)
    const txHash = await endings.getRejection(session)
    const code = verdict?.reasonCode ?? verdictCode('rejected')
    await openings.revertDispute(session, rejectedAt, at, createRoundEnd({ txHash, blockTime: at }, 'rejected', 0n, 'chain', code))
  },

  /** Records the dispute of a rejection. `rewardRaw` is the reward in the escrow, base units. */
  recordDispute: async (session: SessionRecord, rewardRaw: bigint): Promise<void> => {
    await openings.openFromRejection(session, { ...(await endings.getDisputeOpening(session)), rewardRaw })
  },

  /** Records that a session in review is disputed on chain; does nothing if the record has it. */
  recordArbitrationOfReview: async (session: SessionRecord, disputedAt: number): Promise<void> => {
    const dispute = await findDisputeOfSession(database.rows, session.sessionId)
    if (dispute?.stage !== 'review') return
    const ours = dispute.origin === 'platform' || (await findDecision(database.rows, dispute)) !== null
    await openings.startArbitration(session, disputedAt, ours ? 'platform' : 'participant')
  },
})
type ChainChanges = ReturnType<typeof createChainChanges>

export interface EndingDeps extends RecordDeps, Pick<SettlementParts, 'receipts' | 'recordPaid' | 'findExecutedVerdict'> {
  settlements: Pick<SettlementParts['settlements'], 'finalize' | 'recordDisputeLost' | 'recordArbiterTimeout'>
  endings: Pick<SettlementParts['endings'], 'findPayout'>
}

type DisputeEndingDeps = EndingDeps & {
  endings: Pick<SettlementParts['endings'], 'parseEnding'>
  reads: Pick<ChainReads, 'escrowJob'>
  changes: ChainChanges
}

/** Writes for the end of a session's dispute: columns of the session, and the end of the round. */
const disputeWrites = (
  session: SessionRecord,
  end: RoundEnd,
  { decision, remainingRaw, recordedAt }: { decision: RoundDecision | null; remainingRaw?: bigint | undefined; recordedAt: number },
) => {
  const { workerPayoutRaw, txHash, at } = end.observed
  const verdict = finalVerdict(decision, end.observed)
  const disputeResolution = {
    disputeId: disputeId(session.sessionId),
    kind: kindOfRound(decision, { verdict, workerPayoutRaw }),
    verdict,
    workerShareBps: workerShareBps(verdict, BigInt(workerPayoutRaw), remainingRaw ?? session.economics.rewardRaw),
    reasonCode: end.reasonCode,
    workerPayout: assetAmount(BigInt(workerPayoutRaw), session.economics.asset),
    txHash,
    decidedAt: at,
  }
  return { patch: { disputeResolution }, writeRows: (rows: Rows): Promise<void> => endRound(rows, session, end, recordedAt) }
}

/** Records an ending of a session whose earlier steps are recorded. The closing transaction decides. */
export const createEndingRecords = ({ database, clock, settlements, endings, receipts, recordPaid, findExecutedVerdict }: EndingDeps) => {
  const recordAward = async (
    session: SessionRecord,
    settled: Settled,
    { by, payoutRaw }: Extract<Ending, { kind: 'paid' }>,
  ): Promise<void> => {
    const dispute = await findDisputeOfSession(database.rows, session.sessionId)
    const decision = await findDecision(database.rows, dispute)
    const remainingRaw = dispute?.remainingRaw ?? session.economics.rewardRaw
    const verdict = verdictForPayout(payoutRaw, remainingRaw)
    const outcome = { verdict, workerPayoutRaw: payoutRaw.toString() }
    const ours = decision === null || isOverruled(decision, outcome) ? null : decision
    const code = ours?.reasonCode ?? verdictCode(verdict)
    const end = createRoundEnd(settled, verdict, payoutRaw, by, code)
    const writes = disputeWrites(session, end, { decision, remainingRaw, recordedAt: clock.now() })
    const decided = { code, resolution: writes.patch.disputeResolution, rationaleHash: ours?.reasoningHash ?? null }
    const reason = { ...decided, verifier: by, reputation: 'dispute_won' } as const
    await recordPaid(session, settled, reason, null, writes)
  }

  const recordApproval = async (session: SessionRecord, settled: Settled, by: string): Promise<void> => {
    const decision = await findDecisionOfSession(database.rows, session.sessionId)
    const ours =
      decision?.verificationId == null
        ? await latestVerdict(database.rows, session.sessionId)
        : await findVerdict(database.rows, decision.verificationId)
    const verdict = await findExecutedVerdict(session, 'approved', ours)
    const code = verdict.reasonCode
    const payout = endings.findPayout(session, settled)
    const end = createRoundEnd(settled, 'approved', BigInt(payout?.settlement.workerAmountRaw ?? 0), by, code)
    const decided = { code, resolution: resolutionOfVerdict(verdict, 'approved'), rationaleHash: null }
    const reason = { ...decided, verifier: by, reputation: 'approval_level_1' } as const
    const writes = session.status === 'disputed' ? disputeWrites(session, end, { decision, recordedAt: clock.now() }) : {}
    await recordPaid(session, settled, reason, verdict, writes)
  }

  /** Records a dispute that the worker lost, or that the contract's time-out ended. */
  const recordUnwon = async (session: SessionRecord, settled: Settled, ending: Extract<Ending, { kind: 'upheld' | 'timeout' }>) => {
    const { txHash, blockTime: at } = settled
    const end = createRoundEnd(settled, ending.kind, ending.kind === 'timeout' ? ending.payoutRaw : 0n, ending.by, verdictCode(ending.kind))
    const dispute = await findDisputeOfSession(database.rows, session.sessionId)
    const decision = await findDecision(database.rows, dispute)
    const writes = disputeWrites(session, end, { decision, remainingRaw: dispute?.remainingRaw, recordedAt: clock.now() })
    const resolution = writes.patch.disputeResolution
    const { reasonCode } = resolution
    if (ending.kind === 'upheld') {
      const ours = decision?.verdict === 'upheld' ? decision : null
      const decided = { outcome: 'rejected', verdict: null, verifier: ending.by, rationaleHash: ours?.reasoningHash ?? null } as const
      const receipt = await receipts.issue(session, settled, at, { ...decided, reasonCode, resolution, payout: null })
      return settlements.recordDisputeLost({ session, receipt, txHash, at, ...writes })
    }
    const payout = endings.findPayout(session, settled)
    const receipt = await receipts.issueTimeout(session, settled, { reasonCode, resolution, payout })
    return settlements.recordArbiterTimeout({ session, receipt, payout, txHash, at, ...writes })
  }

  const recordFinalRejection = async (session: SessionRecord, settled: Settled): Promise<void> => {
    // A repeat finds the rejection final already.
    if (session.timestamps.rejectionFinalizedAt !== null) return
    const receipt = await receipts.issueRejection(session, settled)
    await settlements.finalize(session, { txHash: settled.txHash, at: settled.blockTime, receipt })
  }

  return async (session: SessionRecord, settled: Settled, ending: Ending): Promise<void> => {
    switch (ending.kind) {
      case 'paid':
        return recordAward(session, settled, ending)
      case 'approved':
        return recordApproval(session, settled, ending.by)
      case 'upheld':
      case 'timeout':
        return recordUnwon(session, settled, ending)
      case 'finalized':
        return recordFinalRejection(session, settled)
    }
  }
}

/**
 * Records how an escrow job ended, whichever caller closed it. A dispute that was opened and decided between two reads is recorded as both.
 */
export const createDisputeEndings = (deps: DisputeEndingDeps) => {
  const { database, reads, changes, endings } = deps
  const recordEnding = createEndingRecords(deps)

  /** Records the steps before an ending that the service missed. */
  const catchUp = async (session: SessionRecord, ending: Ending): Promise<SessionRecord> => {
    const { rejectedAt, disputedAt, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
    if (session.status === 'rejected' && ending.kind !== 'finalized' && disputedAt !== null) await changes.recordDispute(session, rewardRaw)
    // An arbitrator who signs a prepared verdict may be faster than our record of the dispute.
    if (session.status === 'disputed' && disputedAt !== null) await changes.recordArbitrationOfReview(session, disputedAt)
    if (session.status !== 'rejected' && ending.kind === 'finalized' && rejectedAt !== null)
      await changes.recordRejection(session, await latestVerdict(database.rows, session.sessionId), rejectedAt)
    return getSession(database.rows, session.sessionId)
  }

  return async (before: SessionRecord, settled: Settled): Promise<void> => {
    const ending = endings.parseEnding(settled.receipt, before.chainJobId as Hex)
    const session = await catchUp(await getSession(database.rows, before.sessionId), ending)
    await recordEnding(session, settled, ending)
  }
}
