import { sql } from 'kysely'
import type { AuthSessionRow } from '../../domain/identity/auth-sessions.ts'
import type { SessionEnd } from '../../schemas/identity/auth-sessions.ts'
import type { Rows } from '../database/database.ts'
import { announceRevocation } from './records.ts'

/** Stores a new sign-in. */
export const insertAuthSession = async (
  rows: Rows,
  session: Omit<AuthSessionRow, 'previousJti' | 'lastUsedAt' | 'endedAt' | 'endReason' | 'version'>,
): Promise<void> => {
  await rows
    .insertInto('auth_session')
    .values({ ...session, previousJti: null, lastUsedAt: null, endedAt: null, endReason: null, version: 1 })
    .execute()
}

/** A sign-in by its id, locked until the transaction ends; null for one that is absent. */
export const lockAuthSession = async (rows: Rows, id: string): Promise<AuthSessionRow | null> =>
  (await rows.selectFrom('auth_session').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null

/** Replaces the token of a locked sign-in, and notifies every process. Times are epoch ms. */
export const replaceToken = async (
  rows: Rows,
  { id, lastJti, subject, version }: AuthSessionRow,
  token: { jti: string; issuedAt: number; expiresAt: number },
): Promise<void> => {
  const { jti, issuedAt, expiresAt } = token
  await rows
    .updateTable('auth_session')
    .set({ lastJti: jti, previousJti: lastJti, issuedAt, expiresAt, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await announceRevocation(rows, subject)
}

/** Which sign-ins of a wallet end: one, all, or all but one. */
export type SessionChoice = { only: string } | { except: string | null }

/** Ends sign-ins of a wallet that have not ended, and notifies every process. Returns their ids. Call it in a transaction. `at` in epoch ms. */
export const endAuthSessions = async (
  rows: Rows,
  subject: string,
  choice: SessionChoice,
  { at, reason }: { at: number; reason: SessionEnd },
): Promise<string[]> => {
  let open = rows
    .updateTable('auth_session')
    .set({ endedAt: at, endReason: reason, version: sql<number>`version + 1` })
    .where('subject', '=', subject)
    .where('endedAt', 'is', null)
  if ('only' in choice) open = open.where('id', '=', choice.only)
  // Also one whose token has expired: it counts for the clock difference, and longer where clocks differ.
  else if (choice.except !== null) open = open.where('id', '<>', choice.except)
  const ended = await open.returning('id').execute()
  if (ended.length > 0) await announceRevocation(rows, subject)
  return ended.map(({ id }) => id)
}

/** Whether a wallet has a sign-in with an id, ended or not. */
export const hasAuthSession = async (rows: Rows, subject: string, id: string): Promise<boolean> =>
  (await rows
    .selectFrom('auth_session')
    .select('id')
    .where((is) => is.and({ id, subject }))
    .executeTakeFirst()) !== undefined

/** Place of a sign-in in its list. */
export interface AuthSessionPosition {
  signedInAt: number
  id: string
}

/** Up to `limit` sign-ins of a wallet after a position whose token is accepted at `now` (epoch ms), newest first. */
export const listAuthSessions = async (
  rows: Rows,
  { subject, now }: { subject: string; now: number },
  { limit, after }: { limit: number; after: AuthSessionPosition | null },
): Promise<AuthSessionRow[]> => {
  let found = rows
    .selectFrom('auth_session')
    .selectAll()
    .where('subject', '=', subject)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now)
  if (after !== null)
    found = found
      .where('signedInAt', '<=', after.signedInAt)
      .where((is) => is.or([is('signedInAt', '<', after.signedInAt), is('id', '>', after.id)]))
  return found.orderBy('signedInAt', 'desc').orderBy('id').limit(limit).execute()
}

/** Use of a sign-in: the begin of its hour in epoch ms, and the network of the client, null if unknown. */
export interface SessionUse {
  id: string
  hour: number
  network: string | null
}

/** Writes uses; of one sign-in at most one an hour, whichever process saw it. */
export const writeSessionUses = async (rows: Rows, uses: readonly SessionUse[]): Promise<void> => {
  if (uses.length === 0) return
  await sql`update auth_session set last_used_at = to_timestamp(used.hour / 1000.0), network = coalesce(used.network, auth_session.network)
    from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as used (id text, hour bigint, network text)
    where auth_session.id = used.id and (last_used_at is null or last_used_at < to_timestamp(used.hour / 1000.0))`.execute(rows)
}
