import type { GasGrantReason, GasGrantStatus } from '../../schemas/accounts/record.ts'
import { GAS_GRANT_MINIMUM_LIQUID_RAW, GAS_GRANT_RAW } from '../common/constants.ts'
import { type Fact, knownValue } from '../common/fact.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { iso, nextUtcDay, utcDay } from '../common/instants.ts'
import { type Asset, amount } from '../common/money.ts'

/** The withdrawal that a grant belongs to. */
export interface WithdrawalIntent {
  wallet: string
  /** Symbol of the asset and its contract. */
  symbol: string
  asset: string
  amountRaw: bigint
  /** Null for the wallet itself. */
  destination: string | null
  /** Liquid balance at which it was built, base units. */
  liquidRaw: bigint
}

/** Hash that binds a grant to one withdrawal at one balance: keccak256 of a JSON array with lower-case addresses and an upper-case symbol. */
export const withdrawalIntentHash = ({ wallet, symbol, asset, amountRaw, destination, liquidRaw }: WithdrawalIntent): Hex =>
  keccakOf([
    wallet.toLowerCase(),
    symbol.toUpperCase(),
    asset.toLowerCase(),
    amountRaw.toString(),
    (destination ?? wallet).toLowerCase(),
    liquidRaw.toString(),
  ])

/** The only grant of a wallet, as stored. */
export interface PriorGrant {
  status: GasGrantStatus
  intentHash: Hex
  /** Null until the transfer is mined, reverted or not. */
  txHash: Hex | null
}

export interface GasGrantFacts {
  /** Null for a wallet without a grant. */
  prior: Fact<PriorGrant | null>
  /** Whether the operator has a key and the grant is switched on. */
  isOffered: boolean
  /** Whether the withdrawn asset is the settlement asset. */
  isSettlementAsset: boolean
  /** Liquid balance of the account, base units. */
  liquidRaw: bigint
  /** Grants that are reserved for the UTC day, whether they were sent or not. */
  reservedToday: Fact<number>
  dailyCap: number
  /** Whether the transfer would reach the wallet: a native account has to be mapped. */
  mapped: Fact<boolean>
  /** Hash of the withdrawal that asks; null outside a withdrawal. */
  intentHash: Hex | null
  /** Hash of the same withdrawal at the balance that was read now. */
  currentIntentHash: Hex | null
}

const priorReason = ({ status, intentHash }: PriorGrant, asking: Hex | null): GasGrantReason => {
  if (status === 'sending') return 'first_withdrawal_gas_grant_in_progress'
  if (status === 'failed') return 'first_withdrawal_gas_grant_unavailable'
  return intentHash === asking ? 'first_withdrawal_gas_grant_sent' : 'first_withdrawal_gas_grant_already_granted'
}

/**
 * Whether a wallet gets the gas of its first withdrawal, as one reason. A grant that may have been sent comes first, so that it is never
 * repeated; then offer, asset, floor, daily cap, mapping and the withdrawal itself. What was not read refuses. Source: money,
 * "First-withdrawal gas grant".
 */
export const decideGasGrant = (facts: GasGrantFacts): GasGrantReason => {
  const prior = knownValue(facts.prior)
  if (prior === undefined) return 'first_withdrawal_gas_grant_status_read_failed'
  if (prior !== null) return priorReason(prior, facts.intentHash)
  if (!facts.isOffered) return 'first_withdrawal_gas_grant_unavailable'
  if (!facts.isSettlementAsset) return 'first_withdrawal_gas_grant_usdc_only'
  if (facts.liquidRaw < GAS_GRANT_MINIMUM_LIQUID_RAW) return 'first_withdrawal_gas_grant_balance_below_floor'
  const reserved = knownValue(facts.reservedToday)
  if (reserved === undefined) return 'first_withdrawal_gas_grant_status_read_failed'
  if (reserved >= facts.dailyCap) return 'first_withdrawal_gas_grant_daily_cap_reached'
  const isMapped = knownValue(facts.mapped)
  if (isMapped === undefined) return 'first_withdrawal_gas_grant_status_read_failed'
  if (!isMapped) return 'first_withdrawal_gas_grant_address_unmapped'
  if (facts.intentHash === null) return 'first_withdrawal_gas_grant_withdrawal_intent_required'
  if (facts.intentHash !== facts.currentIntentHash) return 'first_withdrawal_gas_grant_withdrawal_intent_stale'
  return 'first_withdrawal_gas_grant_available'
}

/** Whether the withdrawal gets the grant, or has it: a grant that is being sent may belong to another one. */
const isGranted = (reason: GasGrantReason, prior: PriorGrant | null, asking: Hex | null): boolean =>
  reason === 'first_withdrawal_gas_grant_available' ||
  reason === 'first_withdrawal_gas_grant_sent' ||
  (reason === 'first_withdrawal_gas_grant_in_progress' && (prior === null || prior.intentHash === asking))

/** Grants of the UTC day of `now` (epoch ms). A grant counts to the day in which it was reserved, even if it is sent after midnight. */
export const grantDay = (reservedCount: number, dailyCap: number, now: number) => ({
  day: utcDay(now),
  clock: 'UTC' as const,
  resetAt: iso(nextUtcDay(now)),
  limit: dailyCap,
  reservedCount,
  remainingCount: Math.max(dailyCap - reservedCount, 0),
  source: 'reservations',
})

/**
 * `firstWithdrawalGasGrant`: the decision with what it was taken from; the day is null where it was not read. `reason` is a decision
 * that was taken later, from newer facts.
 */
export const gasGrantView = (
  facts: GasGrantFacts,
  assets: { settlement: Asset; native: Asset },
  now: number,
  reason: GasGrantReason = decideGasGrant(facts),
) => {
  const prior = knownValue(facts.prior)
  const reserved = knownValue(facts.reservedToday)
  const grant = amount({ raw: GAS_GRANT_RAW, decimals: assets.native.decimals })
  const settled = (raw: bigint) => amount({ raw, decimals: assets.settlement.decimals })
  return {
    offer: `Once in its lifetime a wallet gets ${grant.display} ${assets.native.symbol} for the gas of its first withdrawal.`,
    eligible: isGranted(reason, prior ?? null, facts.intentHash),
    reason,
    amount: grant,
    minimumAccountLiquid: settled(GAS_GRANT_MINIMUM_LIQUID_RAW),
    balance: settled(facts.liquidRaw),
    daily: reserved === undefined ? null : grantDay(reserved, facts.dailyCap, now),
    intentBound: true as const,
    standingFaucet: false as const,
    ...(prior && { status: prior.status, priorGrant: prior }),
  }
}
