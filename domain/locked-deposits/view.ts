import { LISTED_LOCKS_MAX, TERM_TIERS } from '../../schemas/locked-deposits/record.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { amount } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import type { GateView } from './gate.ts'
import { type Lock, lockAt } from './lock.ts'
import type { TierState } from './state.ts'
import { isCohortTier, LOCK_PATHS, LOCK_PRODUCT, tierTermsView } from './tiers.ts'

/** What an early exit costs besides the delay. */
const forfeiture = (tier: Lock['tier'], decimals: number) => ({
  yieldShare: isCohortTier(tier) ? ('current_period' as const) : ('not_applicable' as const),
  perks: 'immediate' as const,
  principalHaircut: amount({ raw: 0n, decimals }),
  penaltyFee: amount({ raw: 0n, decimals }),
})

/** A lock as answers show it at `now`. */
export const lockView = (lock: Lock, decimals: number, now: number) => {
  const { id, tier, amountRaw, exitRequestedAt, exitReason, releaseAt, releasedAt, releaseReason, ...rest } = lockAt(lock, now)
  return {
    id,
    ...pick(rest, 'wallet', 'termDays', 'status', 'publicProfileOptIn'),
    tier,
    amount: amount({ raw: amountRaw, decimals }),
    lockedAt: iso(rest.lockedAt),
    expiresAt: iso(rest.expiresAt),
    consentRef: id,
    ...(exitRequestedAt !== null && {
      exitRequestedAt: iso(exitRequestedAt),
      exitReason: exitReason ?? undefined,
      releaseAt: isoOrNull(releaseAt) ?? undefined,
      forfeiture: forfeiture(tier, decimals),
    }),
    ...(releasedAt !== null && { releasedAt: iso(releasedAt), releaseReason: releaseReason ?? undefined }),
  }
}

/** `consequence` of an exit. */
export const consequenceView = (lock: Lock, decimals: number) => {
  const { yieldShare, perks, principalHaircut, penaltyFee } = forfeiture(lock.tier, decimals)
  return {
    tier: 'flex' as const,
    perks,
    yieldShare,
    principal: amount({ raw: lock.amountRaw, decimals }),
    releaseAt: isoOrNull(lock.releaseAt) ?? undefined,
    principalHaircut,
    penaltyFee,
  }
}

/** `lockedDeposits` of `GET /me`, and `tierState` of a consent. */
export const tierStateView = (
  state: TierState,
  locks: readonly Lock[],
  gate: GateView,
  { enabled, decimals, now }: { enabled: boolean; decimals: number; now: number },
) => {
  const { perksSuspendedReason, creditReadStaleSeconds, lockedRaw, encumberedRaw, ...rest } = state
  return {
    enabledForNewLocks: enabled,
    ...rest,
    ...(perksSuspendedReason !== null && { perksSuspendedReason }),
    ...(creditReadStaleSeconds !== null && { creditReadStaleSeconds }),
    locked: amount({ raw: lockedRaw, decimals }),
    encumbered: amount({ raw: encumberedRaw, decimals }),
    activationGate: gate,
    yieldStatusText: gate.yieldStatusText,
    entries: locks.slice(0, LISTED_LOCKS_MAX).map((lock) => lockView(lock, decimals, now)),
  }
}

/** The product as documents describe it. Source: specification, "Locked deposit product". */
export const productView = (gate: GateView, { enabled, perksEnabled }: { enabled: boolean; perksEnabled: boolean }) => ({
  status: enabled ? ('available' as const) : ('flag_off' as const),
  enabled,
  product: LOCK_PRODUCT,
  tiers: TERM_TIERS.filter((tier) => perksEnabled || isCohortTier(tier)).map(tierTermsView),
  priority: perksEnabled
    ? 'Before a job opens to everyone: t90 above t30 above t7 above Flex.'
    : 'Perks are off: a lock gives no priority now.',
  activationGate: gate,
  yieldStatusText: gate.yieldStatusText,
  endpoints: LOCK_PATHS,
})
