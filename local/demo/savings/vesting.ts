import { maxRaw, minRaw } from '../../../domain/common/money.ts'

/** Event of the pools about one wallet; `at` is the time of its block in seconds. Amounts in base units. */
export type SavingsEvent = { at: number } & (
  | { kind: 'deposit' | 'withdraw'; assetsRaw: bigint; sharesRaw: bigint }
  | { kind: 'loan_originated' | 'loan_closed'; loanId: string }
)

const VESTING_SECONDS = 48n * 3_600n

interface Loan {
  openedAt: number
  /** Infinity while the loan is open. */
  closedAt: number
}

const loansOf = (events: readonly SavingsEvent[]): Loan[] =>
  events.flatMap((event) => {
    if (event.kind !== 'loan_originated') return []
    const closing = events.find((other) => other.kind === 'loan_closed' && other.loanId === event.loanId)
    return [{ openedAt: event.at, closedAt: closing?.at ?? Number.POSITIVE_INFINITY }]
  })

/** Start of the vesting of a deposit: its own time, or the last closing of the loans that were open then. */
const vestingStart = (depositedAt: number, loans: readonly Loan[]): number =>
  Math.max(
    depositedAt,
    ...loans.filter((loan) => loan.openedAt <= depositedAt && loan.closedAt >= depositedAt).map((loan) => loan.closedAt),
  )

const vestedPart = (principalRaw: bigint, from: number, at: number): bigint => {
  if (at <= from) return 0n
  const age = BigInt(at - from)
  return age >= VESTING_SECONDS ? principalRaw : (principalRaw * age) / VESTING_SECONDS
}

/**
 * Vested amount of a wallet at an instant in base units, from its events in the order of the chain. The demo computes it apart from the service, to
 * compare the two. Source: money, "Vesting of pool deposits".
 */
export const vestedFromEvents = (events: readonly SavingsEvent[], at: number): { vestedRaw: bigint; principalRaw: bigint } => {
  const past = events.filter((event) => event.at <= at)
  const loans = loansOf(past)
  const deposits: { at: number; remainingRaw: bigint }[] = []
  let sharesRaw = 0n
  for (const event of past) {
    if (event.kind === 'deposit') {
      deposits.push({ at: event.at, remainingRaw: event.assetsRaw })
      sharesRaw += event.sharesRaw
    }
    if (event.kind !== 'withdraw') continue
    const principalRaw = deposits.reduce((sum, deposit) => sum + deposit.remainingRaw, 0n)
    let burnRaw = maxRaw(event.assetsRaw, (principalRaw * event.sharesRaw) / sharesRaw)
    sharesRaw -= event.sharesRaw
    for (const deposit of deposits.toReversed()) {
      const burntRaw = minRaw(burnRaw, deposit.remainingRaw)
      deposit.remainingRaw -= burntRaw
      burnRaw -= burntRaw
    }
  }
  return {
    vestedRaw: deposits.reduce((sum, deposit) => sum + vestedPart(deposit.remainingRaw, vestingStart(deposit.at, loans), at), 0n),
    principalRaw: deposits.reduce((sum, deposit) => sum + deposit.remainingRaw, 0n),
  }
}

/** External ceiling without a deposit, in whole units. */
const CEILING_BASE = 1n

const squareRoot = (value: bigint): bigint => {
  let root = 0n
  while ((root + 1n) ** 2n <= value) root += 1n
  return root
}

/** Raise of the cap of open exposure, half a unit for each root of the vested units, and the ceiling of external rewards. Source: money, "Formulas". */
export const limitsFromVested = (vestedRaw: bigint, decimals: number) => {
  const unit = 10n ** BigInt(decimals)
  return {
    openExposureRaiseRaw: (squareRoot(vestedRaw / unit) * unit) / 2n,
    externalRewardCeilingRaw: CEILING_BASE * unit + vestedRaw,
  }
}
