import type { HeadDocument } from '../../schemas/session-log/shapes.ts'
import type { Rows } from '../database/database.ts'

/** The head of a day; null if the day is not closed. */
export const findHead = async (rows: Rows, day: string): Promise<HeadDocument | null> =>
  (await rows.selectFrom('log_head').select('document').where('day', '=', day).executeTakeFirst())?.document ?? null

/** Heads before a day, newest first. */
export const listHeads = async (rows: Rows, { limit, before }: { limit: number; before: string | null }): Promise<HeadDocument[]> => {
  const newestFirst = rows.selectFrom('log_head').select('document').orderBy('day', 'desc').limit(limit)
  const found = await (before === null ? newestFirst : newestFirst.where('day', '<', before)).execute()
  return found.map(({ document }) => document)
}

/** Published entries of a day after a position, in their order. */
export const listPublished = (rows: Rows, day: string, { limit, after }: { limit: number; after: number }) =>
  rows
    .selectFrom('log_entry')
    .select(['position', 'hash', 'previousHash'])
    .where('day', '=', day)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
