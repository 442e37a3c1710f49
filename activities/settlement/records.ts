import { sql, type Updateable } from 'kysely'
import { assetAmount } from '../../domain/common/money.ts'
import type { ReputationKind } from '../../domain/reputation/scores.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Payout, SessionRecord } from '../../schemas/sessions/record.ts'
import { touchCatalogue } from '../catalogue/jobs.ts'
import type { ClaimStepDeps } from '../claims/step.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { insertReceipt, type ReceiptRow } from '../receipts/records.ts'
import { badgeRow } from '../reputation/badges.ts'
import { appendReputation } from '../reputation/ledger.ts'
import { findDisputePeriod } from '../sessions/dispute.ts'
import { withMove } from '../sessions/records.ts'
import { recordContentVerdict } from '../sessions/submission-content.ts'
import { type StoredVerdict, summaryOf } from '../verification/records.ts'
import { announceRelease } from './release-event.ts'

/** Writes that a dispute adds to a terminal record in the same transaction: session columns, and its own rows with their events. */
export interface ExtraWrites {
  patch?: Updateable<Tables['session']>
  writeRows?: (rows: Rows) => Promise<void>
}

export interface Resolved extends ExtraWrites {
  session: SessionRecord
  verdict: StoredVerdict | null
  payout: Payout
  badge: Record<string, unknown>
  receipt: ReceiptRow
  reasonCode: string
  at: number
  reputation: Extract<ReputationKind, 'approval_level_1' | 'dispute_won'>
}

const reward = (session: SessionRecord) => ({ rewardRaw: session.economics.rewardRaw, decimals: session.economics.asset.decimals })
const verdictColumns = (verdict: StoredVerdict) => ({ verificationId: verdict.id, verificationSummary: { ...summaryOf(verdict) } })

/** A dispute that the worker lost, or that the contract's time-out ended. `at` in epoch ms. */
interface DisputeEnd extends Required<ExtraWrites> {
  session: SessionRecord
  receipt: ReceiptRow
  txHash: string
  at: number
}

interface Rejected extends Pick<ExtraWrites, 'writeRows'> {
  session: SessionRecord
  verdict: StoredVerdict
  /** Transaction that ended a human review; it pays the worker nothing. */
  txHash?: string
  at: number
}

/** What other subjects write in the transaction that ends a session, as its last part: the file states all the rest. */
export interface SessionEnd {
  writeDisputeFile: (rows: Rows, sessionId: string) => Promise<void>
  /** Begins to track what a paid session delivered. */
  trackDelivery: (rows: Rows, session: SessionRecord) => Promise<void>
}

