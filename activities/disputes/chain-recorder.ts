import { sql } from 'kysely'
import type { Hex } from 'viem'
import { touchCatalogue } from '../catalogue/jobs.ts'
import type { ChainRecorder, StoredChainEvent } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'

/** Dates the rejection of the last claim up to the event's block by this block. Returns whether it changed. */
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
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** A fork can move a rejection to another block, at any stage: the block that finally holds it dates it. */
export const rejectionRecorder: ChainRecorder = {
  recordChanges: async (rows, events, { now }) => {
    let isChanged = false
    for (const event of events) {
      if (event.contract !== 'escrow' || event.event !== 'JobRejected' || event.chainJobId === null || event.removed) continue
      if (await followRejection(rows, event, event.chainJobId, now)) isChanged = true
    }
    if (isChanged) await touchCatalogue(rows)
  },
}
