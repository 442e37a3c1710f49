import { iso } from '../../domain/common/instants.ts'
import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import type { DisputeOrigin } from '../../schemas/disputes/stages.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { touchCatalogue } from '../catalogue/jobs.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { closeDispute } from '../sessions/dispute.ts'
import { getSession, withMove } from '../sessions/records.ts'
import { type StoredVerdict, summaryOf } from '../verification/records.ts'
import type { DecisionDeps } from './context.ts'
import { lockDispute } from './rows.ts'
import { endRound, moveToArbitration, openDispute, type RoundEnd, updateOpening } from './writes.ts'

/** A dispute on chain. `at` in epoch ms; `opener` is the participant it was opened for, lower case; `rewardRaw` is the reward in the escrow. */
interface Opened {
  txHash: string
  at: number
  opener: string
  rewardRaw: bigint
}

/**
 * Changes of a session into or out of a dispute. Each is one transaction with dispute, event and entry, and safe to repeat. `at` is in epoch
 * ms, `rewardRaw` the reward in the escrow in base units.
 */
export const createDisputeOpenings = ({ database, arbitrator, clock }: Pick<DecisionDeps, 'database' | 'arbitrator' | 'clock'>) => ({
  /** Opens a human review. The escrow job stays submitted and the worker loses nothing. */
  openReview: async (session: SessionRecord, verdict: StoredVerdict, at: number, rewardRaw: bigint): Promise<void> => {
    const { outcome, reasonCode, handler } = verdict
    const reason = outcome === 'platform_fault' ? outcome : reasonCode
    const patch = {
      verificationId: verdict.id,
      verificationSummary: { ...summaryOf(verdict) },
      ...(outcome !== 'disputed' && { countsAsAttempt: false }),
    }
    const move = { sessionId: session.sessionId, to: 'disputed', reason, at, metadata: { outcome, reasonCode, handler }, patch } as const
    const actor = `system:${handler}`
    const opening = { session, stage: 'review', origin: 'review', reasonCode: reason, at, actor, rewardRaw, arbitrator } as const
    await withMove(database, move, (rows) => openDispute(rows, opening))
  },

  /** Records the on-chain dispute of a rejection, opened by worker or poster, or by the service after an operator's overturn. */
  openFromRejection: async (session: SessionRecord, { txHash, at, opener, rewardRaw }: Opened): Promise<void> => {
    const { sessionId, operatorOverturn } = session
    const [reason, origin, actor] =
      operatorOverturn === null
        ? (['dispute_opened', 'participant', opener] as const)
        : (['operator_overturn', 'operator', operatorOverturn.by] as const)
    const metadata = { origin: operatorOverturn === null ? 'chain' : reason, opener, txHash }
    const times = { at, recordedAt: clock.now() }
    const move = { sessionId, to: 'disputed', reason, ...times, metadata, patch: { chainState: 'disputed' } } as const
    const opening = { session, stage: 'arbitration', origin, reasonCode: reason, ...times, actor, rewardRaw, arbitrator } as const
    await withMove(database, move, (rows) => openDispute(rows, opening))
  },

  /** Restores the rejection of `rejectedAt` after a reorganisation removed the participants' dispute. `end` closes a decided round. */
  revertDispute: async (session: SessionRecord, rejectedAt: number, at: number, end: RoundEnd | null): Promise<void> => {
    const reason = 'dispute_taken_back'
    const { sessionId } = session
    const patch = { chainState: 'rejected' } as const
    const recordedAt = clock.now()
    const move = { sessionId, to: 'rejected', reason, at, recordedAt, since: rejectedAt, metadata: { origin: 'chain' }, patch } as const
    await withMove(database, move, async (rows) => {
      const data = { status: 'rejected', reasonCode: reason }
      await emit(rows, { ...sessionSubject(session), topic: 'settlement.session_rejected', at, data })
      await closeDispute(rows, sessionId, { at, actor: 'system:dispute', action: reason, data: { rejectedAt: iso(rejectedAt) } })
      if (end !== null) await endRound(rows, session, end, at)
    })
  },

  /**
   * Updates the times (epoch ms) of rejection and dispute after a reorganisation moved them to other blocks; null where the chain has none.
   * Does nothing if the session changed meanwhile; the next reconciliation compares again.
   */
  updateInstants: async (
    { session, dispute }: { session: SessionRecord; dispute: DisputeRecord | null },
    shown: { rejectedAt: number | null; disputedAt: number | null },
    at: number,
  ): Promise<void> => {
    const { sessionId, version, timestamps } = session
    const rejectedAt = timestamps.rejectedAt === null ? null : (shown.rejectedAt ?? timestamps.rejectedAt)
    const openedAt = dispute?.stage === 'arbitration' && dispute.status === 'open' ? shown.disputedAt : null
    const reopened = openedAt !== null && openedAt !== dispute?.openedAt
    if (rejectedAt === timestamps.rejectedAt && !reopened) return
    await database.transaction(async (rows) => {
      const stamps = { rejectedAt, ...(reopened && timestamps.disputedAt === dispute?.openedAt && { disputedAt: openedAt }) }
      const moved = await rows
        .updateTable('session')
        .set({ ...stamps, updatedAt: at, version: version + 1 })
        .where('sessionId', '=', sessionId)
        .where('version', '=', version)
        .returning('sessionId')
        .executeTakeFirst()
      if (moved === undefined) return
      if (reopened) await updateOpening(rows, session, { openedAt, at })
      await touchCatalogue(rows)
    })
  },

  /** Moves a review to arbitration because its escrow job is disputed. */
  startArbitration: (session: SessionRecord, at: number, origin: DisputeOrigin): Promise<void> =>
    database.transaction(async (rows) => {
      await rows.selectFrom('session').select('sessionId').where('sessionId', '=', session.sessionId).forUpdate().execute()
      await moveToArbitration(rows, session, { at, origin, arbitrator })
      await touchCatalogue(rows)
    }),

  /** Marks, before the first transaction, that the service moves a review to the arbitrator. */
  markPlatform: (session: SessionRecord): Promise<void> =>
    database.transaction(async (rows) => {
      const dispute = await lockDispute(rows, session.sessionId)
      if (dispute?.stage === 'review')
        await rows.updateTable('dispute').set({ origin: 'platform' }).where('disputeId', '=', dispute.disputeId).execute()
    }),

  /** Marks, before the transaction, that an operator overturns a rejection; null removes the mark. */
  markOverturned: async (session: SessionRecord, overturn: { by: string; note: string; at: number } | null): Promise<SessionRecord> => {
    const operatorOverturn = overturn === null ? null : { by: overturn.by, note: overturn.note, at: iso(overturn.at) }
    await database.rows.updateTable('session').set({ operatorOverturn }).where('sessionId', '=', session.sessionId).execute()
    return getSession(database.rows, session.sessionId)
  },
})
