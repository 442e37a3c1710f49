import type { GateBlocker } from '../../schemas/locked-deposits/record.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { iso } from '../common/instants.ts'
import { amount, amountText } from '../common/money.ts'
import type { Lock } from './lock.ts'

const DAY_MS = 86_400_000
const DAY_SECONDS = 86_400n
const ROUND_TRIPS = 1
const MARGIN_MULTIPLE = 2

/** Yield that an operator measured at the venue; base units and seconds. */
export interface MeasuredRate {
  /** ASCII: where the measurement can be read. */
  evidence: string
  principalRaw: bigint
  yieldRaw: bigint
  elapsedSeconds: bigint
}

/** Settings of the gate, base units. */
export interface GatePolicy {
  minimumRaw: bigint
  /** Cost of one round trip to the venue. */
  frictionRaw: bigint
  rate: MeasuredRate | null
}

/** The active locks of t30 and t90, summed up. */
export interface Cohort {
  totalRaw: bigint
  count: number
  /** The lock that ends first, of equal ones the one with the smallest id. */
  shortest: Pick<Lock, 'id' | 'expiresAt'> | null
}

const NO_LOCKS: Cohort = { totalRaw: 0n, count: 0, shortest: null }

/** Result of the gate. */
export interface Gate extends Cohort {
  open: boolean
  blockers: GateBlocker[]
  /** Whole days until the first lock of the cohort ends; null when the cohort could not be read. */
  cycleDays: number | null
  projectedRaw: bigint
  requiredRaw: bigint
}

const remainingDays = (expiresAt: number, now: number): number => Math.max(0, Math.floor((expiresAt - now) / DAY_MS))

/** What the cohort would earn in its cycle, rounded down. Source: money, "Activation gate". */
const projectedYieldRaw = (totalRaw: bigint, rate: MeasuredRate | null, cycleDays: number): bigint =>
  rate === null ? 0n : (totalRaw * rate.yieldRaw * BigInt(cycleDays) * DAY_SECONDS) / (rate.principalRaw * rate.elapsedSeconds)

/** The activation gate for the active locks of t30 and t90 at `now` (epoch ms). */
export const activationGate = (read: Fact<Cohort>, { minimumRaw, frictionRaw, rate }: GatePolicy, now: number): Gate => {
  const cohort = knownValue(read)
  const { totalRaw, count, shortest } = cohort ?? NO_LOCKS
  const cycleDays = cohort === undefined ? null : shortest === null ? 0 : remainingDays(shortest.expiresAt, now)
  const projectedRaw = projectedYieldRaw(totalRaw, rate, cycleDays ?? 0)
  const requiredRaw = frictionRaw * BigInt(MARGIN_MULTIPLE)
  const blockers: GateBlocker[] = []
  if (cohort === undefined) blockers.push('active_lock_composition_unreadable')
  else if (count === 0) blockers.push('no_active_locks')
  if (totalRaw < minimumRaw) blockers.push('locked_cohort_below_minimum')
  if (rate === null) blockers.push('venue_rate_unmeasured')
  else if (projectedRaw < requiredRaw) blockers.push('projected_cycle_yield_below_2x_friction')
  return { open: blockers.length === 0, blockers, totalRaw, cycleDays, shortest, count, projectedRaw, requiredRaw }
}

/** What decides, beside the gate, whether locked capital earns anything. */
export interface YieldSituation {
  /** Principal that the pool has placed in its venue, base units. */
  placedRaw: Fact<bigint>
  /** Whether the wallet of the answer has shares of the deposit pool. */
  hasPoolShares: boolean
}

const SENTENCES: Readonly<Record<GateBlocker, (gate: Gate, policy: GatePolicy, shown: (raw: bigint) => string) => string>> = {
  active_lock_composition_unreadable: () => 'The active locks cannot be read.',
  no_active_locks: () => 'No lock of t30 or t90 is active.',
  locked_cohort_below_minimum: ({ totalRaw }, { minimumRaw }, shown) =>
    `${shown(totalRaw)} is locked, and the gate needs ${shown(minimumRaw)}.`,
  venue_rate_unmeasured: () => 'No operator has measured what the venue pays.',
  projected_cycle_yield_below_2x_friction: ({ projectedRaw, requiredRaw }, _policy, shown) =>
    `One cycle would earn ${shown(projectedRaw)}, and twice its cost is ${shown(requiredRaw)}.`,
}

/** Blockers whose sentences show sums of the cohort. */
const SUM_BLOCKERS: ReadonlySet<GateBlocker> = new Set(['locked_cohort_below_minimum', 'projected_cycle_yield_below_2x_friction'])

/** Whether locked capital earns anything now, and why not. Source: money, "Activation gate". */
export const yieldStatusText = (
  gate: Gate,
  policy: GatePolicy,
  { placedRaw, hasPoolShares }: YieldSituation,
  asset: { symbol: string; decimals: number },
): string => {
  const shown = (raw: bigint): string => amountText(raw, asset)
  // An unread cohort has no sums.
  const shownBlockers = gate.cycleDays === null ? gate.blockers.filter((blocker) => !SUM_BLOCKERS.has(blocker)) : gate.blockers
  if (!gate.open)
    return ['Closed: locks earn nothing.', ...shownBlockers.map((blocker) => SENTENCES[blocker](gate, policy, shown))].join(' ')
  const placed = knownValue(placedRaw)
  if (placed === undefined) return 'Open. What the pool has placed in its venue cannot be observed here, so no yield is claimed.'
  if (placed === 0n) return 'Open, but the pool has placed no principal in a venue: locks earn nothing yet.'
  if (!hasPoolShares)
    return `Open, and the pool has placed ${shown(placed)} in its venue, but locked capital holds no pool shares: it earns nothing.`
  return `Open, and the pool has placed ${shown(placed)} in its venue. The pool shares of this wallet follow the price of the pool; the locked amount itself earns nothing.`
}

/** `activationGate` of an answer. */
export const gateView = (gate: Gate, policy: GatePolicy, situation: YieldSituation, asset: { symbol: string; decimals: number }) => {
  const shown = (raw: bigint) => amount({ raw, decimals: asset.decimals })
  const { rate } = policy
  return {
    open: gate.open,
    status: gate.open ? ('open' as const) : ('closed' as const),
    blockers: gate.blockers,
    totalLocked: shown(gate.totalRaw),
    minimumLocked: shown(policy.minimumRaw),
    projection: {
      cycleDays: gate.cycleDays,
      cycleSetBy: {
        rule: 'shortest_remaining_active_lock_term' as const,
        activeLockCount: gate.count,
        shortestRemainingDays: gate.cycleDays,
        ...(gate.shortest !== null && { lockId: gate.shortest.id, expiresAt: iso(gate.shortest.expiresAt) }),
      },
      projectedCycleYield: shown(gate.projectedRaw),
      basis:
        rate === null
          ? null
          : {
              observedPrincipal: shown(rate.principalRaw),
              observedYield: shown(rate.yieldRaw),
              observedSeconds: rate.elapsedSeconds.toString(),
              evidence: rate.evidence,
            },
    },
    friction: {
      cycleFriction: shown(policy.frictionRaw),
      roundTripsPerTerm: ROUND_TRIPS,
      marginMultiple: MARGIN_MULTIPLE,
      requiredProjectedYield: shown(gate.requiredRaw),
    },
    override: 'none' as const,
    yieldStatusText: yieldStatusText(gate, policy, situation, asset),
  }
}
export type GateView = ReturnType<typeof gateView>
