import { type FieldError, ServiceError } from '../../schemas/errors.ts'
import { fieldErrors, sentenceOf } from '../../schemas/operations/field-errors.ts'
import { isProfileName, PROFILE_REQUESTS, type ProfileName, type ProfileRequest } from '../../schemas/paid-verification/profiles/inputs.ts'
import { PROFILE_DOCUMENTS, ProfileDocument, PUBLISHED_DIGESTS } from '../../schemas/paid-verification/profiles/profiles.ts'
import { type Hex, sha256Of } from '../common/hashes.ts'

/** A published profile with its address `name@version` and the SHA-256 of its canonical document. */
export interface Profile {
  readonly ref: string
  readonly digest: Hex
  readonly document: ProfileDocument
}

export const profileRef = ({ name, version }: { name: string; version: number }): string => `${name}@${version}`

/** SHA-256 of the canonical JSON (RFC 8785) of a profile's document. */
export const profileDigest = (document: unknown): Hex => sha256Of(document)

/**
 * The profiles of these documents. Throws `verification_profile_immutable` for a document whose digest is not the published one, or which no
 * row publishes: a process with such a document does not start.
 */
export const publishProfiles = (documents: readonly unknown[], published: Readonly<Record<string, Hex>>): readonly Profile[] =>
  documents.map((given) => {
    const document = ProfileDocument.parse(given)
    const ref = profileRef(document)
    const digest = profileDigest(given)
    if (published[ref] !== digest)
      throw new ServiceError('verification_profile_immutable', {
        detail: `The profile ${ref} has the digest ${digest}, and was published with ${published[ref] ?? 'none'}. Publish a new version instead.`,
        details: { profileRef: ref, digest, published: published[ref] ?? null },
      })
    return { ref, digest, document }
  })

/** Every profile of this service. A process that loads this module does not start if one was changed. */
export const PROFILES = publishProfiles(PROFILE_DOCUMENTS, PUBLISHED_DIGESTS)

/** The profile of a name and a version. Throws 404 `verification_profile_not_found`. */
export const getProfile = (name: string, version: number): Profile => {
  const found = PROFILES.find(({ document }) => document.name === name && document.version === version)
  if (found === undefined) throw new ServiceError('verification_profile_not_found', { details: { profile: name, profileVersion: version } })
  return found
}

/** The profile of an address `name@version`. Throws 404 `verification_profile_not_found`. */
export const getProfileByRef = (ref: string): Profile => {
  const found = PROFILES.find((profile) => profile.ref === ref)
  if (found === undefined) throw new ServiceError('verification_profile_not_found', { details: { profileRef: ref } })
  return found
}

const describeErrors = (errors: readonly FieldError[]): string =>
  errors
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer} ${message}`)
    .join('; ')

/** Target and inputs as the profile takes them, unchanged. Throws `invalid_request` that names every broken rule. */
export const parseProfileRequest = <Name extends ProfileName>(
  name: Name,
  { target, inputs }: { target: unknown; inputs: unknown },
): ProfileRequest<Name> => {
  if (!isProfileName(name)) throw new TypeError(`no profile is named ${String(name)}`)
  const parsed = PROFILE_REQUESTS[name].safeParse({ target, inputs }, { error: sentenceOf })
  if (parsed.success) return parsed.data as ProfileRequest<Name>
  const errors = parsed.error.issues.flatMap((issue) => fieldErrors('body', issue))
  throw new ServiceError('invalid_request', { detail: describeErrors(errors), errors })
}
