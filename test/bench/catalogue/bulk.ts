import { touchCatalogue } from '../../../activities/catalogue/jobs.ts'
import { jobRow } from '../../../activities/catalogue/writes.ts'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { HANDLER_MODES } from '../../../activities/verification/registry.ts'
import { buildSeed, type SeedAsset, USDC } from '../../../local/catalogue/seed-jobs.ts'
import { AUTHOR } from '../../domain/builders/job.ts'
import { makeJob } from './made.ts'

/** Size of a generated catalogue. `jobs` is the total, so that a repeat adds the missing ones. */
interface Filling {
  jobs: number
  asset?: SeedAsset
  /** Epoch ms of the service's clock, from which the age of a listing counts. */
  now: number
}

const BATCH = 1_000
const SEED = 1

const rowOf = (index: number, asset: SeedAsset, now: number) => {
  const { input, lifecycleStatus, listedSecondsAgo } = makeJob(index, SEED, asset.symbol)
  const status = HANDLER_MODES.has(input.verifierMode) ? lifecycleStatus : 'paused'
  return jobRow(buildSeed(input, asset, AUTHOR), { now: now - listedSecondsAgo * 1000, posterAddress: null, status })
}

const insert = (database: Database, batch: ReturnType<typeof rowOf>[]): Promise<number> =>
  database.transaction(async (rows) => {
    const { numInsertedOrUpdatedRows } = await rows
      .insertInto('job')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const added = Number(numInsertedOrUpdatedRows)
    if (added > 0) await touchCatalogue(rows)
    return added
  })

const fill = async (database: Database, { jobs, asset = USDC, now }: Filling): Promise<number> => {
  let added = 0
  // Builds the next batch while the database inserts the last one.
  let inserted = Promise.resolve(0)
  for (let from = 0; from < jobs; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, jobs - from) }, (_, offset) => rowOf(from + offset, asset, now))
    added += await inserted
    inserted = insert(database, batch)
  }
  return added + (await inserted)
}

/** Inserts a generated catalogue directly into a database, without the limits of the lanes. Returns the number of added jobs. */
export const fillCatalogue = async (databaseUrl: string, filling: Filling): Promise<number> => {
  const database = openDatabase({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 60_000 })
  try {
    return await fill(database, filling)
  } finally {
    await database.close()
  }
}
