import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { SignedTransfer } from '../../schemas/paid-verification/record.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/** Name of a run in records, engine, logs and metrics: 64 hex digits from which its id cannot be found. */
export const runKeyOf = (runId: string): string => createHash('sha256').update(runId).digest('hex')

/** What the service keeps secret about runs. `secret`: `VERIFICATION_SECRET`. */
export const createRunSecrets = (secret: string) => {
  const sealingKey = Buffer.from(hkdfSync('sha256', secret, '', 'credential of a target', 32))

  return {
    /** Id of the run that an authorisation pays for, `verify-<uuid>`. It follows from the authorisation, so that it is stored nowhere. */
    runIdOf: ({ network, asset, payer, nonce }: Pick<SignedTransfer, 'network' | 'asset' | 'payer' | 'nonce'>): string => {
      const bytes = createHmac('sha256', secret).update(`run ${network} ${asset} ${payer} ${nonce}`.toLowerCase()).digest()
      // Version 8, variant 1: a UUID of the issuer's own making.
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
      return `verify-${bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`
    },

    /** Seals a credential for the worker that runs the profile; only the same run opens it. */
    sealCredential: (credential: string, runKey: string): string => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealingKey, nonce).setAAD(Buffer.from(runKey))
      return Buffer.concat([nonce, cipher.update(credential, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
    },

    /** Opens a sealed credential. Throws when it was sealed for another run or with another secret. */
    openCredential: (sealed: string, runKey: string): string => {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv(ALGORITHM, sealingKey, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(runKey))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
export type RunSecrets = ReturnType<typeof createRunSecrets>
