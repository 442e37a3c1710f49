import { verdictCode } from '../../domain/settlement/award.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RecordDeps } from '../database/database.ts'
import type { createSettlementParts } from '../settlement/chain-steps.ts'
import { latestVerdict, type StoredVerdict } from '../verification/records.ts'
import type { createDisputeOpenings } from './openings.ts'
import { findDecision, findDecisionOfSession, findDisputeOfSession } from './rows.ts'
import { createRoundEnd, endRound } from './writes.ts'

type Deps = Pick<ReturnType<typeof createSettlementParts>, 'settlements' | 'endings' | 'findExecutedVerdict'> &
  RecordDeps & { openings: ReturnType<typeof createDisputeOpenings> }

/** Records rejections and disputes that the chain shows, whichever caller sent them. `at` and other instants in epoch ms. */
export const createChainChanges = ({ database, clock, openings, settlements, endings, findExecutedVerdict }: Deps) => ({
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
export type ChainChanges = ReturnType<typeof createChainChanges>
