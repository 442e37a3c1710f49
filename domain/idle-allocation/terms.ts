import { getAddress } from 'viem/utils'
import { inDays } from '../common/constants.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { amountText } from '../common/money.ts'
import { type ConsentProduct, QUOTE_LIFETIME_SECONDS } from '../consents/message.ts'
import { RECALL_PATH } from '../strategies/places.ts'
import { IDLE_LIMITS } from './plan.ts'

/** Lifetime of a consent; specification, "Limits". */
const IDLE_CONSENT_SECONDS = 90 * 86_400
export const IDLE_PRODUCT = 'idle-balance allocation'
export const IDLE_PATHS = {
  status: '/account/idle-allocation',
  quote: '/account/idle-allocation/quote',
  consent: '/account/idle-allocation/consent',
  revoke: '/account/idle-allocation/revoke',
  recall: RECALL_PATH,
} as const

/** What a wallet signs to have its idle balance lent. */
export const IDLE_CONSENT = {
  kind: 'idle_balance_allocation_consent_v1',
  path: IDLE_PATHS.consent,
  errors: {
    quote_unknown: 'idle_balance_consent_quote_unknown',
    quote_expired: 'idle_balance_consent_quote_expired',
    terms_hash_mismatch: 'idle_balance_consent_terms_hash_mismatch',
    binding_mismatch: 'idle_balance_consent_binding_mismatch',
    signer_mismatch: 'idle_balance_consent_signer_mismatch',
    pending: 'idle_balance_consent_pending',
  },
} as const satisfies ConsentProduct

/** The product as the service offers it. */
export const idleProductView = (enabled: boolean) => ({
  status: enabled ? ('available' as const) : ('flag_off' as const),
  enabled,
  product: IDLE_PRODUCT,
  endpoints: IDLE_PATHS,
})

/** State of the venue of the deposit pool. */
export type VenueState = 'unbound' | 'inactive' | 'active'

const DISCLOSURES: Readonly<Record<VenueState, string>> = {
  unbound: 'The deposit pool has no venue: what is lent to it stays in its buffer and earns nothing.',
  inactive:
    'The deposit pool has a venue and has placed nothing there now. Its operator can place capital there at any time; a loss of the venue lowers the price of every share.',
  active: 'The deposit pool has placed capital at its external venue. A loss of the venue lowers the price of every share.',
}
const AMOUNT_BASIS =
  'The liquid balance above 2 USDC and above what locked deposits bind; movements of 0.5 to 25 USDC, at most 25 USDC of a wallet and 100 USDC of all wallets an hour.'
const FUNDS_MOVEMENT =
  'The operator calls allocateIdleFunds of the account contract for this wallet, and deallocateIdleFunds when less than 2 USDC and what locked deposits bind stay liquid. The tokens go to the deposit pool; the account of the wallet records its shares of the strategy.'
const RETURN_TERMS =
  'The wallet takes its balance back itself by deallocateIdleFunds of the account contract, at any time and without consent; POST /account/recall/transactions builds the call. The pool pays from its buffer, and while the buffer is short the call is refused and can be repeated later. Revoking stops new allocations and unwinds nothing.'

export interface IdleAsset {
  symbol: string
  address: string
  decimals: number
  chainId: number
}

/** The terms that a wallet consents to; their thirteen members are exactly these. Source: money, "Idle-balance allocation". */
export const idleTerms = (
  { wallet, consentNonce }: { wallet: string; consentNonce: string },
  { asset, depositPool, venue, now }: { asset: IdleAsset; depositPool: string; venue: VenueState; now: number },
) => ({
  schemaVersion: 1 as const,
  wallet: getAddress(wallet),
  product: IDLE_PRODUCT,
  amountBasis: AMOUNT_BASIS,
  asset: { symbol: asset.symbol, address: asset.address.toLowerCase(), decimals: asset.decimals, chainId: asset.chainId },
  venue: {
    route: 'deposit_pool_v2' as const,
    depositPool: depositPool.toLowerCase(),
    downstream: venue === 'unbound' ? ('pool buffer' as const) : ('configured external venue' as const),
  },
  venueDisclosure: DISCLOSURES[venue],
  fundsMovement: FUNDS_MOVEMENT,
  returnTerms: RETURN_TERMS,
  consentNonce,
  issuedAt: iso(now),
  quoteExpiresAt: iso(plusSeconds(now, QUOTE_LIFETIME_SECONDS)),
  consentExpiresAt: iso(plusSeconds(now, IDLE_CONSENT_SECONDS)),
})
export type IdleTerms = ReturnType<typeof idleTerms>

/** What a wallet authorises by its consent to idle-balance allocation. */
export const idleAuthorisation = ({ asset, consentExpiresAt }: IdleTerms): string => {
  const { workingCapitalRaw, smallestRaw, largestRaw } = IDLE_LIMITS
  const inUnits = (raw: bigint) => amountText(raw, asset)
  return [
    `I let the operator lend my idle balance to the deposit pool: what exceeds ${inUnits(workingCapitalRaw)} and my locked deposits,`,
    `${inUnits(smallestRaw)} or more a movement and at most ${inUnits(largestRaw)} an hour, for ${inDays(IDLE_CONSENT_SECONDS)}, until ${consentExpiresAt} or until I revoke it.`,
    'A loss of the pool is my loss. Leaving early costs nothing: I revoke at any time and take lent balance back while the buffer of the pool covers it.',
  ].join(' ')
}
