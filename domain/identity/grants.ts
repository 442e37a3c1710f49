import type { Tables } from '../../schemas/entities/tables.ts'
import { CAPABILITIES, type Capability, GRANTABLE_CAPABILITIES, type GrantEnd } from '../../schemas/identity/authorisation.ts'

export type GrantRow = Tables['capability_grant']

/** Longest lifetime of a service token. Source: identity, "Access tokens". */
export const SERVICE_TOKEN_SECONDS = 30 * 86_400

/** Why names cannot be granted: the first one that is no capability, or that no grant carries, or all that the issuer lacks. */
export type GrantFault =
  | { kind: 'unknown' | 'not_grantable'; place: number; capability: string }
  | { kind: 'not_owned'; missing: Capability[] }

const isGrantable = (name: string): name is Capability => GRANTABLE_CAPABILITIES.some((grantable) => grantable === name)

/** Capabilities of a grant, sorted and distinct, or the fault of the request. `held` are those of its issuer. */
export const capabilitiesToGrant = (names: readonly string[], held: readonly Capability[]): Capability[] | GrantFault => {
  for (const [place, capability] of names.entries()) {
    if (isGrantable(capability)) continue
    return { kind: CAPABILITIES.some((known) => known === capability) ? 'not_grantable' : 'unknown', place, capability }
  }
  const wanted = [...new Set(names.filter(isGrantable))].sort()
  const missing = wanted.filter((capability) => !held.includes(capability))
  return missing.length === 0 ? wanted : { kind: 'not_owned', missing }
}

/** The capabilities of a list that can be granted. */
export const grantableOf = (capabilities: readonly Capability[]): Capability[] => capabilities.filter(isGrantable)

/** Lifetime of a token in seconds, and whether it is shorter than asked. Instants in epoch ms; `grantEndsAt` is after `now`. */
export const tokenLifetime = (
  askedSeconds: number,
  { now, grantEndsAt }: { now: number; grantEndsAt: number | null },
): { seconds: number; isCut: boolean } => {
  // A grant that ends within the second leaves a token of one second: what it may do ends with the grant.
  const untilEnd = grantEndsAt === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(grantEndsAt / 1000) - Math.floor(now / 1000))
  const seconds = Math.min(askedSeconds, SERVICE_TOKEN_SECONDS, untilEnd)
  return { seconds, isCut: seconds < askedSeconds }
}

/** Why a grant gives nothing at `now` (epoch ms); null while it gives its capabilities. */
export const grantEnd = ({ revokedAt, expiresAt }: Pick<GrantRow, 'revokedAt' | 'expiresAt'>, now: number): GrantEnd | null => {
  if (revokedAt !== null) return 'capability_grant_revoked'
  return expiresAt !== null && expiresAt <= now ? 'capability_grant_expired' : null
}

/** Capabilities of a caller with those of its grants, each once and in the order of the first. */
export const withGranted = (own: readonly Capability[], granted: readonly Capability[]): Capability[] => [...new Set([...own, ...granted])]
