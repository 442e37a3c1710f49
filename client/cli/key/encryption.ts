// The encrypted part of keystore files, as version 3 of "Web3 Secret Storage" defines it.
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { isRecord } from '../../src/json.ts'
import { keyError } from '../failures.ts'
import { keccak } from './address.ts'

/** Cost of a derivation. */
export interface ScryptCost {
  n: number
  r: number
  p: number
}

/** What geth writes: about a second and 256 MiB. */
export const STANDARD_COST: ScryptCost = { n: 262_144, r: 8, p: 1 }

const MEMORY_LIMIT = 512 * 1024 * 1024
/** Four times the work of a standard file. */
const WORK_LIMIT = 4 * STANDARD_COST.n * STANDARD_COST.r
const ROUNDS_LIMIT = 10_000_000
const SALT_BYTES_LIMIT = 256

export type Members = Readonly<Record<string, unknown>>

/** Refuses a keystore file. */
export const broken = (detail: string): never => {
  throw keyError(`The keystore file is not valid: ${detail}.`)
}

/** An object of the file, `name` for refusals. */
export const membersOf = (value: unknown, name: string): Members =>
  isRecord(value) && !Array.isArray(value) ? value : broken(`${name} is not an object`)

/** Bytes of a member in hex. */
export const hexOf = (members: Members, name: string, bytes: { exactly: number } | { most: number }): Buffer => {
  const text = members[name]
  // No repeated group: on a long text it may overflow the stack.
  if (typeof text !== 'string' || !/^(0x)?[0-9a-fA-F]+$/.test(text) || text.length % 2 !== 0) return broken(`${name} is not hex`)
  const value = Buffer.from(text.replace(/^0x/, ''), 'hex')
  if ('exactly' in bytes ? value.length !== bytes.exactly : value.length > bytes.most)
    return broken('exactly' in bytes ? `${name} has ${value.length} bytes, not ${bytes.exactly}` : `${name} is too long`)
  return value
}

const countOf = (members: Members, name: string, limit: number): number => {
  const value = members[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) return broken(`${name} is not a whole number above zero`)
  return value <= limit ? value : broken(`${name} is ${value}, and more than ${limit} is refused`)
}

const scryptCost = (parameters: Members): ScryptCost => {
  const [n, r, p] = [countOf(parameters, 'n', 2 ** 30), countOf(parameters, 'r', 2 ** 20), countOf(parameters, 'p', 2 ** 20)]
  if (n < 2 || !Number.isInteger(Math.log2(n))) return broken('n is not a power of two above one')
  if (128 * n * r > MEMORY_LIMIT) return broken(`n and r need ${Math.round((128 * n * r) / 2 ** 20)} MiB, and more than 512 is refused`)
  return n * r * p <= WORK_LIMIT ? { n, r, p } : broken('n, r and p need more work than is allowed')
}

/** Key of 32 bytes. The cost has to be bounded before. The scrypt of OpenSSL refuses n of 65,536 and more with r of 1, which geth accepts. */
const deriveScrypt = async (passphrase: string, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> =>
  Buffer.from(await scryptAsync(passphrase, salt, { N: n, r, p, dkLen: 32, maxmem: 128 * r * (n + p + 1) }))

/** Derivation that a file names, with its parameters checked; it has not run yet. */
const readDerivation = (crypto: Members): ((passphrase: string) => Promise<Buffer>) => {
  const parameters = membersOf(crypto.kdfparams, 'kdfparams')
  const salt = hexOf(parameters, 'salt', { most: SALT_BYTES_LIMIT })
  if (parameters.dklen !== 32) return broken('dklen is not 32')
  if (crypto.kdf === 'scrypt') {
    const cost = scryptCost(parameters)
    return (passphrase) => deriveScrypt(passphrase, salt, cost)
  }
  if (crypto.kdf !== 'pbkdf2') return broken('kdf is neither scrypt nor pbkdf2')
  if (parameters.prf !== 'hmac-sha256') return broken('prf is not hmac-sha256')
  const rounds = countOf(parameters, 'c', ROUNDS_LIMIT)
  return (passphrase) => promisify(pbkdf2)(passphrase, salt, rounds, 32, 'sha256')
}

/** Unicode form of the passphrase of a new key. */
export const NEW_KEY_FORM = 'NFC'

/** A passphrase as it is given, then in the forms that systems and wallets write it in; each spelling once. */
const spellings = (passphrase: string): string[] => [...new Set([passphrase, passphrase.normalize('NFC'), passphrase.normalize('NFKC')])]

/** Checks an encrypted secret of 32 bytes without deriving anything. Returns a function that decrypts it, and throws when the passphrase is wrong. */
export const readEncrypted = (crypto: Members): ((passphrase: string) => Promise<Buffer>) => {
  if (crypto.cipher !== 'aes-128-ctr') return broken('cipher is not aes-128-ctr')
  const iv = hexOf(membersOf(crypto.cipherparams, 'cipherparams'), 'iv', { exactly: 16 })
  const ciphertext = hexOf(crypto, 'ciphertext', { exactly: 32 })
  const mac = hexOf(crypto, 'mac', { exactly: 32 })
  const derive = readDerivation(crypto)
  /** What the first spelling that fits derives. */
  const findDerived = async (passphrase: string): Promise<Buffer | undefined> => {
    for (const spelling of spellings(passphrase)) {
      const derived = await derive(spelling)
      if (timingSafeEqual(keccak(Buffer.concat([derived.subarray(16, 32), ciphertext])), mac)) return derived
    }
    return undefined
  }
  return async (passphrase) => {
    const derived = await findDerived(passphrase)
    if (derived === undefined) throw keyError('The passphrase does not open the keystore file, nor does its form NFC or NFKC.')
    const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  }
}

/** Encrypts a secret of 32 bytes with a passphrase in the form of new keys. Returns the member `crypto` of a keystore file. */
export const encryptSecret = async (secret: Uint8Array, passphrase: string, cost: ScryptCost): Promise<object> => {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const derived = await deriveScrypt(passphrase.normalize(NEW_KEY_FORM), salt, cost)
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
  return {
    cipher: 'aes-128-ctr',
    ciphertext: ciphertext.toString('hex'),
    cipherparams: { iv: iv.toString('hex') },
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n: cost.n, p: cost.p, r: cost.r, salt: salt.toString('hex') },
    mac: keccak(Buffer.concat([derived.subarray(16, 32), ciphertext])).toString('hex'),
  }
}
