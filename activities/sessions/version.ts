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

/** Reads the version of a session; null if it is not recorded. */
export const findSessionVersion = async (rows: Rows, sessionId: string): Promise<SessionVersion | null> => {
  const row = await rows
    .selectFrom('session')
    .select(['status', 'version', 'submittedAt'])
    .select((select) =>
      select
        .selectFrom('verification')
        .select('id')
        .whereRef('verification.sessionId', '=', 'session.sessionId')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('verdictId'),
    )
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, status: row.status as SessionStatus }
}
