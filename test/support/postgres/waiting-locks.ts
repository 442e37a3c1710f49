import { sql } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import { eventually } from '../eventually.ts'

/** Resolves when `count` statements of this database wait for a lock. */
export const untilLocksWait = ({ rows }: Pick<Database, 'rows'>, count = 1): Promise<number> =>
  eventually(
    `${count} statements wait for a lock`,
    async () => {
      const { rows: found } = await sql<{ waiting: number }>`
        select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        rows,
      )
      return found[0]?.waiting ?? 0
    },
    (waiting) => waiting >= count,
  )
