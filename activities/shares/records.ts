import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'

export type ShareRow = Tables['share']

/** Stores a share. */
export const insertShare = async (rows: Rows, share: Omit<ShareRow, 'revokedAt' | 'revokedBy'>): Promise<void> => {
  await rows
    .insertInto('share')
    .values({ ...share, revokedAt: null, revokedBy: null })
    .execute()
}

/** A share by its id; null if there is none. */
export const findShare = async (rows: Rows, id: string): Promise<ShareRow | null> =>
  (await rows.selectFrom('share').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/** Ends a share; a repeat keeps the first instant. `at` in epoch ms. */
export const markRevoked = async (rows: Rows, id: string, { by, at }: { by: string; at: number }): Promise<void> => {
  await rows.updateTable('share').set({ revokedAt: at, revokedBy: by }).where('id', '=', id).where('revokedAt', 'is', null).execute()
}
