import { sql } from 'kysely'
import { openDatabase, type Rows } from '../../activities/database/database.ts'

/** Longest wait for a moment without submissions under way. */
const QUIET_MS = 10_000
const PAUSE_MS = 25

/** Whether the service has accepted a submission that is not on chain yet: a move of time beyond its claim would lose it. */
const isUnderWay = async (rows: Rows): Promise<boolean> => {
  const found = await sql`select 1 from session where status = 'claimed' and submission is not null limit 1`.execute(rows)
  return found.rows.length > 0
}

const listDiverged = async (rows: Rows): Promise<string[]> => {
  const query = sql<{ id: string }>`select session_id as id from session where status = 'chain_state_diverged' order by session_id`
  return (await query.execute(rows)).rows.map(({ id }) => id)
}

/**
 * Moves time at a moment when no accepted submission is on its way to the chain, or after ten seconds without such a moment. Returns the
 * sessions that diverged from the chain meanwhile beside the result of `move`.
 */
export const moveBetweenSubmissions = async <T>(
  databaseUrl: string | undefined,
  move: () => Promise<T>,
): Promise<{ moved: T; diverged: string[] }> => {
  if (databaseUrl === undefined) return { moved: await move(), diverged: [] }
  const database = openDatabase({ url: databaseUrl, poolSize: 1 })
  try {
    const before = await listDiverged(database.rows)
    for (const until = Date.now() + QUIET_MS; Date.now() < until && (await isUnderWay(database.rows)); )
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const moved = await move()
    return { moved, diverged: (await listDiverged(database.rows)).filter((id) => !before.includes(id)) }
  } finally {
    await database.close()
  }
}
