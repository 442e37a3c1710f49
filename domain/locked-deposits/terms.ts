import { getAddress } from 'viem/utils'
import type { TermTier } from '../../schemas/locked-deposits/record.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { amount } from '../common/money.ts'
import { QUOTE_LIFETIME_SECONDS } from '../consents/message.ts'
import { assetsPerShareRaw } from '../pool/shares.ts'
import type { PoolSnapshot } from './checks.ts'
import type { GateView } from './gate.ts'
import { FUNDS_MOVEMENT, forfeitTermsHash, RISK_SENTENCE, TIER_TERMS } from './tiers.ts'

/** Asset of locks. */
export interface LockAsset {
  symbol: string
  address: string
  decimals: number
}

/** `nav` of terms: the deposit pool at the block of the quote. */
export const navView = ({ block, managedRaw, supplyRaw }: PoolSnapshot, { address, decimals }: LockAsset) => ({
  block: block.toString(),
  asset: address.toLowerCase(),
  totalAssets: amount({ raw: managedRaw, decimals }),
  totalShares: amount({ raw: supplyRaw, decimals }),
  sharePrice: amount({ raw: assetsPerShareRaw({ managedRaw, supplyRaw }, 10n ** BigInt(decimals)), decimals }),
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
export type LockTerms = ReturnType<typeof lockTerms>
