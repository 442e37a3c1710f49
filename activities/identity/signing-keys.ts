import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { DocumentSignature } from '../../schemas/operations/values.ts'
import type { Settings } from '../../schemas/settings.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { isSignedBy, loadSigningKey, type PublicJwk, type SigningKey, signDocument } from '../common/document-signing.ts'
import { type RecordDeps, type Rows, readRow } from '../database/database.ts'

export type KeyRecord = Tables['signing_key']

/**
 * Signs a document with the current key, dated now or `earliest` (epoch ms) if that is later: block time may be ahead. `rows` of a
 * transaction saves it a second connection. Throws `BlockedStepError` without a key.
 */
export type SignDocument = (document: object, earliest?: number, rows?: Rows) => Promise<DocumentSignature>

/** Key records, oldest first. */
export const listKeyRecords = (rows: Rows): Promise<KeyRecord[]> =>
  rows.selectFrom('signing_key').selectAll().orderBy('validFrom').execute()

/** Public half of a recorded key. */
const jwkOf = ({ kid, x, y }: KeyRecord): PublicJwk => ({ kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', use: 'sig', kid })

/** A key record as the key set lists it. */
export const keyView = (record: KeyRecord): PublicJwk => ({
  ...jwkOf(record),
  validFrom: iso(record.validFrom),
  retiredAt: isoOrNull(record.retiredAt),
})

/** Why a document is not authentic by the key records; null when it is. */
export const findForgery = async (records: readonly KeyRecord[], document: object): Promise<string | null> => {
  const { signature } = document as { signature?: Partial<DocumentSignature> }
  const record = records.find(({ kid }) => kid === signature?.kid)
  if (record === undefined) return 'an unknown key'
  const signedAt = Date.parse(signature?.signedAt ?? '')
  if (Number.isNaN(signedAt) || iso(signedAt) !== signature?.signedAt) return 'a date that is no instant'
  if (signedAt < record.validFrom) return 'a date before the key was valid'
  if (record.retiredAt !== null && signedAt > record.retiredAt) return 'a date after the key was retired'
  const publicKey = createPublicKey({ key: jwkOf(record), format: 'jwk' })
  return (await isSignedBy(publicKey, document)) ? null : 'another content or key'
}

const createUnavailableError = (message: string): BlockedStepError => new BlockedStepError('receipt_key_unavailable', message)

/** Reads the key anew, so that an unreadable file blocks a step and a replaced one rotates the key. */
export const createKeySource =
  ({ RECEIPT_KEY: pem, RECEIPT_KEY_FILE: path, RECEIPT_KEY_FINGERPRINT: fingerprint }: KeySettings) =>
  async (): Promise<SigningKey> => {
    try {
      return await loadSigningKey(path === undefined ? (pem ?? '') : await readFile(path, 'utf8'), 'badge', fingerprint)
    } catch (error) {
      throw createUnavailableError(`the key of badges and receipts cannot be read: ${error instanceof Error ? error.message : error}`)
    }
  }
type KeySettings = Pick<Settings, 'RECEIPT_KEY' | 'RECEIPT_KEY_FILE' | 'RECEIPT_KEY_FINGERPRINT'>

interface SignerDeps extends RecordDeps {
  readKey: () => Promise<SigningKey>
}

/** Creates the signer of a process. A key that was never seen becomes the current one and retires the key before it. */
export const createDocumentSigner = ({ database, clock, readKey }: SignerDeps): SignDocument & { register: () => Promise<void> } => {
  const findRecord = (rows: Rows, { fingerprint }: SigningKey): Promise<KeyRecord | undefined> =>
    rows.selectFrom('signing_key').selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst()

  /** End of the window of the current key: now, or the date of its newest receipt, which a block ahead of the clock may have given it. */
  const lastInstant = async (rows: Rows, now: number): Promise<number> => {
    const newest = sql<{ at: string | null }>`
      select max(document::jsonb->'signature'->>'signedAt') as at from work_receipt
      where kid in (select kid from signing_key where retired_at is null)`
    return Math.max(now, Date.parse((await readRow(rows, newest)).at ?? '') || 0)
  }

  const addRecord = (key: SigningKey): Promise<KeyRecord> =>
    database.transaction(async (rows) => {
      await sql`lock table signing_key in share row exclusive mode`.execute(rows)
      const known = await findRecord(rows, key)
      if (known !== undefined) return known
      const now = clock.now()
      const { length } = await listKeyRecords(rows)
      await rows
        .updateTable('signing_key')
        .set({ retiredAt: await lastInstant(rows, now) })
        .where('retiredAt', 'is', null)
        .execute()
      const { x, y } = key.jwk
      const record = { kid: `badge-${length + 1}`, fingerprint: key.fingerprint, x, y, validFrom: now, retiredAt: null }
      await rows.insertInto('signing_key').values(record).execute()
      return record
    })

  const currentKey = async (rows = database.rows): Promise<{ key: SigningKey; validFrom: number }> => {
    const key = await readKey()
    const { kid, validFrom, retiredAt } = (await findRecord(rows, key)) ?? (await addRecord(key))
    if (retiredAt !== null) throw createUnavailableError(`the key ${kid} was retired at ${iso(retiredAt)}`)
    return { key: { ...key, kid }, validFrom }
  }

  const sign: SignDocument = async (document, earliest = 0, rows) => {
    // Dated before the key is read: a rotation in between retires the key later than this.
    const now = clock.now()
    const { key, validFrom } = await currentKey(rows)
    return signDocument(key, document, iso(Math.max(now, earliest, validFrom)))
  }
  return Object.assign(sign, { register: async () => void (await currentKey()) })
}
