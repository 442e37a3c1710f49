import { sql } from 'kysely'
import type { Database } from '../../activities/database/database.ts'
import { eventually } from './eventually.ts'

/** Waits until the records hold everything that is on the chain now, and the follower has notified its processes. */
export const followerAtHead = async (world: {
  database: Pick<Database, 'rows'>
  view: { client: { getBlockNumber(options: { cacheTime: number }): Promise<bigint> } }
}): Promise<void> => {
  const head = await world.view.client.getBlockNumber({ cacheTime: 0 })
  const isThere = sql<{ there: boolean }>`
    select exists (select 1 from chain_cursor where block_number >= ${head.toString()}::bigint)
      and not exists (select 1 from chain_event where moves_process and notified_revision < revision) as there`
  await eventually(`the follower comes to block ${head}`, async () => (await isThere.execute(world.database.rows)).rows[0]?.there === true)
}
