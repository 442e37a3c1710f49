import type { ConsentKind } from '../../schemas/consents/record.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { keccakOf } from '../common/hashes.ts'

/** Time for which a quote can be consented to; specification, "Limits". */
export const QUOTE_LIFETIME_SECONDS = 600

/** A product whose terms a wallet consents to. */
export interface ConsentProduct {
  kind: ConsentKind
  /** Route that takes the consent. */
  path: string
  /** Code of each refusal of a consent. */
  errors: Readonly<Record<ConsentRefusal, ErrorCode>>
}
type ConsentRefusal = 'quote_unknown' | 'quote_expired' | 'terms_hash_mismatch' | 'binding_mismatch' | 'signer_mismatch' | 'pending'

/** Members of the terms of every product: wallet with its checksum, instants in ISO 8601. */
export interface OfferedTerms {
  wallet: string
  consentNonce: string
  issuedAt: string
  quoteExpiresAt: string
}

/** What a wallet authorises in words, and the hash of the terms: one line of the characters that a statement of EIP-4361 may have. */
export const consentStatement = (authorises: string, terms: OfferedTerms): string => {
  const statement = `${authorises} Hash of the terms: ${keccakOf(terms)}`
  if (!STATEMENT.test(statement)) throw new Error('the statement of a consent has a character outside the grammar of EIP-4361')
  return statement
}

/** `reserved`, `unreserved` and the space. */
const STATEMENT = /^[-A-Za-z0-9._~:/?#[\]@!$&'()*+,;= ]+$/

/** Text of a consent: a message of EIP-4361 without a trailing line feed. Source: money, "Consent message". */
export const consentMessage = (
  { path }: ConsentProduct,
  { terms, statement }: { terms: OfferedTerms; statement: string },
  { domain, baseUrl, chainId }: { domain: string; baseUrl: string; chainId: number },
): string =>
  [
    `${domain} wants you to sign in with your Ethereum account:`,
    terms.wallet,
    '',
    statement,
    '',
    `URI: ${baseUrl}${path}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${terms.consentNonce}`,
    `Issued At: ${terms.issuedAt}`,
    `Expiration Time: ${terms.quoteExpiresAt}`,
  ].join('\n')
