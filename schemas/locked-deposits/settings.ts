import { z } from 'zod'
import { flag, parseJson, raw } from '../common/setting-parsers.ts'

/** Whole units up to a ceiling, which larger values count as. */
const capped = (ceiling: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .default(ceiling)
    .transform((units) => Math.min(units, ceiling))

const digits = z.string().regex(/^[0-9]{1,30}$/, { error: 'must be digits' })
const positiveDigits = digits.refine((text) => /[1-9]/.test(text), { error: 'must be greater than zero' })
const VenueRate = z.strictObject({
  approved: z.literal(true),
  evidence: z.string().regex(/^[\x20-\x7e]{1,500}$/, { error: 'must be 1 to 500 printable ASCII characters' }),
  principalRaw: positiveDigits.transform(BigInt),
  yieldRaw: digits.transform(BigInt),
  elapsedSeconds: positiveDigits.transform(BigInt),
})

const venueRate = z.string().transform(parseJson).pipe(VenueRate).optional()

export const settings = {
  /** Locked deposits are offered. */
  LOCKED_TIERS_ENABLED: flag,
  /** Whether the tier t7 and the perks of locks are offered. */
  NON_YIELD_TIER_PERKS_ENABLED: flag,
  /** Caps on active locks of one wallet, and of t30 and t90 together, whole USDC; larger values count as 25 and 1000. */
  LOCKED_TIER_PER_WALLET_CAP_USDC: capped(25),
  LOCKED_TIER_COHORT_CAP_USDC: capped(1_000),
  /** What the cohort must lock before its capital may be placed. */
  LOCKED_TIER_MINIMUM_COHORT_RAW: raw('15000000'),
  /** Cost of one round trip of locked capital to the venue. */
  LOCKED_TIER_CYCLE_FRICTION_RAW: raw('51765'),
  /** Yield that an operator measured: a JSON object of digit strings `principalRaw`, `yieldRaw`, `elapsedSeconds`, with `evidence` and `approved: true`. */
  LOCKED_TIER_VENUE_RATE: venueRate,
}