/** Writes terminal records, each in one transaction with event, badge and ledger entry. A repeat changes nothing. */
export const createSettlements = ({
  database,
  chain,
  clock,
  writeDisputeFile,
  trackDelivery,
}: Pick<ClaimStepDeps, 'database' | 'chain' | 'clock'> & SessionEnd) => {
  /** What a payout gave the worker; zero without one. */
  const paidBy = (payout: Payout | null) => assetAmount(BigInt(payout?.settlement.workerAmountRaw ?? 0), chain.asset)

  const insertBadge = async (rows: Rows, badge: Resolved['badge']): Promise<void> => {
    await rows
      .insertInto('badge')
      .values(badgeRow(badge))
      .onConflict((conflict) => conflict.column('sessionId').doNothing())
      .execute()
  }

  const announceResolved = async (rows: Rows, { session, payout, reasonCode, at }: Resolved): Promise<void> => {
    const place = { txHash: payout.txHash, blockNumber: BigInt(payout.blockNumber), at, recordedAt: clock.now() }
    await emit(rows, {
      ...sessionSubject(session),
      ...place,
      topic: 'settlement.session_resolved',
      data: { status: 'resolved', reasonCode, workerPayout: paidBy(payout) },
    })
    const dispute = await findDisputePeriod(rows, session.sessionId)
    await announceRelease(rows, session, { ...place, action: 'return-to-depositor' }, dispute)
  }

  return {
    /** Makes a rejection final after its window; the penalties apply now. A repeat changes nothing. */
    finalize: (session: SessionRecord, end: { txHash: string; at: number; receipt: ReceiptRow }): Promise<void> =>
      database.transaction(async (rows) => {
        const { sessionId, wallet } = session
        const { txHash, at, receipt } = end
        const stamped = await rows
          .updateTable('session')
          .set({
            rejectionFinalizedAt: at,
            chainState: 'closed',
            workReceiptId: receipt.receiptId,
            updatedAt: at,
            version: sql<number>`version + 1`,
          })
          .where('sessionId', '=', sessionId)
          .where('status', '=', 'rejected')
          .where('rejectionFinalizedAt', 'is', null)
          .returning('sessionId')
          .executeTakeFirst()
        if (stamped === undefined) return
        await insertReceipt(rows, receipt)
        await appendReputation(rows, { wallet, sessionId, kind: 'rejection_final', reward: reward(session), at })
        await recordContentVerdict(rows, session, 'fail')
        await announceRelease(rows, session, { action: 'slash-to-treasury', txHash, at, recordedAt: clock.now() }, null)
        await writeDisputeFile(rows, sessionId)
        await touchCatalogue(rows)
      }),

    recordResolved: async (resolved: Resolved): Promise<void> => {
      const { session, verdict, payout, receipt, reasonCode, at, reputation } = resolved
      const { sessionId, wallet } = session
      const handler = verdict?.handler ?? 'arbitration'
      const { receiptId } = receipt
      const metadata = { outcome: 'approved', reasonCode, handler, workerPayout: paidBy(payout), txHash: payout.txHash, receiptId }
      const columns = { payoutTx: payout, workReceiptId: receiptId, ...(verdict && verdictColumns(verdict)) }
      const patch = { chainState: 'closed', ...columns, ...resolved.patch } as const
      await withMove(
        database,
        { sessionId, to: 'resolved', reason: reasonCode, at, recordedAt: clock.now(), metadata, patch },
        async (rows) => {
          await insertReceipt(rows, receipt)
          await insertBadge(rows, resolved.badge)
          await appendReputation(rows, { wallet, sessionId, kind: reputation, reward: reward(session), at })
          await recordContentVerdict(rows, session, 'pass')
          await announceResolved(rows, resolved)
          await resolved.writeRows?.(rows)
          await trackDelivery(rows, session)
          await writeDisputeFile(rows, sessionId)
        },
      )
    },

    recordRejected: async ({ session, verdict, at, txHash, writeRows }: Rejected): Promise<void> => {
      const { outcome, reasonCode, handler } = verdict
      const patch = { chainState: 'rejected', ...verdictColumns(verdict) } as const
      const move = {
        sessionId: session.sessionId,
        to: 'rejected',
        reason: reasonCode,
        at,
        recordedAt: clock.now(),
        metadata: { outcome, reasonCode, handler, ...(txHash !== undefined && { workerPayout: paidBy(null), txHash }) },
        patch,
      } as const
      await withMove(database, move, async (rows) => {
        await emit(rows, {
          ...sessionSubject(session),
          topic: 'settlement.session_rejected',
          at,
          recordedAt: clock.now(),
          data: { status: 'rejected', reasonCode },
        })
        await writeRows?.(rows)
      })
    },

    recordDisputeLost: async ({ session, receipt, txHash, at, ...extra }: DisputeEnd): Promise<void> => {
      const { sessionId, wallet } = session
      const patch = { chainState: 'closed', rejectionFinalizedAt: at, workReceiptId: receipt.receiptId, ...extra.patch } as const
      const move = {
        sessionId,
        to: 'rejected',
        reason: 'DISPUTE_LOST',
        at,
        recordedAt: clock.now(),
        since: session.timestamps.rejectedAt ?? at,
        metadata: { workerPayout: paidBy(null), txHash, receiptId: receipt.receiptId },
        patch,
      } as const
      await withMove(database, move, async (rows) => {
        await insertReceipt(rows, receipt)
        await appendReputation(rows, { wallet, sessionId, kind: 'dispute_lost', reward: reward(session), at })
        await recordContentVerdict(rows, session, 'fail')
        await extra.writeRows(rows)
        await writeDisputeFile(rows, sessionId)
      })
    },

    recordArbiterTimeout: async ({
      session,
      receipt,
      payout,
      txHash,
      at,
      ...extra
    }: DisputeEnd & { payout: Payout | null }): Promise<void> => {
      const metadata = { workerPayout: paidBy(payout), txHash, receiptId: receipt.receiptId }
      const patch = { chainState: 'closed', payoutTx: payout, workReceiptId: receipt.receiptId, ...extra.patch } as const
      const move = {
        sessionId: session.sessionId,
        to: 'closed',
        reason: 'ARB_TIMEOUT',
        at,
        recordedAt: clock.now(),
        metadata,
        patch,
      } as const
      await withMove(database, move, async (rows) => {
        await insertReceipt(rows, receipt)
        await extra.writeRows(rows)
        await writeDisputeFile(rows, session.sessionId)
      })
    },
  }
}
