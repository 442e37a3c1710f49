import { z } from 'zod'
import { findHead, listHeads, listPublished } from '../../activities/session-log/records.ts'
import type { Hex } from '../../domain/common/hashes.ts'
import { PAGE_ROWS } from '../../pages/parts.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type * as sessionLogOperations from '../../schemas/session-log/operations.ts'
import type { ServiceDeps } from '../deps.ts'
import { listPage, TextKey } from '../http/pagination.ts'
import { headsPage } from './heads-page.ts'

const HeadPlace = z.object({ day: TextKey })
const EntryPlace = z.object({ position: z.int().min(0) })

/** The published session log. */
export const createSessionLogHandlers = ({ database }: ServiceDeps): HandlersOf<typeof sessionLogOperations> => {
  const readHeads = async (query: Input<typeof sessionLogOperations.listLogHeads>['query']) => {
    const page = listPage({ ...query, operationId: 'listLogHeads', filters: {}, position: HeadPlace })
    const found = await listHeads(database.rows, { limit: page.readLimit, before: page.after?.day ?? null })
    const { rows: heads, ...envelope } = page.cut(found, ({ day }) => ({ day }))
    return { heads, ...envelope }
  }

  return {
    listLogHeads: async ({ query }) => {
      const body = await readHeads(query)
      const forPage = async () => (query.limit > PAGE_ROWS ? readHeads({ ...query, limit: PAGE_ROWS }) : body)
      return { status: 200, body, page: async () => headsPage(await forPage()) }
    },

    listLogEntries: async ({ params: { day }, query }) => {
      if ((await findHead(database.rows, day)) === null) throw new ServiceError('log_head_not_found', { details: { day } })
      const page = listPage({ ...query, operationId: 'listLogEntries', filters: { day }, position: EntryPlace })
      const found = await listPublished(database.rows, day, { limit: page.readLimit, after: page.after?.position ?? 0 })
      const { rows, ...envelope } = page.cut(found, ({ position }) => ({ position }))
      const entries = rows.map((entry) => ({ ...entry, hash: entry.hash as Hex, previousHash: entry.previousHash as Hex | null }))
      return { status: 200, body: { day, entries, ...envelope } }
    },
  }
}
