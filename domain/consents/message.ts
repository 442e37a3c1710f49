import { getAddress } from 'viem/utils'
import { canonicalJson } from '../common/canonical-json.ts'
import type { Hex } from '../common/hashes.ts'
import { iso } from '../common/instants.ts'

/** Time for which a quote can be consented to; specification, "Limits". */
export const QUOTE_LIFETIME_SECONDS = 600

/** What a consent message binds; instants in epoch ms. */
export interface ConsentMessage {
  domain: string
  wallet: string
  /** One ASCII line: what the wallet authorises. It names the hash, and the terms follow it. */
  authorises: string
  termsHash: Hex
  terms: unknown
  uri: string
  chainId: number
  nonce: string
  issuedAt: number
  expiresAt: number
}

/**
 * Text of a consent, in the lines of EIP-4361 without a trailing line feed. The JSON in its statement is outside the grammar of sign-in
 * messages, so a consent is checked by comparing texts. Source: money, "Consent message".
 */
export const consentMessage = (consent: ConsentMessage): string =>
  [
    `${consent.domain} wants you to sign in with your Ethereum account:`,
    getAddress(consent.wallet),
    '',
    `${consent.authorises} Terms hash: ${consent.termsHash}. Terms JSON: ${canonicalJson(consent.terms)}`,
    '',
    `URI: ${consent.uri}`,
    'Version: 1',
    `Chain ID: ${consent.chainId}`,
    `Nonce: ${consent.nonce}`,
    `Issued At: ${iso(consent.issuedAt)}`,
    `Expiration Time: ${iso(consent.expiresAt)}`,
  ].join('\n')

/** Half of the order of the curve. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Whether a signature of 65 bytes is the one form that its signer produces: `s` in the lower half, and a recovery id of 27 or 28. */
export const isCanonicalSignature = (signature: string): boolean => {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number.parseInt(signature.slice(130), 16)
  return s > 0n && s <= HALF_ORDER && (v === 27 || v === 28)
}
