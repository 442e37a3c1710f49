import { type BadgeFacts, badgeUrl, buildBadge } from '../../domain/reputation/badge.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { type BadgeService, BadgeShape } from '../../schemas/reputation/shapes.ts'
import type { Rows } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'

/** A stored badge with its signed document. `issuedAt` in epoch ms. */
export type BadgeRow = Tables['badge']

/** Sort key of the badge list: newest first. */
export type BadgePosition = Pick<BadgeRow, 'issuedAt' | 'sessionId'>

/** The row of a signed badge. */
export const badgeRow = (document: Record<string, unknown>): BadgeRow => {
  const { sessionId, jobId, worker, category, level, evidenceHash, chainJobId, completedAt } = document.service as BadgeService
  return { sessionId, jobId, worker, category, level, evidenceHash, chainJobId, issuedAt: Date.parse(completedAt), document }
}

/** Builds and signs a badge. Throws if it does not match its published schema. */
export const issueBadge = async (facts: BadgeFacts, sign: SignDocument): Promise<Record<string, unknown>> => {
  const badge = buildBadge(facts)
  const document = { ...badge, signature: await sign(badge, facts.resolvedAt) }
  const { error } = BadgeShape.safeParse(document)
  if (error !== undefined) throw new Error(`badge of ${facts.sessionId} breaks its schema: ${error.message}`)
  return document
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

/** The newest badges without their documents. */
export const newestBadges = (rows: Rows, limit: number): Promise<BadgePosition[]> =>
  rows.selectFrom('badge').select(['issuedAt', 'sessionId']).orderBy('issuedAt', 'desc').orderBy('sessionId').limit(limit).execute()

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
