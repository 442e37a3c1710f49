import type { Hex } from 'viem'
import { iso } from '../../domain/common/instants.ts'
import { isOverruled } from '../../domain/disputes/outcome.ts'
import { verdictCode, verdictForPayout } from '../../domain/settlement/award.ts'
import { deciderOf } from '../../domain/verification/deciders.ts'
import type { RoundDecision } from '../../schemas/disputes/record.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import type { ChainReads } from '../chain/reads.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { Database, Rows } from '../database/database.ts'
import { getSession } from '../sessions/records.ts'
import type { FindExecutedVerdict } from '../settlement/chain-steps.ts'
import type { Ending, Endings, Settled } from '../settlement/endings.ts'
import type { RecordPaid } from '../settlement/payments.ts'
import type { createSettlements } from '../settlement/records.ts'
import { findVerdict, latestVerdict, type StoredVerdict } from '../verification/records.ts'
import { createDisputeOpenings } from './openings.ts'
import { findDecision, findDisputeOfSession } from './rows.ts'
import { endRound, type RoundEnd, resolutionPatch } from './writes.ts'

interface Deps {
  database: Database
  reads: Pick<ChainReads, 'escrowJob'>
  /** Address of the arbitrator key this process holds; null without one. */
  arbitrator: string | null
  settlements: ReturnType<typeof createSettlements>
  endings: Endings
  recordPaid: RecordPaid
  findExecutedVerdict: FindExecutedVerdict
}

