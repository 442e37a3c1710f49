import { createECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Keccak-256 of bytes. */
export const keccak = (bytes: Uint8Array): Buffer => Buffer.from(keccak_256(bytes))

/** Address of a secp256k1 key in lower case; undefined when the bytes are no key of the curve. */
export const findAddress = (privateKey: Uint8Array): string | undefined => {
  const curve = createECDH('secp256k1')
  try {
    curve.setPrivateKey(privateKey)
  } catch {
    return undefined
  }
  return `0x${keccak(curve.getPublicKey().subarray(1)).subarray(-20).toString('hex')}`
}

/** Address with the EIP-55 checksum in the case of its letters. */
export const checksumAddress = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak(Buffer.from(digits)).toString('hex')
  return `0x${[...digits].map((digit, index) => (Number.parseInt(hash[index] ?? '0', 16) > 7 ? digit.toUpperCase() : digit)).join('')}`
}
