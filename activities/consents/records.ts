import { recoverMessageAddress } from 'viem'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { type Hex, keccakOf } from '../../domain/common/hashes.ts'
import { isCanonicalSignature } from '../../domain/common/signature.ts'
import type { ConsentProduct } from '../../domain/consents/message.ts'
import { verifyNativeSignature } from '../../domain/identity/native/signature.ts'
import type { ConsentKind, Terms } from '../../schemas/consents/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { findNativeAccount } from '../identity/native-accounts.ts'

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

/** A stored quote; throws the refusal of an unknown one. */
export const getQuote = async (rows: Rows, { kind, errors }: ConsentProduct, termsHash: string): Promise<StoredQuote> => {
  const quote = await rows.selectFrom('quote').selectAll().where('termsHash', '=', termsHash).where('kind', '=', kind).executeTakeFirst()
  if (quote === undefined) throw new ServiceError(errors.quote_unknown)
  return quote
}

/** The quote of a stored consent, which has expired, or else a stored quote; throws the refusal of an unknown one. */
export const getOffer = async (rows: Rows, product: ConsentProduct, termsHash: string): Promise<StoredQuote> => {
  const consents = rows.selectFrom('consent').selectAll().where('termsHash', '=', termsHash).where('kind', '=', product.kind)
  const consent = await consents.executeTakeFirst()
  return consent === undefined ? getQuote(rows, product, termsHash) : { ...consent, expiresAt: consent.storedAt }
}

/** Throws the refusal of a quote that has expired at `now` (epoch ms). */
export const assertUnexpired = ({ errors }: ConsentProduct, { expiresAt }: StoredQuote, now: number): void => {
  if (now >= expiresAt) throw new ServiceError(errors.quote_expired)
}

/** Deletes quotes that expired before an instant (epoch ms). */
export const deleteQuotes = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('quote').where('expiresAt', '<', before).execute()
}

/** A signed consent to a quote. */
export interface SignedConsent {
  terms: unknown
  termsHash: string
  consentSignature: string
}

/** Who signed a text, lower case; null for a signature of another form. */
const recoverSigner = async (message: string, signature: string): Promise<string | null> => {
  if (!isCanonicalSignature(signature)) return null
  try {
    return (await recoverMessageAddress({ message, signature: signature as Hex })).toLowerCase()
  } catch {
    // A point that is not on the curve.
    return null
  }
}

/** Who signed a text of a wallet (lower case): a native account signs with its own key. Null for a signature of another form. */
export const signerOf = async (rows: Rows, wallet: string, message: string, signature: string): Promise<string | null> => {
  const account = await findNativeAccount(rows, wallet)
  if (account === null) return recoverSigner(message, signature)
  return verifyNativeSignature(message, signature as Hex, account.accountId as Hex) === 'valid' ? wallet : null
}

/**
 * Throws the refusal of a consent of a wallet (lower case) that is not one to the stored quote. The sent terms are compared byte for byte with
 * the stored ones, and the signature with the stored text. Throws `invalid_request` for terms without a canonical form.
 */
export const assertConsent = async (
  rows: Rows,
  { errors }: ConsentProduct,
  quote: StoredQuote,
  consent: SignedConsent,
  wallet: string,
): Promise<void> => {
  const sent = canonicalJson(consent.terms)
  if (sent !== canonicalJson(quote.terms) || keccakOf(consent.terms) !== quote.termsHash) throw new ServiceError(errors.terms_hash_mismatch)
  if (quote.wallet !== wallet) throw new ServiceError(errors.binding_mismatch)
  if ((await signerOf(rows, wallet, quote.message, consent.consentSignature)) !== wallet) throw new ServiceError(errors.signer_mismatch)
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
