import { getAddress } from 'viem/utils'
import type { Terms } from '../../schemas/consents/record.ts'
import type { TermTier } from '../../schemas/locked-deposits/record.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { amounts, amountText } from '../common/money.ts'
import { type ConsentProduct, QUOTE_LIFETIME_SECONDS } from '../consents/message.ts'
import { assetsPerShareRaw } from '../pool/shares.ts'
import type { PoolSnapshot } from './checks.ts'
import type { GateView } from './gate.ts'
import { termEnd } from './lock.ts'
import { FUNDS_MOVEMENT, forfeitTermsHash, LOCK_PATHS, RISK_SENTENCE, TIER_TERMS } from './tiers.ts'

/** What a wallet signs to lock a part of its balance. */
export const LOCK_CONSENT = {
  kind: 'locked_tier_consent_v1',
  path: LOCK_PATHS.consent,
  errors: {
    quote_unknown: 'locked_tier_quote_unknown',
    quote_expired: 'locked_tier_quote_expired',
    terms_hash_mismatch: 'locked_tier_terms_hash_mismatch',
    binding_mismatch: 'locked_tier_consent_binding_mismatch',
    signer_mismatch: 'locked_tier_consent_signer_mismatch',
    pending: 'locked_tier_consent_pending',
  },
} as const satisfies ConsentProduct

/** Asset of locks. */
export interface LockAsset {
  symbol: string
  address: string
  decimals: number
}

/** `nav` of terms: the deposit pool at the block of the quote. */
const navView = ({ block, managedRaw, supplyRaw }: PoolSnapshot, { address, decimals }: LockAsset) => ({
  block: block.toString(),
  asset: address.toLowerCase(),
  ...amounts(
    {
      totalAssets: managedRaw,
      totalShares: supplyRaw,
      sharePrice: assetsPerShareRaw({ managedRaw, supplyRaw }, 10n ** BigInt(decimals)),
    },
    decimals,
  ),
})

export interface TermsRequest {
  wallet: string
  tier: TermTier
  amountRaw: bigint
  consentNonce: string
  publicProfileOptIn: boolean
}

/** The terms that a wallet consents to; their members are exactly these. Source: money, "Quote". */
export const lockTerms = (
  { wallet, tier, amountRaw, consentNonce, publicProfileOptIn }: TermsRequest,
  asset: LockAsset,
  { gate, pool, now }: { gate: GateView; pool: PoolSnapshot; now: number },
) => ({
  schemaVersion: 1 as const,
  wallet: getAddress(wallet),
  tier,
  amountRaw: amountRaw.toString(),
  asset: asset.address.toLowerCase(),
  assetSymbol: asset.symbol,
  assetDecimals: asset.decimals,
  termDays: TIER_TERMS[tier].termDays,
  consentNonce,
  issuedAt: iso(now),
  quoteExpiresAt: iso(plusSeconds(now, QUOTE_LIFETIME_SECONDS)),
  forfeitTermsHash: forfeitTermsHash(tier),
  earlyExitTerms: TIER_TERMS[tier].earlyExit,
  riskSentence: RISK_SENTENCE,
  publicProfileOptIn,
  fundsMovement: FUNDS_MOVEMENT,
  activationGate: gate,
  nav: navView(pool, asset),
})
type LockTerms = ReturnType<typeof lockTerms>

/** What a wallet authorises by its consent to a lock. The term runs from the consent, which the quote takes until it expires. */
export const lockAuthorisation = ({ tier, amountRaw, assetSymbol, assetDecimals, ...terms }: LockTerms): string => {
  const lastEnd = iso(termEnd(Date.parse(terms.quoteExpiresAt), terms.termDays))
  return [
    `I lock ${amountText(BigInt(amountRaw), { decimals: assetDecimals, symbol: assetSymbol })} of my balance in the account contract as a locked deposit of tier ${tier}`,
    `for ${terms.termDays} days from my consent, until ${lastEnd} at the latest.`,
    'No funds move.',
    ...(terms.publicProfileOptIn ? ['My public profile shows that I am a committed depositor.'] : []),
    `If I leave early: ${terms.earlyExitTerms}`,
  ].join(' ')
}

/** The lock that stored terms name. */
export const parseLockTerms = (terms: Terms) => {
  const { tier, amountRaw, publicProfileOptIn } = terms as unknown as LockTerms
  return { tier, amountRaw: BigInt(amountRaw), publicProfileOptIn }
}
