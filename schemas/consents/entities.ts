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
  tableName: 'quote',
  primaryKeys: ['termsHash'],
  properties: { ...offered, expiresAt: instant() },
})

/** Signed consent of a wallet to stored terms; never changed. */
export const Consent = defineEntity({
  name: 'Consent',
  tableName: 'consent',
  primaryKeys: ['termsHash'],
  properties: { ...offered, signature: p.text(), storedAt: instant() },
})
