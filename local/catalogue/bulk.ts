import { touchCatalogue } from '../../activities/catalogue/jobs.ts'
import { jobRow } from '../../activities/catalogue/writes.ts'
import { type Database, openDatabase, type Rows } from '../../activities/database/database.ts'
import { HANDLER_MODES } from '../../activities/verification/registry.ts'
import { buildSeed, type SeedAsset } from '../catalogue.ts'
import { makeJob } from './made.ts'

/** Size and seed of a generated catalogue. `jobs` is the total, so that a repeat adds the missing ones. */
export interface Filling {
  jobs: number
  seed?: number
  asset?: SeedAsset
  /** Epoch ms of the service's clock, from which the age of a listing counts. */
  now: number
}

const BATCH = 1_000
const USDC: SeedAsset = { symbol: 'USDC', decimals: 6 }

const rowOf = (index: number, seed: number, asset: SeedAsset, now: number) => {
  const { input, lifecycleStatus, listedSecondsAgo } = makeJob(index, seed, asset.symbol)
  const status = HANDLER_MODES.has(input.verifierMode) ? lifecycleStatus : 'paused'
  return jobRow(buildSeed(input, asset), { now: now - listedSecondsAgo * 1000, posterAddress: null, status })
}
type Row = ReturnType<typeof rowOf>

/** Numbers of the jobs that are there already. */
const known = async (rows: Rows, seed: number): Promise<Set<number>> => {
  const prefix = `made-${seed}-`
  const found = await rows.selectFrom('job').select('id').where('id', 'like', `${prefix}%`).execute()
  return new Set(found.map(({ id }) => Number(id.slice(prefix.length))))
}

const insert = (database: Database, batch: Row[]): Promise<void> =>
  database.transaction(async (rows) => {
    await rows
      .insertInto('job')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await touchCatalogue(rows)
  })

const fill = async (database: Database, { jobs, seed = 1, asset = USDC, now }: Filling): Promise<number> => {
  const there = await known(database.rows, seed)
  const missing = Array.from({ length: jobs }, (_, index) => index).filter((index) => !there.has(index))
  // Builds the next batch while the database inserts the last one.
  let inserted = Promise.resolve()
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH).map((index) => rowOf(index, seed, asset, now))
    await inserted
    inserted = insert(database, batch)
  }
  await inserted
  return missing.length
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
