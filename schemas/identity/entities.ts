import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { Capability } from './authorisation.ts'

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

/** Capabilities that an operator granted: to a wallet, or with one service token. Never deleted: it says who could do what, and when. */
export const CapabilityGrant = defineEntity({
  name: 'CapabilityGrant',
  properties: {
    id: p.text().primary(),
    /** `token`: the capabilities of one service token; `wallet`: an addition to every token of the wallet's own sign-in. */
    kind: p.text().$type<'token' | 'wallet'>(),
    /** Lower-case wallet that gets them, and for which a service token acts. */
    subject: p.text(),
    /** Sorted and distinct. */
    capabilities: p.json<Capability[]>(),
    scope: p.text().nullable(),
    note: p.text().nullable(),
    issuedBy: p.text(),
    issuedAt: instant(),
    /** Null for a grant without an end. */
    expiresAt: instant().nullable(),
    /** Id of the service token; null for a grant to a wallet. */
    jti: p.text().nullable(),
    tokenExpiresAt: instant().nullable(),
    /** The grant whose token this one replaced. */
    rotatedFrom: p.text().nullable(),
    revokedAt: instant().nullable(),
    revokedBy: p.text().nullable(),
    revokeNote: p.text().nullable(),
    /** Raised by each change. */
    version: p.integer(),
  },
})
