import { scryptAsync } from '@noble/hashes/scrypt.js'

/** Cost of a derivation. */
export interface ScryptCost {
  n: number
  r: number
  p: number
}

/** Key of 32 bytes. The cost has to be bounded before. The scrypt of OpenSSL refuses n of 65,536 and more with r of 1, which geth accepts. */
export const deriveScrypt = async (passphrase: string, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> =>
  Buffer.from(await scryptAsync(passphrase, salt, { N: n, r, p, dkLen: 32, maxmem: 128 * r * (n + p + 1) }))
