import { recoverMessageAddress } from 'viem'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { type Hex, keccakOf } from '../../domain/common/hashes.ts'
import { isCanonicalSignature } from '../../domain/consents/message.ts'
import type { ConsentKind, Terms } from '../../schemas/consents/record.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'

/** Terms that were offered to a wallet, with the text that it signs. */
export interface StoredQuote {
  termsHash: string
  kind: ConsentKind
  /** Lower case. */
  wallet: string
  terms: Terms
  message: string
  /** Epoch ms. */
  expiresAt: number
}

/** Stores a quote. Equal terms are stored once. */
export const insertQuote = async (rows: Rows, quote: StoredQuote): Promise<void> => {
  await rows
    .insertInto('quote')
    .values(quote)
    .onConflict((conflict) => conflict.column('termsHash').doNothing())
    .execute()
}

/** A stored quote of the kind; null for an unknown hash. */
export const findQuote = async (rows: Rows, kind: ConsentKind, termsHash: string): Promise<StoredQuote | null> =>
  (await rows.selectFrom('quote').selectAll().where('termsHash', '=', termsHash).where('kind', '=', kind).executeTakeFirst()) ?? null

/** Deletes quotes that expired before an instant (epoch ms). */
export const deleteQuotes = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('quote').where('expiresAt', '<', before).execute()
}

/** A signed consent to a quote. */
export interface SignedConsent {
  terms: unknown
  termsHash: string
  signature: string
}

export type ConsentRefusal = 'terms_hash_mismatch' | 'binding_mismatch' | 'signer_mismatch'

/** Who signed a text, lower case; null for a signature of another form. */
export const recoverSigner = async (message: string, signature: string): Promise<string | null> => {
  if (!isCanonicalSignature(signature)) return null
  try {
    return (await recoverMessageAddress({ message, signature: signature as Hex })).toLowerCase()
  } catch {
    // A point that is not on the curve.
    return null
  }
}

/**
 * Why a consent of a wallet (lower case) is not one to the stored quote; null when it is. The sent terms are compared byte for byte with the
 * stored ones, and the signature with the stored text. Throws `invalid_request` for terms without a canonical form.
 */
export const checkConsent = async (
  quote: Pick<StoredQuote, 'wallet' | 'terms' | 'termsHash' | 'message'>,
  consent: SignedConsent,
  wallet: string,
): Promise<ConsentRefusal | null> => {
  const sent = canonicalJson(consent.terms)
  if (sent !== canonicalJson(quote.terms) || keccakOf(consent.terms) !== quote.termsHash) return 'terms_hash_mismatch'
  if (quote.wallet !== wallet) return 'binding_mismatch'
  return (await recoverSigner(quote.message, consent.signature)) === wallet ? null : 'signer_mismatch'
}

/** Stores a consent to a quote, also as content of its wallet; a repeat changes nothing. */
export const insertConsent = async (rows: Rows, quote: StoredQuote, signature: string, storedAt: number): Promise<void> => {
  const { expiresAt: _, ...consent } = quote
  await rows
    .insertInto('consent')
    .values({ ...consent, signature, storedAt })
    .onConflict((conflict) => conflict.column('termsHash').doNothing())
    .execute()
  const { kind, wallet, terms, termsHash, message } = consent
  const payload = { terms, termsHash, message, signature }
  await storeContent(rows, { contentType: kind, payload, owners: [wallet], at: storedAt })
}

/** A stored consent of the kind; null without one. */
export const findConsent = async (rows: Rows, kind: ConsentKind, termsHash: string) =>
  (await rows.selectFrom('consent').selectAll().where('termsHash', '=', termsHash).where('kind', '=', kind).executeTakeFirst()) ?? null
