import { z } from 'zod'
import { listOperatorSessions } from '../../activities/sessions/operator-list.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as adminOperations from '../../schemas/sessions/admin-operations.ts'
import type { ApiDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { createCloseSession } from './close.ts'
import { compactRows, sessionRows } from './rows.ts'

/** Sort key: in the order of deadlines, those without one come last. */
const Position = z.object({ deadline: InstantKey.nullable(), updatedAt: InstantKey, sessionId: TextKey })

/** Sessions of every wallet, for operators. */
export const createSessionAdminHandlers = (deps: ApiDeps): HandlersOf<typeof adminOperations> => {
  const { database, clock } = deps

  return {
    listAdminSessions: async ({ query }) => {
      const { limit, cursor, format, ...filters } = query
      const page = listPage({ limit, cursor, operationId: 'listAdminSessions', filters, position: Position })
      const now = clock.now()
      const found = await listOperatorSessions(database.rows, { ...filters, limit: page.readLimit, after: page.after }, now)
      const { rows, ...envelope } = page.cut(found, ({ position }) => position)
      const records = rows.map(({ session }) => session)
      const compact = format === 'compact'
      const sessions = compact ? await compactRows(database.rows, records, now) : await sessionRows(database.rows, records, now)
      return { status: 200, body: { sessions, count: sessions.length, compact, ...envelope, scope: 'operator' } }
    },

    closeSession: createCloseSession(deps),
  }
}
