import { sql } from 'kysely'
import type { FollowCancellations } from '../chain/follower/announcements.ts'
import { emit } from '../events/outbox.ts'
import { touchCatalogue } from './jobs.ts'

/** Reason of a listing that its poster closed on chain. */
const POSTER_CANCELLED = 'poster_cancelled'

/** Closes the listings of jobs that their poster cancelled on chain. Reopens a listing if a reorganisation removed the cancellation. */
export const followCancellations: FollowCancellations = async (rows, cancellations, now) => {
  for (const { jobId, removed, blockTime } of cancellations) {
    const closing = rows.updateTable('job').set({ updatedAt: now, version: sql<number>`version + 1` }).where('id', '=', jobId)
    const changed = removed
      ? await closing.set({ delistedAt: null, delistReason: null }).where('delistReason', '=', POSTER_CANCELLED).returning('id').execute()
      : await closing
          .set({ delistedAt: blockTime, delistReason: POSTER_CANCELLED })
          .where('delistedAt', 'is', null)
          .returning('id')
          .execute()
    if (changed.length === 0) continue
    const data = { action: removed ? 'relist' : 'delist', reason: POSTER_CANCELLED, by: 'chain' }
    await emit(rows, { topic: 'job.lifecycle_changed', wallets: [], jobId, at: now, data })
  }
  // A closed listing is the only effect of chain events on list answers.
  await touchCatalogue(rows)
}
