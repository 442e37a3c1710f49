import type { KyselyPlugin, RootOperationNode } from 'kysely'
import type { Rows } from '../../../activities/database/database.ts'

/** Puts `explain` before the first raw statement, and keeps what the database answers. */
const explainer = (head: string, keep: (plan: string) => void): KyselyPlugin => {
  let explained: unknown = null
  return {
    transformQuery: ({ node, queryId }) => {
      if (node.kind !== 'RawNode' || explained !== null) return node
      explained = queryId
      const [first = '', ...rest] = node.sqlFragments
      return { ...node, sqlFragments: [`${head} ${first}`, ...rest] } as RootOperationNode
    },
    transformResult: async ({ result, queryId }) => {
      if (queryId !== explained) return result
      keep(result.rows.map((row) => Object.values(row)[0]).join('\n'))
      return { ...result, rows: [] }
    },
  }
}

/** Plan of the first raw statement that `read` runs, as text. It gets no rows, so what it returns or throws counts for nothing. */
export const planOf = async (rows: Rows, read: (rows: Rows) => Promise<unknown>, analyze = false): Promise<string> => {
  let plan = ''
  const plugged = rows.withPlugin(
    explainer(analyze ? 'explain (analyze, buffers)' : 'explain', (found) => {
      plan = found
    }),
  )
  await read(plugged).catch(() => undefined)
  return plan
}
