// Typed-data shapes of the contracts, and what a bad signature looks like.
import { type Hex, parseSignature, serializeSignature, toHex } from 'viem'

export const SCHEMA_TYPES = {
  ExternalSchemaRegistration: [
    { name: 'schemaHash', type: 'bytes32' },
    { name: 'schemaUrl', type: 'string' },
    { name: 'jobId', type: 'bytes32' },
  ],
} as const

export const SEND_TYPES = {
  SendToAgent: [
    { name: 'from', type: 'address' },
    { name: 'recipient', type: 'address' },
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export const TOKEN_TYPES = {
  TransferWithAuthorization: AUTHORIZATION,
  ReceiveWithAuthorization: AUTHORIZATION,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same message, which must not be accepted. */
export function highS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: toHex(ORDER - BigInt(s), { size: 32 }), yParity: yParity === 0 ? 1 : 0 })
}
