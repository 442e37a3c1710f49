import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'

export type ShareRow = Tables['share']

/** A share that is not revoked. */
export type NewShare = Omit<ShareRow, 'revokedAt' | 'revokedBy' | 'version'>

/** Stores a share. */
export const insertShare = async (rows: Rows, share: NewShare): Promise<void> => {
  const row = { ...share, version: 1 }
  await rows.insertInto('share').values(row).execute()
}

/** A share by its id; null if there is none. */
export const findShare = async (rows: Rows, id: string): Promise<ShareRow | null> =>
  (await rows.selectFrom('share').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/** Ends a share; a repeat keeps the first instant, which it returns. `at` in epoch ms. */
export const markRevoked = async (rows: Rows, id: string, { by, at }: { by: string; at: number }): Promise<number> => {
  const { revokedAt } = await rows.selectFrom('share').select('revokedAt').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  if (revokedAt !== null) return revokedAt
  await rows.updateTable('share').set({ revokedAt: at, revokedBy: by, version: 2 }).where('id', '=', id).execute()
  return at
}

/** Deletes shares that expired before an instant (epoch ms). */
export const deleteShares = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('share').where('expiresAt', '<', before).execute()
}