/** Records how an escrow job ended, whichever caller closed it. The closing transaction decides. */
export const createDisputeEndings = ({ database, reads, arbitrator, settlements, endings, recordPaid, findExecutedVerdict }: Deps) => {
  const openings = createDisputeOpenings({ database, arbitrator })

  const createRoundEnd = (settled: Settled, verdict: RoundVerdict, payoutRaw: bigint, by: string, reasonCode: string): RoundEnd => ({
    observed: { verdict, workerPayoutRaw: payoutRaw.toString(), by, txHash: settled.txHash, at: iso(settled.blockTime) },
    reasonCode,
  })

  const decisionOf = async (session: SessionRecord): Promise<RoundDecision | null> => {
    const dispute = await findDisputeOfSession(database.rows, session.sessionId)
    return dispute === null ? null : findDecision(database.rows, dispute)
  }

  const disputeWrites = (session: SessionRecord, end: RoundEnd, decision: RoundDecision | null) => ({
    patch: resolutionPatch(session, end, decision),
    writeRows: (rows: Rows): Promise<void> => endRound(rows, session, end),
  })

  const recordPaidEnd = async (
    session: SessionRecord,
    settled: Settled,
    { by, payoutRaw }: Extract<Ending, { kind: 'paid' }>,
  ): Promise<void> => {
    const dispute = await findDisputeOfSession(database.rows, session.sessionId)
    const decision = dispute === null ? null : await findDecision(database.rows, dispute)
    const verdict = verdictForPayout(payoutRaw, dispute?.remainingRaw ?? session.economics.rewardRaw)
    const outcome = { verdict, workerPayoutRaw: payoutRaw.toString() }
    const code = decision === null || isOverruled(decision, outcome) ? verdictCode(verdict) : decision.reasonCode
    const end = createRoundEnd(settled, verdict, payoutRaw, by, code)
    await recordPaid(
      session,
      settled,
      { code, decidedBy: 'person', verifier: by, reputation: 'dispute_won' },
      null,
      disputeWrites(session, end, decision),
    )
  }

  const recordApproval = async (session: SessionRecord, settled: Settled, by: string): Promise<void> => {
    const decision = await decisionOf(session)
    const ours =
      decision?.verificationId == null
        ? await latestVerdict(database.rows, session.sessionId)
        : await findVerdict(database.rows, decision.verificationId)
    const verdict = await findExecutedVerdict(session, 'approved', ours)
    const code = verdict.reasonCode
    const payout = endings.findPayout(session, settled)
    const end = createRoundEnd(settled, 'approved', BigInt(payout?.settlement.workerAmountRaw ?? 0), by, code)
    const reason = { code, decidedBy: deciderOf(verdict), verifier: by, reputation: 'approval_level_1' } as const
    await recordPaid(session, settled, reason, verdict, session.status === 'disputed' ? disputeWrites(session, end, decision) : {})
  }

  const recordUpheld = async (session: SessionRecord, settled: Settled, by: string): Promise<void> => {
    const end = createRoundEnd(settled, 'upheld', 0n, by, verdictCode('upheld'))
    await settlements.recordDisputeLost({
      session,
      txHash: settled.txHash,
      at: settled.blockTime,
      ...disputeWrites(session, end, await decisionOf(session)),
    })
  }

  const recordTimeout = async (
    session: SessionRecord,
    settled: Settled,
    { by, payoutRaw }: Extract<Ending, { kind: 'timeout' }>,
  ): Promise<void> => {
    const end = createRoundEnd(settled, 'timeout', payoutRaw, by, verdictCode('timeout'))
    await settlements.recordArbiterTimeout({
      session,
      payout: endings.findPayout(session, settled),
      txHash: settled.txHash,
      at: settled.blockTime,
      ...disputeWrites(session, end, await decisionOf(session)),
    })
  }

  const recordFinalized = async (session: SessionRecord, settled: Settled): Promise<void> => {
    const { txHash, blockTime } = settled
    await settlements.finalize(session, { txHash, finalizedAt: iso(blockTime) })
  }

  /** Hash of the transaction that rejected the submission. */
  const getRejectionHash = async (session: SessionRecord): Promise<Hex> => {
    const txHash = await endings.findRejection(session)
    if (txHash !== null) return txHash
    throw new BlockedStepError('chain_state_diverged', `${session.sessionId} is rejected on chain, but no event explains it yet`)
  }

  /**
   * Records the rejection of a reviewer (`ours`) or one made directly on chain, which overrides ours. It ends the round of a review and starts
   * the dispute window.
   */
  const recordRejection = async (session: SessionRecord, ours: StoredVerdict | null, at: number): Promise<void> => {
    const verdict = await findExecutedVerdict(session, 'rejected', ours)
    const txHash = await getRejectionHash(session)
    const decision = await decisionOf(session)
    const by = decision?.verdict === 'rejected' ? decision.decidedBy : 'chain'
    const observed = { verdict: 'rejected', workerPayoutRaw: '0', by, txHash, at: iso(at) } as const
    const writeRows = (rows: Rows): Promise<void> => endRound(rows, session, { observed, reasonCode: verdict.reasonCode })
    await settlements.recordRejected({ session, verdict, at, txHash, writeRows })
  }

  /** Records that a reorganisation removed the participants' dispute. A decision of the round is closed as not executed. */
  const recordRevertedDispute = async (session: SessionRecord, rejectedAt: number, at: number): Promise<void> => {
    const decision = await decisionOf(session)
    if (decision === null) return openings.revertDispute(session, rejectedAt, at, null)
    const verdict = await latestVerdict(database.rows, session.sessionId)
    const txHash = await getRejectionHash(session)
    const observed = { verdict: 'rejected', workerPayoutRaw: '0', by: 'chain', txHash, at: iso(at) } as const
    await openings.revertDispute(session, rejectedAt, at, { observed, reasonCode: verdict?.reasonCode ?? verdictCode('rejected') })
  }

  /** Records the dispute of a rejection. `rewardRaw` is the reward in the escrow, base units. */
  const recordDispute = async (session: SessionRecord, rewardRaw: bigint): Promise<void> => {
    const opened = await endings.findDisputeOpening(session)
    if (opened === null)
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} is disputed on chain, but no event explains it yet`)
    await openings.openFromRejection(session, { ...opened, rewardRaw })
  }

  /** Records that a session in review is disputed on chain; does nothing if the record has it. */
  const recordArbitrationOfReview = async (session: SessionRecord, disputedAt: number): Promise<void> => {
    const dispute = await findDisputeOfSession(database.rows, session.sessionId)
    if (dispute?.stage !== 'review') return
    const ours = dispute.origin === 'platform' || (await findDecision(database.rows, dispute)) !== null
    await openings.startArbitration(session, disputedAt, ours ? 'platform' : 'participant')
  }

  /** Records the steps before an ending that the service missed. */
  const catchUp = async (session: SessionRecord, ending: Ending): Promise<SessionRecord> => {
    const { rejectedAt, disputedAt, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
    if (session.status === 'rejected' && ending.kind !== 'finalized' && disputedAt !== null) await recordDispute(session, rewardRaw)
    // An arbitrator who signs a prepared verdict may be faster than our record of the dispute.
    if (session.status === 'disputed' && disputedAt !== null) await recordArbitrationOfReview(session, disputedAt)
    if (session.status !== 'rejected' && ending.kind === 'finalized' && rejectedAt !== null)
      await recordRejection(session, await latestVerdict(database.rows, session.sessionId), rejectedAt)
    return getSession(database.rows, session.sessionId)
  }

  return {
    recordRejection,
    recordDispute,
    recordRevertedDispute,
    recordArbitrationOfReview,

    /** Records how the job ended. A dispute that was opened and decided between two reads is recorded as both. */
    record: async (before: SessionRecord, settled: Settled): Promise<void> => {
      const ending = endings.parseEnding(settled.receipt, before.chainJobId as Hex)
      const session = await catchUp(await getSession(database.rows, before.sessionId), ending)
      switch (ending.kind) {
        case 'paid':
          return recordPaidEnd(session, settled, ending)
        case 'approved':
          return recordApproval(session, settled, ending.by)
        case 'upheld':
          return recordUpheld(session, settled, ending.by)
        case 'timeout':
          return recordTimeout(session, settled, ending)
        case 'finalized':
          return recordFinalized(session, settled)
      }
    },
  }
}
