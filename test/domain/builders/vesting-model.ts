import { type PoolEvent, type VestingState, vestingAt } from '../../../domain/pool/vesting.ts'

/** Vesting as the slow model counts it. */
export interface ModelVesting {
  vestedRaw: number
  unvestedRaw: number
  /** Live tranches, oldest first; `startedAt` is null while a loan delays it. */
  tranches: { logIndex: number; remainingRaw: number; vestedRaw: number; startedAt: number | null; debtDelayed: boolean }[]
  /** Instant at which the oldest tranche that has not vested in full does so. */
  nextAt: number | null
}

const HOURS_48 = 48 * 60 * 60 * 1000

/** First and last instant of every loan of a history. */
const loansOf = (history: readonly PoolEvent[]) =>
  history.flatMap((opening) => {
    if (opening.kind !== 'loan_originated') return []
    const closing = history.find((event) => event.kind === 'loan_closed' && event.loanId === opening.loanId)
    return [{ openedAt: opening.at, closedAt: closing?.at ?? Number.POSITIVE_INFINITY }]
  })

/**
 * Every base unit of the pool as the deposit that it came with, after the withdrawals took the newest units: as many as were paid, or as large a
 * part of all as that of the shares.
 */
const unitsOf = (history: readonly PoolEvent[]): PoolEvent[] => {
  const units: PoolEvent[] = []
  let shares = 0
  for (const event of history) {
    if (event.kind === 'deposit') {
      for (let unit = 0n; unit < event.assetsRaw; unit++) units.push(event)
      shares += Number(event.sharesRaw)
    }
    if (event.kind === 'withdraw') {
      const part = shares === 0 ? 0 : Math.floor((units.length * Number(event.sharesRaw)) / shares)
      units.splice(Math.max(0, units.length - Math.max(part, Number(event.assetsRaw))))
      shares -= Number(event.sharesRaw)
    }
  }
  return units
}

/**
 * Vesting at `now`, written from the rule alone: it looks at the whole history each time, keeps each base unit apart and each loan as an
 * interval, and stores nothing. For small amounts only.
 */
const modelVesting = (history: readonly PoolEvent[], assetsOf: number, now: number): ModelVesting => {
  const loans = loansOf(history)
  const units = unitsOf(history)
  const tranches = history.flatMap((deposit) => {
    const remainingRaw = units.filter((unit) => unit === deposit).length
    if (remainingRaw === 0) return []
    const holding = loans.filter(({ openedAt, closedAt }) => openedAt <= deposit.at && closedAt >= deposit.at)
    const start = Math.max(deposit.at, ...holding.map(({ closedAt }) => closedAt))
    const age = Math.min(Math.max(now - start, 0), HOURS_48)
    return [{ logIndex: deposit.logIndex, remainingRaw, vestedRaw: Math.floor((remainingRaw * age) / HOURS_48), start, at: deposit.at }]
  })
  const principal = Math.min(units.length, assetsOf)
  const vested = tranches.reduce((sum, tranche) => sum + tranche.vestedRaw, 0)
  const vestedRaw = Math.min(vested, assetsOf)
  const ends = tranches.map(({ start }) => start + HOURS_48).filter((end) => end > now)
  const nextAt = ends[0] === undefined || ends[0] === Number.POSITIVE_INFINITY ? null : ends[0]
  return {
    vestedRaw,
    unvestedRaw: Math.max(principal - vestedRaw, 0),
    tranches: tranches.map(({ start, at, ...tranche }) => ({
      ...tranche,
      startedAt: start === Number.POSITIVE_INFINITY ? null : start,
      debtDelayed: start > at,
    })),
    nextAt,
  }
}

const rowsOf = (tranches: ModelVesting['tranches']): string[] =>
  tranches.map((one) => [one.logIndex, one.remainingRaw, one.vestedRaw, one.startedAt, one.debtDelayed].join())

/** Rule and model of one history where they differ; null where they agree to the unit. The rule's matured sum stands for its oldest tranches. */
export const differsFromModel = (state: VestingState, history: readonly PoolEvent[], assetsOf: number, now: number) => {
  const rule = vestingAt(state, BigInt(assetsOf), now)
  const model = modelVesting(history, assetsOf, now)
  const shown = rule.tranches.map((tranche) => ({
    logIndex: tranche.logIndex,
    remainingRaw: Number(tranche.remainingRaw),
    vestedRaw: Number(tranche.vestedRaw),
    startedAt: tranche.vestingStartedAt,
    debtDelayed: tranche.debtDelayed,
  }))
  const matured = model.tranches.slice(0, model.tranches.length - shown.length)
  const agrees =
    rule.vestedRaw === BigInt(model.vestedRaw) &&
    rule.unvestedRaw === BigInt(model.unvestedRaw) &&
    (rule.next?.at ?? null) === model.nextAt &&
    rowsOf(shown).join(';') === rowsOf(model.tranches.slice(matured.length)).join(';') &&
    matured.every(({ remainingRaw, vestedRaw }) => remainingRaw === vestedRaw) &&
    rule.maturedRaw === BigInt(matured.reduce((sum, { remainingRaw }) => sum + remainingRaw, 0))
  return agrees ? null : { rule, model }
}
