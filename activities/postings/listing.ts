import { sql } from 'kysely'
import { FUNDING_REMOVED } from '../../domain/catalogue/delisting.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import { touchCatalogue } from '../catalogue/jobs.ts'
import { insertJob } from '../catalogue/writes.ts'
import type { Rows } from '../database/database.ts'

const changeListing = (rows: Rows, jobId: string, now: number) =>
  rows.updateTable('job').set({ updatedAt: now, version: sql<number>`version + 1` }).where('id', '=', jobId)

/** Lists a funded job, or lists it again after its funding came back. Does nothing for a job that is listed, or that was taken away otherwise. */
export const listPosted = async (rows: Rows, posting: PostingRecord, now: number): Promise<void> => {
  const { jobId, definition, specHash, expectedOutputs, rewardRaw, poster } = posting
  const known = await rows.selectFrom('job').select('id').where('id', '=', jobId).executeTakeFirst()
  if (known === undefined) {
    const built = { definition, specHash, expectedOutputs, rewardRaw, chainJobId: jobId }
    await insertJob(rows, built, { now, posterAddress: poster, postingRoute: 'external-direct' })
    return
  }
  const { numUpdatedRows } = await changeListing(rows, jobId, now)
    .set({ delistedAt: null, delistReason: null })
    .where('delistReason', '=', FUNDING_REMOVED)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await touchCatalogue(rows)
}

/** Takes a job from the catalogue whose funding is gone. */
export const takeBack = async (rows: Rows, jobId: string, now: number): Promise<void> => {
  const { numUpdatedRows } = await changeListing(rows, jobId, now)
    .set({ delistedAt: now, delistReason: FUNDING_REMOVED })
    .where('delistedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await touchCatalogue(rows)
}
