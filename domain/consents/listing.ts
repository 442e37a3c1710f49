import { ServiceError } from '../../schemas/errors.ts'

/** What a wallet lets the directory show. */
export interface DirectoryConsent {
  publicProfile: boolean
  currentActivity: boolean
}

/** Of a wallet that never consented. */
export const PRIVATE_CONSENT: DirectoryConsent = { publicProfile: false, currentActivity: false }

/** Version of the text below. */
export const CONSENT_POLICY_VERSION = 1

export const CONSENT_STATEMENT =
  'The directory shows a wallet only with its consent. Without it the profile is private at once; caches may show it for 30 seconds more. Badges, work receipts, results of sessions and transactions on chain name the worker and are public in any case.'

/**
 * Consent after a request; a member that is absent keeps its value. Turning the profile off turns activity off. Throws 409
 * `profile_opt_in_required` when activity is to be shown without a profile.
 */
export const nextConsent = (
  current: DirectoryConsent,
  { publicProfileOptIn, currentActivityOptIn }: { publicProfileOptIn?: boolean | undefined; currentActivityOptIn?: boolean | undefined },
): DirectoryConsent => {
  const publicProfile = publicProfileOptIn ?? current.publicProfile
  if (currentActivityOptIn === true && !publicProfile) throw new ServiceError('profile_opt_in_required')
  return { publicProfile, currentActivity: publicProfile && (currentActivityOptIn ?? current.currentActivity) }
}
