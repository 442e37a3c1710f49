import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import type { DocumentSignature } from '../../schemas/operations/values.ts'
import type { Settings } from '../../schemas/settings.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { isSignedBy, type ListedKey, loadSigningKey, type PublicJwk, type SigningKey, signDocument } from '../common/document-signing.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { createCurrentKey, type KeyPurpose, type KeyRecord } from './key-records.ts'

/**
 * Signs a document with the current key, dated now or `earliest` (epoch ms) if that is later: block time may be ahead. `rows` of a
 * transaction saves it a second connection. Throws `BlockedStepError` without a key.
 */
export type SignDocument = (document: object, earliest?: number, rows?: Rows) => Promise<DocumentSignature>

/** Public half of a recorded key. */
export const jwkOf = ({ kid, x, y }: KeyRecord): PublicJwk => ({ kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', use: 'sig', kid })

/** A key record as the key set lists it. */
export const keyView = (record: KeyRecord): ListedKey => ({
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

const SETTINGS = { jwt: 'JWT_KEY', receipt: 'RECEIPT_KEY' } as const satisfies Record<KeyPurpose, string>
type KeySetting = (typeof SETTINGS)[KeyPurpose]
type KeySettings<Name extends KeySetting> = Pick<Settings, Name | `${Name}_FILE` | `${Name}_FINGERPRINT`>

/** Settings of the key of a purpose. */
export const keySettings = (settings: KeySettings<KeySetting>, purpose: KeyPurpose) => {
  const name = SETTINGS[purpose]
  return { name, pem: settings[name], path: settings[`${name}_FILE`], fingerprint: settings[`${name}_FINGERPRINT`] }
}

const loadConfigured = async ({ pem, path, fingerprint }: Omit<ReturnType<typeof keySettings>, 'name'>): Promise<SigningKey> =>
  loadSigningKey(path === undefined ? (pem ?? '') : await readFile(path, 'utf8'), 'configured', fingerprint)

/** Reads the key anew, so that an unreadable file blocks a step and a replaced one rotates the key. */
export const createKeySource =
  ({ RECEIPT_KEY: pem, RECEIPT_KEY_FILE: path, RECEIPT_KEY_FINGERPRINT: fingerprint }: KeySettings<'RECEIPT_KEY'>) =>
  async (): Promise<SigningKey> => {
    try {
      return await loadConfigured({ pem, path, fingerprint })
    } catch (error) {
      throw createUnavailableError(`the key of badges and receipts cannot be read: ${error instanceof Error ? error.message : error}`)
    }
  }

/**
 * Reads the token key anew, so that a replaced file rotates it. A file that cannot be read leaves the last key in use. `report` gets the
 * reason once, and null when the file can be read again. Throws when there was no key yet.
 */
export const createTokenKeySource = (
  { JWT_KEY: pem, JWT_KEY_FILE: path, JWT_KEY_FINGERPRINT: fingerprint }: KeySettings<'JWT_KEY'>,
  report: (problem: string | null) => void,
) => {
  let last: SigningKey | null = null
  let reported: string | null = null
  const set = (problem: string | null): void => {
    if (problem !== reported) report(problem)
    reported = problem
  }
  return async (): Promise<SigningKey> => {
    try {
      last = await loadConfigured({ pem, path, fingerprint })
      set(null)
    } catch (error) {
      if (last === null) throw error
      set(error instanceof Error ? error.message : String(error))
    }
    return last
  }
}

interface SignerDeps extends RecordDeps {
  readKey: () => Promise<SigningKey>
}

/** Creates the signer of a process. A key that was never seen becomes the current one and retires the key before it. */
export const createDocumentSigner = ({ clock, ...deps }: SignerDeps): SignDocument & { register: () => Promise<void> } => {
  const readCurrent = createCurrentKey({ ...deps, clock, purpose: 'receipt' })

  const currentKey = async (rows?: Rows): Promise<{ key: SigningKey; validFrom: number }> => {
    const { key, record } = await readCurrent(rows)
    if (record.retiredAt !== null) throw createUnavailableError(`the key ${record.kid} was retired at ${iso(record.retiredAt)}`)
    return { key, validFrom: record.validFrom }
  }

  const sign: SignDocument = async (document, earliest = 0, rows) => {
    // Dated before the key is read: a rotation in between retires the key later than this.
    const now = clock.now()
    const { key, validFrom } = await currentKey(rows)
    return signDocument(key, document, iso(Math.max(now, earliest, validFrom)))
  }
  return Object.assign(sign, { register: async () => void (await currentKey()) })
}
