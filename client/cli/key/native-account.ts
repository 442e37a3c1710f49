// Accounts of the native side of the chain: their addresses and their signatures.
import { ed25519 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import { getPublicKey, secretFromSeed, sign } from '@scure/sr25519'
import { keccak } from './address.ts'

/** Schemes of keys of native accounts. */
export const SCHEMES = ['sr25519', 'ed25519'] as const
export type Scheme = (typeof SCHEMES)[number]

/** A native account: its address of prefix 0, and how it signs. */
export interface NativeAccount {
  ss58: string
  scheme: Scheme
}

const PREFIX = 0

/** SS58 address with prefix 0 of an account id of 32 bytes. */
export const encodeSs58 = (accountId: Uint8Array): string => {
  const body = Buffer.concat([Buffer.of(PREFIX), accountId])
  const checksum = blake2b(Buffer.concat([Buffer.from('SS58PRE'), body]), { dkLen: 64 }).subarray(0, 2)
  return base58.encode(Buffer.concat([body, checksum]))
}

const FROM_ADDRESS = Buffer.alloc(12, 0xee)

/** Address that the contracts know an account by, in lower case. */
export const payoutAddress = (accountId: Uint8Array): string => {
  const isFromAddress = Buffer.from(accountId.subarray(20)).equals(FROM_ADDRESS)
  return `0x${Buffer.from(isFromAddress ? accountId.subarray(0, 20) : keccak(accountId).subarray(12)).toString('hex')}`
}

/** Account id of a mini secret of 32 bytes: the public key. */
export const accountIdOf = (secret: Uint8Array, scheme: Scheme): Uint8Array =>
  scheme === 'sr25519' ? getPublicKey(secretFromSeed(secret)) : ed25519.getPublicKey(secret)

/** Signature over a text between `<Bytes>` and `</Bytes>`, as browser extensions make it: no transaction can look like that. */
export const signWrapped = (secret: Uint8Array, scheme: Scheme, text: string): string => {
  const bytes = Buffer.from(`<Bytes>${text}</Bytes>`)
  const signature = scheme === 'sr25519' ? sign(secretFromSeed(secret), bytes) : ed25519.sign(bytes, secret)
  return `0x${Buffer.from(signature).toString('hex')}`
}
