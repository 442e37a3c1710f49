import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** A new P-256 key, as PKCS#8 PEM. */
export const createSigningKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A new secret of 32 bytes, as hex digits. */
export const createSecret = (): string => randomBytes(32).toString('hex')
