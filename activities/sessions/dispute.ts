import type { Tables } from '../../schemas/entities/tables.ts'
import type { DisputeEntry } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'

/** Appends to the timeline of a dispute. The transaction has locked the dispute's row, so the numbers of the entries are unique. */
export const appendEntry = async (rows: Rows, disputeId: string, entry: Omit<DisputeEntry, 'seq'>): Promise<void> => {
  const last = await rows
    .selectFrom('dispute_event')
    .select('seq')
    .where('disputeId', '=', disputeId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = { disputeId, seq: (last?.seq ?? 0) + 1, ...entry }
  await rows.insertInto('dispute_event').values(row).execute()
}

/** Ends the open dispute of a session that ended without a verdict. Runs in that transaction, which has locked the session's row. */
export const closeDispute = async (rows: Rows, sessionId: string, entry: Omit<DisputeEntry, 'seq'>): Promise<void> => {
  const closed = await rows
    .updateTable('dispute')
    .set({ status: 'resolved', updatedAt: entry.at })
    .where('sessionId', '=', sessionId)
    .where('status', '=', 'open')
    .returning('disputeId')
    .executeTakeFirst()
  if (closed !== undefined) await appendEntry(rows, closed.disputeId, entry)
}

/** Whether the present round of a session's dispute has a decision. */
export const isRoundDecided = async (rows: Rows, sessionId: string): Promise<boolean> => {
  const decision = await rows
    .selectFrom('dispute')
    .innerJoin('dispute_verdict', (join) =>
      join.onRef('dispute_verdict.disputeId', '=', 'dispute.disputeId').onRef('dispute_verdict.round', '=', 'dispute.round'),
    )
    .where('dispute.sessionId', '=', sessionId)
    .select('dispute_verdict.round')
    .executeTakeFirst()
  return decision !== undefined
}

/** Id and instants (epoch ms) of a session's dispute. */
export type DisputePeriod = Pick<Tables['dispute'], 'disputeId' | 'openedAt' | 'deadlineAt'>

/** Null for a session that never had a dispute. */
export const findDisputePeriod = async (rows: Rows, sessionId: string): Promise<DisputePeriod | null> =>
  (await rows.selectFrom('dispute').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()) ?? null
