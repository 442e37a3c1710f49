import { DAY_MS } from '../../domain/common/instants.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'

/** An issued sign-in message. Times are epoch ms. */
export type Challenge = Omit<Tables['auth_challenge'], 'consumedAt'>

/** Stores an issued challenge. */
export const insertChallenge = async (rows: Rows, challenge: Challenge): Promise<void> => {
  await rows.insertInto('auth_challenge').values(challenge).execute()
}

/** The challenge of a nonce, with when it was used; null without one. */
export const findChallenge = async (rows: Rows, nonce: string): Promise<Tables['auth_challenge'] | null> =>
  (await rows.selectFrom('auth_challenge').selectAll().where('nonce', '=', nonce).executeTakeFirst()) ?? null

/** Consumes a nonce; false if it was consumed before. */
export const consumeChallenge = async (rows: Rows, nonce: string, now: number): Promise<boolean> => {
  const burned = await rows
    .updateTable('auth_challenge')
    .set({ consumedAt: now })
    .where('nonce', '=', nonce)
    .where('consumedAt', 'is', null)
    .returning('nonce')
    .executeTakeFirst()
  return burned !== undefined
}

/** Revokes a token; false when it was revoked before. */
export const revokeToken = async (rows: Rows, token: Omit<Tables['revoked_token'], 'revokedAt'>, now: number): Promise<boolean> => {
  const inserted = await rows
    .insertInto('revoked_token')
    .values({ ...token, revokedAt: now })
    .onConflict((conflict) => conflict.column('jti').doNothing())
    .returning('jti')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Whether a token is revoked, by its id. */
export const isRevoked = async (rows: Rows, jti: string): Promise<boolean> => {
  return (await rows.selectFrom('revoked_token').select('jti').where('jti', '=', jti).executeTakeFirst()) !== undefined
}

/** Deletes challenges and revocations a day after the expiry of the challenge or token. */
export const deleteEndedSignIns = async (rows: Rows, now: number): Promise<void> => {
  const dayAgo = now - DAY_MS
  await rows.deleteFrom('auth_challenge').where('expiresAt', '<', dayAgo).execute()
  await rows.deleteFrom('revoked_token').where('expiresAt', '<', dayAgo).execute()
}
