import { keccak256, sha256, stringToBytes } from 'viem/utils'
import { canonicalJson } from './canonical-json.ts'

export type Hex = `0x${string}`

/** keccak256 of the canonical JSON: specHash, evidenceHash, definitionHash, schemaHash, verifierConfigHash, termsHash. */
export const keccakOf = (value: unknown): Hex => keccak256(stringToBytes(canonicalJson(value)))

/** SHA-256 of the canonical JSON: content blobs, receipt ids, request hashes. Never an evidence hash. */
export const sha256Of = (value: unknown): Hex => sha256(stringToBytes(canonicalJson(value)))

/** keccak256 of the UTF-8 bytes of a text. */
export const keccakOfText = (text: string): Hex => keccak256(stringToBytes(text))
