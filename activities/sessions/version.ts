import { sql } from 'kysely'
import type { SessionStatus } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'

/** Fields that show a waiting reader that a session has changed. */
export interface SessionVersion {
  status: SessionStatus
  version: number
  submittedAt: number | null
  /** Id of the newest verdict. */
  verdictId: string | null
}

/** Reads the versions of sessions in one statement; a session that is not recorded is left out. */
export const findSessionVersions = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, SessionVersion>> => {
  const found = await rows
    .selectFrom('session')
    .select(['sessionId', 'status', 'version', 'submittedAt'])
    .select((select) =>
      select
        .selectFrom('verification')
        .select('id')
        .whereRef('verification.sessionId', '=', 'session.sessionId')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('verdictId'),
    )
    .where('sessionId', '=', sql<string>`any(${sessionIds})`)
    .execute()
  return new Map(found.map(({ sessionId, status, ...row }) => [sessionId, { ...row, status: status as SessionStatus }]))
}

/** Reads the version of a session; null if it is not recorded. */
export const findSessionVersion = async (rows: Rows, sessionId: string): Promise<SessionVersion | null> =>
  (await findSessionVersions(rows, [sessionId])).get(sessionId) ?? null
