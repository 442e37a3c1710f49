import { sql } from 'kysely'
import { type Rows, readRow } from '../../../activities/database/database.ts'

/** How many statements of this database wait for a lock. */
export const waitingForLocks = async (rows: Rows): Promise<number> => {
  const waiting = sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await readRow(rows, waiting)).count
}
