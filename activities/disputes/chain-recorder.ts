import { sql } from 'kysely'
import type { Hex } from 'viem'
import { touchCatalogue } from '../catalogue/jobs.ts'
import type { ChainRecorder, StoredChainEvent } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'

/**
 * Dates the rejection of the last claim up to the event's block by this block. What an arbitrator's decision rejects keeps its own date. Returns
 * whether it changed.
 */
const followRejection = async (
  rows: Rows,
  { blockNumber, blockTime }: StoredChainEvent,
  chainJobId: string,
  now: number,
): Promise<boolean> => {
  const claim = rows
    .selectFrom('session')
    .select('sessionId')
    .where('chainJobId', '=', chainJobId as Hex)
    .where('claimBlock', '<=', blockNumber)
    .orderBy('claimBlock', 'desc')
    .limit(1)
  const changed = await rows
    .updateTable('session')
    .set({ rejectedAt: blockTime, updatedAt: now, version: sql<number>`version + 1` })
    .where('sessionId', '=', claim)
    .where('rejectedAt', '<>', blockTime)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('session_event')
          .select('session_event.seq')
          .whereRef('session_event.sessionId', '=', 'session.sessionId')
          .where('toStatus', '=', 'rejected')
          .where('reason', '<>', 'DISPUTE_LOST'),
      ),
    )
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** A fork can move a rejection to another block, at any stage: the block that finally holds it dates it. A lost dispute emits a second one. */
export const rejectionRecorder: ChainRecorder = {
  recordChanges: async (rows, events, { now }) => {
    let isChanged = false
    const decided = new Set(events.filter(({ event }) => event === 'DisputeResolved').map(({ txHash }) => txHash))
    for (const event of events) {
      if (event.contract !== 'escrow' || event.event !== 'JobRejected' || event.chainJobId === null || event.removed) continue
      if (decided.has(event.txHash)) continue
      if (await followRejection(rows, event, event.chainJobId, now)) isChanged = true
    }
    if (isChanged) await touchCatalogue(rows)
  },
}
