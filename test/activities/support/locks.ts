import { sql } from 'kysely'
import { type Rows, readRow } from '../../../activities/database/database.ts'

/** How many connections to this database wait for a lock of a kind. */
export const waitingFor = async (rows: Rows, kind: 'relation' | 'advisory'): Promise<number> => {
  const waiting = sql<{ count: number }>`
    select count(*)::integer as count from pg_locks
    where locktype = ${kind} and not granted and database = (select oid from pg_database where datname = current_database())`
  return (await readRow(rows, waiting)).count
}
