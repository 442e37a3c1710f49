import { iso } from '../../domain/instants.ts'
import type { ReputationKind } from '../../domain/reputation.ts'
import type { ChainFile } from '../../schemas/chain-file.ts'
import type { RejectionEnd, SessionOutcome } from '../../schemas/processes/claim-session.ts'
import type { SessionRecord } from '../../schemas/session-record.ts'
import type { PayoutSettlement } from '../chain/escrow-events.ts'
import type { Clock } from '../clock.ts'
import { touchCatalogue } from './catalogue.ts'
import type { Database, Rows } from './database.ts'
import { emit } from './events.ts'
import { appendReputation } from './reputation.ts'
import { moveSession, needSession } from './sessions.ts'
import { findVerdict, type StoredVerdict, summaryOf } from './verifications.ts'

export interface SettlementRecordDeps {
  database: Database
  chain: ChainFile
  clock: Clock
}

/** Payout receipt stored with the terminal status. */
export interface Payout {
  txHash: string
  blockNumber: string
  status: 1
  settlement: PayoutSettlement & { brokered: boolean; waived: boolean }
}

interface Resolved {
  session: SessionRecord
  verdict: StoredVerdict | null
  payout: Payout
  badge: Record<string, unknown>
  reasonCode: string
  at: number
  reputation: Extract<ReputationKind, 'approval_level_1' | 'dispute_won'>
}

const about = (session: SessionRecord) => ({ wallets: [session.wallet], jobId: session.jobId, sessionId: session.sessionId })
const reward = (session: SessionRecord) => ({ rewardRaw: session.economics.rewardRaw, decimals: session.economics.asset.decimals })
const chainJob = (session: SessionRecord) => session.chainJobId

