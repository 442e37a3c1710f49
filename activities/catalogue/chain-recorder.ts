import { sql } from 'kysely'
import type { Hex } from 'viem'
import { POSTER_CANCELLED } from '../../domain/catalogue/delisting.ts'
import type { ChainRecorder, StoredChainEvent } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { touchCatalogue } from './jobs.ts'

/** Closes the listing of a job that its poster cancelled; reopens it if the cancellation was removed. Returns the id of a changed listing. */
const followCancellation = async (
  rows: Rows,
  { removed, blockTime }: StoredChainEvent,
  chainJobId: string,
  now: number,
): Promise<string | undefined> => {
  const closing = rows
    .updateTable('job')
    .set({ updatedAt: now, version: sql<number>`version + 1` })
    .where('chainJobId', '=', chainJobId as Hex)
  const changing = removed
    ? closing.set({ delistedAt: null, delistReason: null }).where('delistReason', '=', POSTER_CANCELLED)
    : closing.set({ delistedAt: blockTime, delistReason: POSTER_CANCELLED }).where('delistedAt', 'is', null)
  return (await changing.returning('id').executeTakeFirst())?.id
}

const recordChanges: ChainRecorder['recordChanges'] = async (rows, events, { now }) => {
  let isChanged = false
  for (const event of events) {
    if (event.contract !== 'escrow' || event.event !== 'JobCancelled' || event.chainJobId === null) continue
    const jobId = await followCancellation(rows, event, event.chainJobId, now)
    if (jobId === undefined) continue
    isChanged = true
    const data = { action: event.removed ? 'relist' : 'delist', reason: POSTER_CANCELLED, by: 'chain' }
    await emit(rows, { topic: 'job.lifecycle_changed', wallets: [], jobId, at: now, data })
  }
  // A closed listing is the only effect of chain events on list answers.
  if (isChanged) await touchCatalogue(rows)
}

export const catalogueRecorder: ChainRecorder = { recordChanges }
