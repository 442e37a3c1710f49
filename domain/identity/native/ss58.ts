import { blake2b } from '@noble/hashes/blake2.js'
import { base58 } from '@scure/base'
import { bytesToHex, concatBytes, hexToBytes, stringToBytes } from 'viem/utils'
import type { Hex } from '../../common/hashes.ts'

/** Why a text is no SS58 address of an account id: other letters than base58 has, or the first part that is not valid. */
export type Ss58Fault = 'alphabet' | 'length' | 'prefix' | 'checksum'

/** An account id (32 bytes, lower-case hex) with the network prefix of its address. */
export interface Ss58Account {
  accountId: Hex
  prefix: number
}

/** The longest address has 50 characters; a longer text is not decoded. */
const MOST_CHARACTERS = 64
const ID_BYTES = 32
const CHECKSUM_BYTES = 2
const LAST_PREFIX = 16_383

const checksum = (body: Uint8Array): Uint8Array =>
  blake2b(concatBytes([stringToBytes('SS58PRE'), body]), { dkLen: 64 }).subarray(0, CHECKSUM_BYTES)

/** Prefixes below 64 have one byte, all others two. */
const prefixBytes = (prefix: number): Uint8Array =>
  prefix < 64 ? Uint8Array.of(prefix) : Uint8Array.of(((prefix & 0xfc) >> 2) | 0x40, (prefix >> 8) | ((prefix & 3) << 6))

const readPrefix = ([first = 0, second = 0]: Uint8Array): { prefix: number; bytes: 1 | 2 } | null => {
  if (first < 64) return { prefix: first, bytes: 1 }
  const prefix = ((first & 0x3f) << 2) | (second >> 6) | ((second & 0x3f) << 8)
  // First bytes from 128 on are reserved; two bytes for a prefix below 64 would be a second address of one account and network.
  return first > 127 || prefix < 64 ? null : { prefix, bytes: 2 }
}

const decodeBase58 = (text: string): Uint8Array | null => {
  try {
    return base58.decode(text)
  } catch {
    // The library throws plain errors for a letter outside the alphabet.
    return null
  }
}

/** Decodes an SS58 address of any network. Letter case counts. Source: identity, "SS58". */
export const decodeSs58 = (text: string): Ss58Account | Ss58Fault => {
  if (text.length > MOST_CHARACTERS) return 'length'
  const raw = decodeBase58(text)
  if (raw === null) return 'alphabet'
  if (raw.length < 1 + ID_BYTES + CHECKSUM_BYTES || raw.length > 2 + ID_BYTES + CHECKSUM_BYTES) return 'length'
  const found = readPrefix(raw)
  if (found === null) return 'prefix'
  if (raw.length !== found.bytes + ID_BYTES + CHECKSUM_BYTES) return 'length'
  const body = raw.subarray(0, -CHECKSUM_BYTES)
  if (checksum(body).some((byte, place) => byte !== raw[body.length + place])) return 'checksum'
  return { accountId: bytesToHex(body.subarray(found.bytes)), prefix: found.prefix }
}

/** The SS58 address of an account id (0x and 64 hex digits) for a network prefix from 0 to 16383. Throws a RangeError for any other. */
export const encodeSs58 = (accountId: Hex, prefix = 0): string => {
  const id = hexToBytes(accountId)
  if (id.length !== ID_BYTES) throw new RangeError('an account id has 32 bytes')
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > LAST_PREFIX) throw new RangeError('a prefix is an integer from 0 to 16383')
  const body = concatBytes([prefixBytes(prefix), id])
  return base58.encode(concatBytes([body, checksum(body)]))
}
