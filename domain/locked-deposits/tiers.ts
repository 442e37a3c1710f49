import { LOCK_TIERS, type LockTier, type TermTier } from '../../schemas/locked-deposits/record.ts'
import { inHours } from '../common/constants.ts'
import { keccakOfText } from '../common/hashes.ts'
import { activeLocks, EXIT_DELAY_SECONDS, type Lock } from './lock.ts'

/** Rank of a tier: in the window before a job is open to all, and wherever tiers are compared. Flex is 0. */
export const tierRank = (tier: LockTier): number => LOCK_TIERS.indexOf(tier)

/** Tier of the active lock with the longest term at `now` (epoch ms); Flex without one. */
export const tierOfLocks = (locks: readonly Lock[], now: number): LockTier =>
  activeLocks(locks, now).reduce<LockTier>((best, { tier }) => (tierRank(tier) > tierRank(best) ? tier : best), 'flex')

/** The tier that counts: a holder of t90 that owes anything, or whose debt is unread, counts as Flex. Source: money, "Perks and state". */
export const countingTier = (tier: LockTier, creditDebtRaw: bigint | undefined): LockTier =>
  tier === 't90' && creditDebtRaw !== 0n ? 'flex' : tier

/** Share of the reward bank's liquid balance that a wallet of the tier may have open, in basis points. Source: money, "Tier perks on capacity". */
export const BANK_SHARE_BPS: Readonly<Record<LockTier, number>> = { flex: 500, t7: 1000, t30: 1500, t90: 2000 }

const NAV_SHARE =
  'A pro-rata share of the net asset value, only while the activation gate is open and the locked capital holds pool shares. No rate is promised.'
const RETURN = `The principal returns through a normal withdrawal ${inHours(EXIT_DELAY_SECONDS)} after the request, without haircut or fee. Perks end at once.`

/** What a tier gives and what leaving it early costs. Source: specification, "Locked deposit product". */
export const TIER_TERMS: Readonly<
  Record<TermTier, { termDays: number; perks: readonly string[]; creditClass: string | null; yield: string; earlyExit: string }>
> = {
  t7: { termDays: 7, perks: ['priority claim access'], creditClass: null, yield: 'None.', earlyExit: RETURN },
  t30: {
    termDays: 30,
    perks: ['enhanced priority claim access', 'credit qualification'],
    creditClass: 'standard',
    yield: NAV_SHARE,
    earlyExit: `${RETURN} The yield share of the current period is forfeited.`,
  },
  t90: {
    termDays: 90,
    perks: [
      'first-look priority claim access',
      'credit qualification with better-terms class',
      'committed depositor flag with explicit opt-in',
    ],
    creditClass: 'better_terms',
    yield: NAV_SHARE,
    earlyExit: `${RETURN} The yield share of the current period is forfeited.`,
  },
}

export const earlyExitPath = (id: string) => `/locked-deposits/${id}/exit` as const

export const LOCK_PATHS = {
  quote: '/locked-deposits/quote',
  consent: '/locked-deposits/consent',
  earlyExit: earlyExitPath(':id'),
  state: '/me',
} as const

export const LOCK_PRODUCT = 'locked deposit'
export const FUNDS_MOVEMENT = 'none' as const
export const RISK_SENTENCE =
  'A lock is an entry in the ledger of this service: no funds move, and no contract holds them. The account contract lets the wallet withdraw directly; when the balance no longer covers the lock, the lock ends early and its perks end at once.'

/** Hash of the text that says what an early exit costs. */
export const forfeitTermsHash = (tier: TermTier) => keccakOfText(TIER_TERMS[tier].earlyExit)

/** Whether a tier takes part in the cohort of the activation gate: t7 has no yield. */
export const isCohortTier = (tier: LockTier): boolean => tier === 't30' || tier === 't90'

/** `tierTerms` of a quote and row of `tiers`. */
export const tierTermsView = (tier: TermTier) => {
  const { termDays, perks, yield: yielded, earlyExit } = TIER_TERMS[tier]
  return { tier, product: LOCK_PRODUCT, termDays, priorityRank: tierRank(tier), perks: [...perks], yield: yielded, earlyExit }
}
