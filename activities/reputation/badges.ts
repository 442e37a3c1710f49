import { badgeUrl } from '../../domain/reputation/badge.ts'
import type { BadgeService } from '../../schemas/reputation/shapes.ts'
import type { Rows } from '../database/database.ts'

/** Sort key of the badge list: newest first. */
export interface BadgePosition {
  issuedAt: number
  sessionId: string
}

/** A stored badge with its signed document. `issuedAt` in epoch ms. */
export interface BadgeRow extends BadgePosition {
  jobId: string
  worker: string
  category: string
  level: number
  evidenceHash: string
  chainJobId: string
  document: Record<string, unknown>
}

/** The row of a signed badge. */
export const badgeRow = (document: Record<string, unknown>): BadgeRow => {
  const { sessionId, jobId, worker, category, level, evidenceHash, chainJobId, completedAt } = document.service as BadgeService
  return { sessionId, jobId, worker, category, level, evidenceHash, chainJobId, issuedAt: Date.parse(completedAt), document }
}

/** Up to `limit` badges after a position, newest first. */
export const listBadges = async (rows: Rows, { limit, after }: { limit: number; after: BadgePosition | null }): Promise<BadgeRow[]> => {
  const newestFirst = rows.selectFrom('badge').selectAll().orderBy('issuedAt', 'desc').orderBy('sessionId').limit(limit)
  if (after === null) return newestFirst.execute()
  return newestFirst
    .where('issuedAt', '<=', after.issuedAt)
    .where((is) => is.or([is('issuedAt', '<', after.issuedAt), is('sessionId', '>', after.sessionId)]))
    .execute()
}

/** Finds the badge of a session; null if there is none. */
export const findBadge = async (rows: Rows, sessionId: string): Promise<BadgeRow | null> =>
  (await rows.selectFrom('badge').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()) ?? null

/** Number of badges of a wallet, and the newest of them. */
export const badgesOfWorker = async (rows: Rows, worker: string, limit: number, publicBaseUrl: string) => {
  const [newest, { count }] = await Promise.all([
    rows
      .selectFrom('badge')
      .select(['sessionId', 'jobId', 'category', 'level'])
      .where('worker', '=', worker)
      .orderBy('issuedAt', 'desc')
      .orderBy('sessionId')
      .limit(limit)
      .execute(),
    rows
      .selectFrom('badge')
      .select((is) => is.fn.countAll<string>().as('count'))
      .where('worker', '=', worker)
      .executeTakeFirstOrThrow(),
  ])
  return { count: Number(count), newest: newest.map((row) => ({ ...row, badgeUrl: badgeUrl(publicBaseUrl, row.sessionId) })) }
}
