import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { ConsentKind, Terms } from './record.ts'

const offered = {
  /** keccak256 of the canonical JSON of the terms. */
  termsHash: p.text().primary(),
  kind: p.text().$type<ConsentKind>(),
  /** Lower case. */
  wallet: p.text(),
  terms: p.json<Terms>(),
  /** The exact text that the wallet signs. */
  message: p.text(),
}

/** Terms that were offered to a wallet. A consent is accepted to stored terms only. */
export const Quote = defineEntity({
  name: 'Quote',
  properties: { ...offered, expiresAt: instant() },
})

/** Signed consent of a wallet to stored terms; never changed. */
export const Consent = defineEntity({
  name: 'Consent',
  properties: { ...offered, signature: p.text(), storedAt: instant() },
})

/** What a wallet lets the directory show; a wallet without a row shows nothing. */
export const AgentConsent = defineEntity({
  name: 'AgentConsent',
  properties: {
    /** Lower case. */
    wallet: p.text().primary(),
    publicProfile: p.boolean(),
    /** Never true without `publicProfile`. */
    currentActivity: p.boolean(),
    /** Version of the text that the wallet accepted. */
    policyVersion: p.integer(),
    updatedAt: instant(),
  },
})

/** Append-only log of the changes of consents. */
export const AgentConsentEvent = defineEntity({
  name: 'AgentConsentEvent',
  properties: {
    seq: p.bigint().primary().autoincrement(),
    wallet: p.text(),
    wasPublicProfile: p.boolean(),
    wasCurrentActivity: p.boolean(),
    publicProfile: p.boolean(),
    currentActivity: p.boolean(),
    policyVersion: p.integer(),
    /** Token of the request; null in permissive mode. */
    jti: p.text().nullable(),
    at: instant(),
  },
})
