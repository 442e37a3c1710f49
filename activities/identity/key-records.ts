import { sql } from 'kysely'
import { KEY_OVERLAP_MS } from '../../domain/identity/key-windows.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Clock } from '../common/clock.ts'
import type { SigningKey } from '../common/document-signing.ts'
import { type RecordDeps, type Rows, readRow } from '../database/database.ts'

export type KeyRecord = Tables['signing_key']
export type KeyPurpose = KeyRecord['purpose']

/** First part of a key id. */
const KID_PREFIX = { jwt: 'jwt', receipt: 'badge' } as const satisfies Record<KeyPurpose, string>

/** Key records of a purpose, oldest first. */
export const listKeyRecords = (rows: Rows, purpose: KeyPurpose): Promise<KeyRecord[]> =>
  rows.selectFrom('signing_key').selectAll().where('purpose', '=', purpose).orderBy('validFrom').execute()

/**
 * The record of a key; undefined for one that was never used. It waits for a rotation that has begun, so what is dated before the call is
 * dated before the end of the key's window. Throws for a key of another purpose.
 */
const findKeyRecord = async (rows: Rows, purpose: KeyPurpose, { fingerprint }: SigningKey): Promise<KeyRecord | undefined> => {
  const found = rows.selectFrom('signing_key').selectAll().where('fingerprint', '=', fingerprint).forShare()
  const record = await found.executeTakeFirst()
  if (record !== undefined && record.purpose !== purpose) throw new Error(`the key is ${record.kid}, which serves another purpose`)
  return record
}

/** Lets one transaction at a time change the keys; others read them meanwhile. */
export const lockKeyRecords = async (rows: Rows): Promise<void> =>
  void (await sql`lock table signing_key in share row exclusive mode`.execute(rows))

/** Date of the newest receipt of a key, epoch ms; a block ahead of the clock may have given it. */
const newestReceipt = async (rows: Rows, kid: string): Promise<number> => {
  const newest = sql<{ at: string | null }>`select max(document::jsonb->'signature'->>'signedAt') as at from (
    select document from work_receipt where kid = ${kid} union all select document from run_receipt where kid = ${kid}) receipts`
  return Date.parse((await readRow(rows, newest)).at ?? '') || 0
}

const retire = async (rows: Rows, { kid, purpose, validFrom }: KeyRecord, now: number): Promise<void> => {
  const retiredAt = Math.max(now, validFrom, purpose === 'receipt' ? await newestReceipt(rows, kid) : 0)
  const verifiesUntil = purpose === 'jwt' ? retiredAt + KEY_OVERLAP_MS : null
  await rows.updateTable('signing_key').set({ retiredAt, verifiesUntil }).where('kid', '=', kid).execute()
}

/** Records a new key as the current one and retires the key before it. Call it in a transaction that locked the records. */
export const insertCurrentKey = async (rows: Rows, purpose: KeyPurpose, key: SigningKey, clock: Clock): Promise<KeyRecord> => {
  const ofPurpose = rows.selectFrom('signing_key').selectAll().where('purpose', '=', purpose)
  const records = await ofPurpose.forUpdate().execute()
  // Read after the lock: a signature that was made before it has an earlier date.
  const now = clock.now()
  const current = records.find(({ retiredAt }) => retiredAt === null)
  if (current !== undefined) await retire(rows, current, now)
  const { fingerprint, jwk } = key
  const kid = `${KID_PREFIX[purpose]}-${records.length + 1}`
  const record = { kid, purpose, fingerprint, x: jwk.x, y: jwk.y, validFrom: now, retiredAt: null, verifiesUntil: null }
  await rows.insertInto('signing_key').values(record).execute()
  return record
}

/** Ends retired token keys: no process accepts their tokens from `now` on. Returns their ids. */
export const endTokenKeys = async (rows: Rows, now: number, kid?: string): Promise<string[]> => {
  const ended = await rows
    .updateTable('signing_key')
    .set({ verifiesUntil: sql`greatest(retired_at, ${new Date(now)})` })
    .where('purpose', '=', 'jwt')
    .where('verifiesUntil', '>', now)
    .$if(kid !== undefined, (those) => those.where('kid', '=', kid ?? ''))
    .returning('kid')
    .execute()
  return ended.map(({ kid: id }) => id).sort()
}

interface KeyUse extends RecordDeps {
  purpose: KeyPurpose
  readKey: () => Promise<SigningKey>
}

/** A key with its record; the id of the key is that of the record. */
export interface RecordedKey {
  key: SigningKey
  record: KeyRecord
}

/** Creates the reader of the key that signs now. A key that was never seen becomes the current one and retires the key before it. */
export const createCurrentKey = ({ database, clock, purpose, readKey }: KeyUse) => {
  const addRecord = (key: SigningKey): Promise<KeyRecord> =>
    database.transaction(async (rows) => {
      await lockKeyRecords(rows)
      return (await findKeyRecord(rows, purpose, key)) ?? insertCurrentKey(rows, purpose, key, clock)
    })
  const readOnce = async (rows: Rows): Promise<RecordedKey> => {
    const key = await readKey()
    const record = (await findKeyRecord(rows, purpose, key)) ?? (await addRecord(key))
    return { key: { ...key, kid: record.kid, jwk: { ...key.jwk, kid: record.kid } }, record }
  }
  return async (rows = database.rows): Promise<RecordedKey> => {
    const found = await readOnce(rows)
    // A retired key may have been replaced between the reading of its file and that of its record.
    return found.record.retiredAt === null ? found : readOnce(rows)
  }
}
export type CurrentKey = ReturnType<typeof createCurrentKey>
