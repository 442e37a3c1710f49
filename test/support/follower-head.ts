import { sql } from 'kysely'
import type { Database } from '../../activities/database/database.ts'

const LIMIT_MS = 40_000
const LOOK_MS = 50

/** Until everything that is on the chain now is in the records, and its processes were told. */
export const followerAtHead = async (world: {
  database: Pick<Database, 'rows'>
  view: { client: { getBlockNumber(options: { cacheTime: number }): Promise<bigint> } }
}): Promise<void> => {
  const head = await world.view.client.getBlockNumber({ cacheTime: 0 })
  for (const end = Date.now() + LIMIT_MS; ; await new Promise((done) => setTimeout(done, LOOK_MS))) {
    const found = await sql<{ there: boolean }>`
      select exists (select 1 from chain_cursor where block_number >= ${head.toString()}::bigint)
        and not exists (select 1 from chain_event where moves_process and notified_revision < revision) as there`.execute(
      world.database.rows,
    )
    if (found.rows[0]?.there === true) return
    if (Date.now() > end) throw new Error(`the follower did not come to block ${head}`)
  }
}
