import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** Message that a wallet signs to sign in; a challenge is valid once. */
export const AuthChallenge = defineEntity({
  name: 'AuthChallenge',
  properties: {
    nonce: p.text().primary(),
    kind: p.text().$type<'evm' | 'native'>(),
    /** Lower-case wallet that asked. */
    subject: p.text(),
    message: p.text(),
    issuedAt: instant(),
    expiresAt: instant(),
    consumedAt: instant().nullable(),
  },
})

/** Public half of a key that signs badges and receipts, with its window. Never deleted: old documents name their key. */
export const SigningKeyRecord = defineEntity({
  name: 'SigningKeyRecord',
  tableName: 'signing_key',
  properties: {
    kid: p.text().primary(),
    /** SHA-256 (hex) of the public key's SPKI. */
    fingerprint: p.text(),
    x: p.text(),
    y: p.text(),
    validFrom: instant(),
    /** Null for the current key. */
    retiredAt: instant().nullable(),
  },
})

/** Access token revoked before its expiry. */
export const RevokedToken = defineEntity({
  name: 'RevokedToken',
  properties: {
    jti: p.text().primary(),
    subject: p.text(),
    revokedAt: instant(),
    /** The token's own expiry. */
    expiresAt: instant(),
    reason: p.text().$type<'logout' | 'refresh' | 'operator'>(),
  },
})
