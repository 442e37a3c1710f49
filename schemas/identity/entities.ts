import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { SessionEnd } from './auth-sessions.ts'
import type { Capability } from './authorisation.ts'
import type { DelegateClient, DelegateTerms } from './delegate-terms.ts'

/** Terms of a message for a delegate. `endsAt` in epoch ms. */
export interface DelegateRequest {
  terms: DelegateTerms
  client: DelegateClient
  endsAt: number
  /** The request of OAuth that the signature answers; null for `POST /auth/verify`. */
  interaction: string | null
}

/** Message that a wallet signs to sign in; a challenge is valid once. */
export const AuthChallenge = defineEntity({
  name: 'AuthChallenge',
  properties: {
    nonce: p.text().primary(),
    kind: p.text().$type<'evm' | 'native'>(),
    /** Lower-case wallet that asked, or SS58 address (prefix 0) of a native account. */
    subject: p.text(),
    message: p.text(),
    /** What the message grants to a delegate; null for the sign-in of the wallet itself. */
    delegate: p.json<DelegateRequest>().nullable(),
    issuedAt: instant(),
    expiresAt: instant(),
    consumedAt: instant().nullable(),
  },
})

/** Public half of a key that signs tokens, or badges and receipts, with its window. Never deleted: old documents name their key. */
export const SigningKeyRecord = defineEntity({
  name: 'SigningKeyRecord',
  tableName: 'signing_key',
  properties: {
    kid: p.text().primary(),
    /** `jwt`: access tokens; `receipt`: badges and receipts. Each has one current key. */
    purpose: p.text().$type<'jwt' | 'receipt'>(),
    /** SHA-256 (hex) of the public key's SPKI. */
    fingerprint: p.text(),
    x: p.text(),
    y: p.text(),
    validFrom: instant(),
    /** Null for the current key. */
    retiredAt: instant().nullable(),
    /** From then on no token of a retired token key is accepted; null for the current key and for keys of documents. */
    verifiesUntil: instant().nullable(),
  },
})

/** Service token revoked before its expiry. The token of a wallet ends with its sign-in. */
export const RevokedToken = defineEntity({
  name: 'RevokedToken',
  properties: {
    jti: p.text().primary(),
    subject: p.text(),
    revokedAt: instant(),
    /** The token's own expiry. */
    expiresAt: instant(),
    reason: p.text().$type<'logout'>(),
  },
})

/** A sign-in of a wallet: the tokens that came from one signature, of which the last one counts. Deleted a day after the last token has expired. */
export const AuthSession = defineEntity({
  name: 'AuthSession',
  properties: {
    /** UUID; the claim `sid` of its tokens. */
    id: p.text().primary(),
    /** Lower-case wallet. */
    subject: p.text(),
    /** To the second, as the claim `auth_time`. */
    signedInAt: instant(),
    /** Id of the token that counts. */
    lastJti: p.text(),
    /** Id of the token that was exchanged for it; null before the first exchange. */
    previousJti: p.text().nullable(),
    /** When the token that counts was issued, and its expiry. */
    issuedAt: instant(),
    expiresAt: instant(),
    /** Begin of the hour of the last use; null before the first one was written. */
    lastUsedAt: instant().nullable(),
    /** Network of the client at its last use, or at the sign-in: the /24 of an IPv4 address, the /48 of an IPv6 address. */
    network: p.text().nullable(),
    endedAt: instant().nullable(),
    endReason: p.text().$type<SessionEnd>().nullable(),
    /** Raised by each exchange of its token and by its end. */
    version: p.integer(),
  },
})

/** Capabilities that an operator granted, to a wallet or with one service token, or that a wallet granted to a delegate. Never deleted: it says who could do what, and when. */
export const CapabilityGrant = defineEntity({
  name: 'CapabilityGrant',
  properties: {
    id: p.text().primary(),
    /** `token`: the capabilities of one service token; `wallet`: an addition to every token of the wallet's own sign-in; `delegate`: a part of the wallet's own. */
    kind: p.text().$type<'token' | 'wallet' | 'delegate'>(),
    /** Lower-case wallet that gets them, or for which a service token or delegate acts. */
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
    /** Of a delegate: its terms, who it is, and the message and signature by which the wallet granted them. */
    terms: p.json<DelegateTerms>().nullable(),
    client: p.json<DelegateClient>().nullable(),
    message: p.text().nullable(),
    signature: p.text().nullable(),
    /** The grant whose token this one replaced. */
    rotatedFrom: p.text().nullable(),
    revokedAt: instant().nullable(),
    revokedBy: p.text().nullable(),
    revokeNote: p.text().nullable(),
    /** Raised by each change. */
    version: p.integer(),
  },
})

/** Native account that has signed in. Never deleted: records name its wallet, and this says whose key it is. */
export const NativeAccount = defineEntity({
  name: 'NativeAccount',
  properties: {
    /** H160 that the chain derives from the account id, in lower case: the wallet of every record. */
    wallet: p.text().primary(),
    /** AccountId32, 0x and 64 hex digits in lower case. */
    accountId: p.text(),
    /** The account id as an SS58 address with prefix 0. Its letter case counts. */
    ss58: p.text(),
    firstSignedInAt: instant(),
  },
})
