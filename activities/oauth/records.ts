import { createHash, createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS } from '../../domain/common/instants.ts'
import { type Rows, readRow } from '../database/database.ts'

/** Kinds of records whose id is a secret. */
const SECRET_IDS: ReadonlySet<string> = new Set(['AuthorizationCode', 'RefreshToken'])
/** Time after its first use in which a record still counts: one client can run in several processes, and refresh in each. */
const graceMs = ({ model }: RecordName, graceSeconds: number): number => (model === 'RefreshToken' ? graceSeconds * 1000 : 0)

/** Age from which a client that registered itself and never had a grant is deleted. */
const UNUSED_MS = 3_600_000

type Payload = Record<string, unknown>

/** Kind and id of a record, as the authorisation server names it. */
export interface RecordName {
  model: string
  id: string
}

/** When a record is used, in epoch ms, and the grace of refresh tokens. */
interface Moment {
  now: number
  graceSeconds: number
}

const storedId = ({ model, id }: RecordName): string => (SECRET_IDS.has(model) ? createHash('sha256').update(id).digest('hex') : id)

/** Stores a record, in place of an earlier one; a code or token stays as it was stored first. `seconds` is its lifetime, null without an end. */
export const writeRecord = async (rows: Rows, name: RecordName, payload: Payload, seconds: number | null, now: number): Promise<void> => {
  const { jti: _secret, ...rest } = payload
  const kept = SECRET_IDS.has(name.model) ? rest : payload
  const grantId = typeof payload.grantId === 'string' ? payload.grantId : null
  const expiresAt = seconds === null ? null : now + seconds * 1000
  const row = { model: name.model, id: storedId(name), payload: kept, grantId, createdAt: now, consumedAt: null, expiresAt }
  await rows
    .insertInto('oauth_record')
    .values(row)
    .onConflict((conflict) => {
      const same = conflict.columns(['model', 'id'])
      return SECRET_IDS.has(name.model) ? same.doNothing() : same.doUpdateSet({ payload: kept, grantId, expiresAt })
    })
    .execute()
}

/** Stores a client that registered itself; false if `limit` are kept. Call it in a transaction, which orders registrations. */
export const writeClient = async (rows: Rows, id: string, payload: Payload, limit: number, now: number): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtext('oauth-clients'))`.execute(rows)
  const { count } = await readRow(rows, sql<{ count: number }>`select count(*)::int as count from oauth_record where model = 'Client'`)
  if (count >= limit) return false
  await writeRecord(rows, { model: 'Client', id }, payload, null, now)
  return true
}

/** A record that has not expired; null without one. `consumedAt` is null while a refresh token may be exchanged again. */
export const findRecord = async (
  rows: Rows,
  name: RecordName,
  { now, graceSeconds }: Moment,
): Promise<{ payload: Payload; consumedAt: number | null } | null> => {
  const found = await rows
    .selectFrom('oauth_record')
    .select(['payload', 'consumedAt'])
    .where('model', '=', name.model)
    .where('id', '=', storedId(name))
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', now)]))
    .executeTakeFirst()
  if (found === undefined) return null
  const isUsed = found.consumedAt !== null && found.consumedAt + graceMs(name, graceSeconds) <= now
  return {
    payload: SECRET_IDS.has(name.model) ? { ...found.payload, jti: name.id } : found.payload,
    consumedAt: isUsed ? found.consumedAt : null,
  }
}

/** Uses a record; false if it was used before. One statement decides a race. */
export const consumeRecord = async (rows: Rows, { model, id }: RecordName, now: number): Promise<boolean> => {
  const first = await rows
    .updateTable('oauth_record')
    .set({ consumedAt: now })
    .where('model', '=', model)
    .where('id', '=', storedId({ model, id }))
    .where('consumedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return first !== undefined
}

/**
 * Uses a refresh token and stores its successor, for `seconds`. Returns the id of the successor; null if the token was used longer ago than the grace.
 * A token has one successor: its first use fixes a salt, and token and salt give the id. The database knows the salt alone. Call it in a transaction.
 */
export const rotateToken = async (
  rows: Rows,
  id: string,
  successor: { payload: Payload; seconds: number | null },
  { now, graceSeconds }: Moment,
): Promise<string | null> => {
  const name = { model: 'RefreshToken', id }
  const salt = randomBytes(16).toString('base64url')
  const used = await rows
    .updateTable('oauth_record')
    .set({
      consumedAt: sql<number>`coalesce(consumed_at, to_timestamp(${now} / 1000.0))`,
      payload: sql<Payload>`jsonb_build_object('salt', ${salt}::text) || payload`,
    })
    .where('model', '=', name.model)
    .where('id', '=', storedId(name))
    .where((is) => is.or([is('consumedAt', 'is', null), is('consumedAt', '>', now - graceMs(name, graceSeconds))]))
    .returning('payload')
    .executeTakeFirst()
  if (used === undefined) return null
  const next = createHmac('sha256', id).update(String(used.payload.salt)).digest('base64url')
  await writeRecord(rows, { ...name, id: next }, successor.payload, successor.seconds, now)
  return next
}

/** Deletes a record; false without it. */
export const deleteRecord = async (rows: Rows, name: RecordName): Promise<boolean> => {
  const { numDeletedRows } = await rows
    .deleteFrom('oauth_record')
    .where('model', '=', name.model)
    .where('id', '=', storedId(name))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the records of one kind that a grant has. */
export const deleteRecordsOf = async (rows: Rows, model: string, grantId: string): Promise<void> => {
  await rows.deleteFrom('oauth_record').where('model', '=', model).where('grantId', '=', grantId).execute()
}

/** Deletes records after their expiry, clients that an hour after their registration have had no grant, and those that after a day have no live one. */
export const deleteEndedRecords = async (rows: Rows, now: number): Promise<void> => {
  await rows.deleteFrom('oauth_record').where('expiresAt', '<', now).execute()
  await rows
    .deleteFrom('oauth_record')
    .where('model', '=', 'Client')
    .where('createdAt', '<', now - UNUSED_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('capability_grant as delegate')
            .select('delegate.id')
            .where('delegate.kind', '=', 'delegate')
            .where(sql<boolean>`delegate.client ->> 'id' = oauth_record.id`),
        ),
      ),
    )
    .execute()
  await rows
    .deleteFrom('oauth_record')
    .where('model', '=', 'Client')
    .where('createdAt', '<', now - DAY_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_record as held')
            .innerJoin('capability_grant as delegate', 'delegate.id', 'held.id')
            .select('held.id')
            .where('held.model', '=', 'Grant')
            .where('delegate.revokedAt', 'is', null)
            .where(sql<boolean>`held.payload ->> 'clientId' = oauth_record.id`),
        ),
      ),
    )
    .execute()
}
