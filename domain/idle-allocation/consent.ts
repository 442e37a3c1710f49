import type { IdleConsentStatus } from '../../schemas/idle-allocation/record.ts'
import { iso } from '../common/instants.ts'
import type { IdleAsset, IdleTerms } from './terms.ts'

/** A consent as it is recorded; instants in epoch ms. */
export interface IdleConsentRecord {
  termsHash: string
  expiresAt: number
  revokedAt: number | null
  /** Request that gave it. */
  requestId: string
  terms: Pick<IdleTerms, 'asset' | 'venue'>
}

/** Where a consent stands at `now`, for the pool and asset that the service has. */
export const idleConsentStatus = (
  consent: IdleConsentRecord | null,
  { asset, depositPool }: { asset: IdleAsset; depositPool: string | null },
  now: number,
): IdleConsentStatus => {
  if (consent === null) return 'missing'
  if (consent.revokedAt !== null) return 'revoked'
  if (now >= consent.expiresAt) return 'expired'
  const { terms } = consent
  const isSame =
    terms.venue.depositPool === depositPool?.toLowerCase() &&
    terms.asset.address === asset.address.toLowerCase() &&
    terms.asset.chainId === asset.chainId
  return isSame ? 'active' : 'invalid'
}

/** `consent` of an answer. */
export const idleConsentView = (consent: IdleConsentRecord | null, status: IdleConsentStatus) => ({
  status,
  ...(consent !== null && { termsHash: consent.termsHash, consentExpiresAt: iso(consent.expiresAt) }),
})
