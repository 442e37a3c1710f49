import { ed25519 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { verify as verifySr25519 } from '@scure/sr25519'
import { hexToBytes, stringToBytes } from 'viem/utils'
import type { Hex } from '../../common/hashes.ts'

/** Schemes of the keys of native accounts that can sign in. */
export const SIGNATURE_TYPES = ['sr25519', 'ed25519'] as const
type Scheme = (typeof SIGNATURE_TYPES)[number]

/** What a signature is worth; `unsupported` names a scheme that this service does not verify. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unsupported'

const SIGNATURE_BYTES = 64
const SCHEME_OF_TAG: readonly (Scheme | 'ecdsa')[] = ['ed25519', 'sr25519', 'ecdsa']
/** A hardware device signs the hash of a longer text. */
const LONGEST_UNHASHED_BYTES = 256

/** sr25519 sets the top bit of the last byte; ed25519 never does. */
const schemeByMark = (signature: Uint8Array): Scheme => ((signature[SIGNATURE_BYTES - 1] ?? 0) & 0x80 ? 'sr25519' : 'ed25519')

/** The scheme of a signature with its 64 bytes: by its tag, else by its mark. */
const readSignature = (given: Uint8Array): { scheme: Scheme; signature: Uint8Array } | 'invalid' | 'unsupported' => {
  if (given.length === SIGNATURE_BYTES) return { scheme: schemeByMark(given), signature: given }
  const tagged = SCHEME_OF_TAG[given[0] ?? -1] ?? 'unknown'
  // A signature of ECDSA has 65 bytes itself.
  if (given.length === SIGNATURE_BYTES + 2 && tagged === 'ecdsa') return 'unsupported'
  if (given.length !== SIGNATURE_BYTES + 1) return 'invalid'
  if (tagged === 'unknown' || tagged === 'ecdsa') return 'unsupported'
  const signature = given.subarray(1)
  return schemeByMark(signature) === tagged ? { scheme: tagged, signature } : 'invalid'
}

/** Whether bytes are a point of the curve in its one encoding, outside the small subgroup: there one signature fits many texts. */
const isSoundPoint = (bytes: Uint8Array): boolean => {
  try {
    return !ed25519.Point.fromBytes(bytes, false).isSmallOrder()
  } catch {
    // No point, or a second encoding of one.
    return false
  }
}

const VERIFY: Record<Scheme, (payload: Uint8Array, signature: Uint8Array, key: Uint8Array) => boolean> = {
  ed25519: (payload, signature, key) =>
    isSoundPoint(key) && isSoundPoint(signature.subarray(0, 32)) && ed25519.verify(signature, payload, key, { zip215: false }),
  sr25519: (payload, signature, key) => {
    try {
      return verifySr25519(payload, signature, key)
    } catch {
      // The library throws for a point or a number that is not in its one encoding.
      return false
    }
  },
}

/** The byte strings that a wallet may sign for a text: bare, as browser extensions wrap it, and what a hardware device signs. */
const payloadsOf = (text: string, scheme: Scheme): Uint8Array[] => {
  const wrapped = stringToBytes(`<Bytes>${text}</Bytes>`)
  const isHashed = scheme === 'ed25519' && wrapped.length > LONGEST_UNHASHED_BYTES
  return [stringToBytes(text), wrapped, ...(isHashed ? [blake2b(wrapped, { dkLen: 32 })] : [])]
}

/**
 * Verifies the signature (hex; 64 bytes, or 65 with a type first) of a text by the key of an account id. The signature names its scheme, and no
 * other is tried. Source: identity, "Native sign-in", accepted signatures.
 */
export const verifyNativeSignature = (text: string, given: Hex, accountId: Hex): SignatureVerdict => {
  const read = readSignature(hexToBytes(given))
  if (typeof read === 'string') return read
  const { scheme, signature } = read
  const key = hexToBytes(accountId)
  return payloadsOf(text, scheme).some((payload) => VERIFY[scheme](payload, signature, key)) ? 'valid' : 'invalid'
}
