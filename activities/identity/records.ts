import { sql } from 'kysely'
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

/** Channel that notifies requests which last of a token or grant that ended; the payload is the subject. */
export const REVOCATIONS_CHANNEL = 'revocations'
/** Stands for all subjects: the key of their tokens has ended. */
export const EVERY_SUBJECT = '*'

/** Notifies every process that a token or grant of a subject has ended, when the transaction commits. */
export const announceRevocation = async (rows: Rows, subject: string): Promise<void> => {
  await sql`select pg_notify(${REVOCATIONS_CHANNEL}, ${subject})`.execute(rows)
}

/** Revokes a token, and notifies every process; false when it was revoked before. Call it in a transaction. */
export const revokeToken = async (rows: Rows, token: Omit<Tables['revoked_token'], 'revokedAt'>, now: number): Promise<boolean> => {
  const inserted = await rows
    .insertInto('revoked_token')
    .values({ ...token, revokedAt: now })
    .onConflict((conflict) => conflict.column('jti').doNothing())
    .returning('jti')
    .executeTakeFirst()
  if (inserted === undefined) return false
  await announceRevocation(rows, token.subject)
  return true
}

/** Deletes challenges, revocations and sign-ins a day after the expiry of the challenge or token. */
export const deleteEndedSignIns = async (rows: Rows, now: number): Promise<void> => {
  const dayAgo = now - DAY_MS
  await rows.deleteFrom('auth_challenge').where('expiresAt', '<', dayAgo).execute()
  await rows.deleteFrom('revoked_token').where('expiresAt', '<', dayAgo).execute()
  await rows.deleteFrom('auth_session').where('expiresAt', '<', dayAgo).execute()
}
