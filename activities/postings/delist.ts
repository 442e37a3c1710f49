import { FUNDING_REMOVED } from '../../domain/catalogue/delisting.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { lockJob, touchCatalogue } from '../catalogue/jobs.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'

export interface Delisting {
  jobId: string
  reason: string
  /** Wallet of the operator, lower case. */
  by: string
  /** Epoch ms. */
  now: number
}

/**
 * Takes a posted job out of the catalogue under the lock that orders it against a claim; the escrow is not touched. A repeat answers the first
 * delisting. Throws 404 `job_not_found` for any other job.
 */
export const delistPosted = async (rows: Rows, { jobId, reason, by, now }: Delisting): Promise<{ reason: string; delistedAt: number }> => {
  const job = await lockJob(rows, jobId)
  if (job === null || job.postingRoute !== 'external-direct') throw new ServiceError('job_not_found', { details: { jobId } })
  // A job whose funding a fork took back would be listed again with the funding.
  if (job.delistedAt !== null && job.delistReason !== null && job.delistReason !== FUNDING_REMOVED)
    return { reason: job.delistReason, delistedAt: job.delistedAt }
  await rows
    .updateTable('job')
    .set({ delistedAt: now, delistReason: reason, updatedAt: now, version: job.version + 1 })
    .where('id', '=', jobId)
    .execute()
  await emit(rows, { topic: 'job.lifecycle_changed', wallets: [by], jobId, at: now, data: { action: 'delist', reason, by } })
  await touchCatalogue(rows)
  return { reason, delistedAt: now }
}