/** Terminal records: each in one transaction with its event, badge and ledger entry; a repeat finds the work done. */
export const createSettlements = ({ database, chain, clock }: SettlementRecordDeps) => {
  const insertBadge = async (rows: Rows, { session, badge, at }: Resolved): Promise<void> => {
    await rows
      .insertInto('badge')
      .values({
        sessionId: session.sessionId,
        jobId: session.jobId,
        worker: session.wallet,
        category: session.badgeSnapshot.category,
        level: 1,
        evidenceHash: session.evidenceHash ?? '',
        chainJobId: chainJob(session),
        issuedAt: at,
        document: badge,
      })
      .onConflict((conflict) => conflict.column('sessionId').doNothing())
      .execute()
  }

  const announceResolved = (rows: Rows, { session, payout, reasonCode, at }: Resolved): Promise<void> => {
    const lockRaw = (session.economics.claimStakeRaw + session.economics.claimFeeRaw).toString()
    const common = { ...about(session), txHash: payout.txHash, blockNumber: BigInt(payout.blockNumber), at }
    return emit(
      rows,
      {
        ...common,
        topic: 'settlement.session_resolved',
        data: { status: 'resolved', reasonCode, asset: chain.asset.symbol, workerAmountRaw: payout.settlement.workerAmountRaw },
      },
      {
        ...common,
        topic: 'settlement.stake_release_recorded',
        data: {
          jobId: session.jobId,
          chainJobId: chainJob(session),
          amount: lockRaw,
          action: 'return-to-depositor',
          chainStatus: 'confirmed',
        },
      },
    )
  }

  return {
    /** Block from which this session's terminal event can only come after. */
    claimBlock: async (sessionId: string): Promise<bigint> => {
      const row = await database.rows
        .selectFrom('session')
        .select('claimBlock')
        .where('sessionId', '=', sessionId)
        .executeTakeFirstOrThrow()
      return BigInt(row.claimBlock ?? 0)
    },

    posterOf: async (sessionId: string): Promise<string | null> => {
      const row = await database.rows.selectFrom('session').select('poster').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
      return row.poster
    },

    recordResolved: (resolved: Resolved): Promise<void> =>
      database.transaction(async (rows) => {
        const { session, verdict, payout, reasonCode, at, reputation } = resolved
        const moved = await moveSession(rows, {
          sessionId: session.sessionId,
          to: 'resolved',
          reason: reasonCode,
          at,
          metadata: { outcome: 'approved', reasonCode, handler: verdict?.handler ?? 'arbitration', txHash: payout.txHash },
          patch: {
            chainState: 'closed',
            payoutTx: { ...payout },
            ...(verdict && { verificationId: verdict.id, verificationSummary: { ...summaryOf(verdict) } }),
          },
        })
        if (!moved) return
        await insertBadge(rows, resolved)
        await appendReputation(rows, {
          wallet: session.wallet,
          sessionId: session.sessionId,
          kind: reputation,
          reward: reward(session),
          at,
        })
        await announceResolved(rows, resolved)
      }),

    recordRejected: ({ session, verdict, at }: { session: SessionRecord; verdict: StoredVerdict; at: number }): Promise<void> =>
      database.transaction(async (rows) => {
        const moved = await moveSession(rows, {
          sessionId: session.sessionId,
          to: 'rejected',
          reason: verdict.reasonCode,
          at,
          metadata: { outcome: verdict.outcome, reasonCode: verdict.reasonCode, handler: verdict.handler },
          patch: { chainState: 'rejected', verificationId: verdict.id, verificationSummary: { ...summaryOf(verdict) } },
        })
        if (moved)
          await emit(rows, {
            ...about(session),
            topic: 'settlement.session_rejected',
            at,
            data: { status: 'rejected', reasonCode: verdict.reasonCode },
          })
      }),

    /** A verdict that people must complete: the escrow stays Submitted, the worker loses nothing. */
    recordReview: ({ sessionId, verdictId }: { sessionId: string; verdictId: string }): Promise<void> =>
      database.transaction(async (rows) => {
        const [session, verdict] = [await needSession(rows, sessionId), await findVerdict(rows, verdictId)]
        if (verdict === null) throw new Error(`verdict ${verdictId} is gone`)
        const platform = verdict.outcome !== 'disputed'
        const moved = await moveSession(rows, {
          sessionId,
          to: 'disputed',
          reason: verdict.outcome === 'platform_fault' ? 'platform_fault' : verdict.reasonCode,
          at: clock.now(),
          metadata: { outcome: verdict.outcome, reasonCode: verdict.reasonCode, handler: verdict.handler },
          patch: {
            verificationId: verdict.id,
            verificationSummary: { ...summaryOf(verdict) },
            ...(platform && { countsAsAttempt: false }),
          },
        })
        if (moved)
          await emit(rows, {
            ...about(session),
            topic: 'dispute.opened',
            at: clock.now(),
            data: { reasonCode: verdict.reasonCode, chainStatus: 'submitted' },
          })
      }),

    recordRejectionEnd: ({ sessionId, end }: { sessionId: string; end: RejectionEnd }): Promise<SessionOutcome> =>
      database.transaction(async (rows) => {
        const session = await needSession(rows, sessionId)
        if (end.state === 'disputed') {
          await moveSession(rows, {
            sessionId,
            to: 'disputed',
            reason: 'dispute_opened',
            at: Date.parse(end.disputedAt),
            metadata: { origin: 'chain' },
            patch: { chainState: 'disputed' },
          })
          await emit(rows, {
            ...about(session),
            topic: 'dispute.opened',
            at: Date.parse(end.disputedAt),
            data: { chainStatus: 'confirmed' },
          })
          return { sessionId, status: 'disputed' }
        }
        const at = Date.parse(end.finalizedAt)
        await rows
          .updateTable('session')
          .set({ rejectionFinalizedAt: at, chainState: 'closed', updatedAt: at, version: session.version + 1 })
          .where('sessionId', '=', sessionId)
          .where('rejectionFinalizedAt', 'is', null)
          .execute()
        await appendReputation(rows, { wallet: session.wallet, sessionId, kind: 'rejection_final', reward: reward(session), at })
        await touchCatalogue(rows)
        return { sessionId, status: 'rejected' }
      }),

    recordDisputeLost: ({ session, txHash, at }: { session: SessionRecord; txHash: string; at: number }): Promise<void> =>
      database.transaction(async (rows) => {
        const moved = await moveSession(rows, {
          sessionId: session.sessionId,
          to: 'rejected',
          reason: 'DISPUTE_LOST',
          at,
          metadata: { workerPayoutRaw: '0', txHash },
          patch: { chainState: 'closed', rejectionFinalizedAt: at },
        })
        if (!moved) return
        await appendReputation(rows, {
          wallet: session.wallet,
          sessionId: session.sessionId,
          kind: 'dispute_lost',
          reward: reward(session),
          at,
        })
        await emit(rows, {
          ...about(session),
          topic: 'dispute.verdict_recorded',
          txHash,
          severity: 'warn',
          at,
          data: { verdict: 'upheld', reasonCode: 'DISPUTE_LOST', chainStatus: 'confirmed', at: iso(at) },
        })
      }),

    recordArbiterTimeout: ({
      session,
      payout,
      txHash,
      at,
    }: {
      session: SessionRecord
      payout: Payout | null
      txHash: string
      at: number
    }): Promise<void> =>
      database.transaction(async (rows) => {
        const moved = await moveSession(rows, {
          sessionId: session.sessionId,
          to: 'closed',
          reason: 'ARB_TIMEOUT',
          at,
          metadata: { workerPayoutRaw: payout?.settlement.workerAmountRaw ?? '0', txHash },
          patch: { chainState: 'closed', payoutTx: payout === null ? null : { ...payout } },
        })
        if (moved)
          await emit(rows, {
            ...about(session),
            topic: 'dispute.verdict_recorded',
            txHash,
            severity: 'warn',
            at,
            data: { verdict: 'timeout', reasonCode: 'ARB_TIMEOUT', chainStatus: 'confirmed' },
          })
      }),
  }
}
