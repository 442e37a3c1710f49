import { readEventRange } from '../../activities/events/feed.ts'
import type { ApiDeps } from '../deps.ts'

const DAY_MS = 86_400_000

/** Where a reader begins: after which number, and whether events are lost that it has not seen. */
export interface Start {
  after: bigint
  isGap: boolean
  /** First number that is still served, and the newest one. */
  oldest: bigint
  newest: bigint
}

/** Beginning for a reader whose last event is `known`, or who has none: then after the newest. */
export const findStart = async (
  { database, clock, settings }: Pick<ApiDeps, 'database' | 'clock' | 'settings'>,
  known: bigint | null,
): Promise<Start> => {
  const { oldest, newest } = await readEventRange(database.rows, clock.now() - settings.EVENT_RETENTION_DAYS * DAY_MS)
  if (known === null) return { after: newest, isGap: false, oldest, newest }
  // A number above the newest is of other records.
  const isGap = known < oldest - 1n || known > newest
  return { after: isGap ? oldest - 1n : known, isGap, oldest, newest }
}
