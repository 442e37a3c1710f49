import { ed25519 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import * as sr25519 from '@scure/sr25519'
import { bytesToHex, stringToBytes } from 'viem/utils'
import { type NativeAccount, nativeAccountOf } from '../../../../domain/identity/native/account.ts'

/** What a wallet makes of a text before it signs: nothing, the wrapping of a browser extension, or the hash of a hardware device. */
export type SigningForm = 'bare' | 'wrapped' | 'hashed'

/** A key of a native account. */
export interface NativeSigner {
  scheme: 'sr25519' | 'ed25519'
  account: NativeAccount
  /** Signature (hex, 64 bytes) of a text. The first form is `wrapped`. */
  sign(text: string, form?: SigningForm): `0x${string}`
}

/** The bytes that a wallet signs for a text. */
export const payloadOf = (text: string, form: SigningForm): Uint8Array => {
  if (form === 'bare') return stringToBytes(text)
  const wrapped = stringToBytes(`<Bytes>${text}</Bytes>`)
  return form === 'hashed' ? blake2b(wrapped, { dkLen: 32 }) : wrapped
}

const seedOf = (seed: number): Uint8Array => new Uint8Array(32).fill(seed)

/** A key from a seed that repeats one byte. */
export const ed25519Signer = (seed: number): NativeSigner => ({
  scheme: 'ed25519',
  account: nativeAccountOf(bytesToHex(ed25519.getPublicKey(seedOf(seed)))),
  sign: (text, form = 'wrapped') => bytesToHex(ed25519.sign(payloadOf(text, form), seedOf(seed))),
})

/** A key from a mini secret that repeats one byte. */
export const sr25519Signer = (seed: number): NativeSigner => {
  const secret = sr25519.secretFromSeed(seedOf(seed))
  return {
    scheme: 'sr25519',
    account: nativeAccountOf(bytesToHex(sr25519.getPublicKey(secret))),
    sign: (text, form = 'wrapped') => bytesToHex(sr25519.sign(secret, payloadOf(text, form))),
  }
}
