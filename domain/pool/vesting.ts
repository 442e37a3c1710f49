import { DEPOSIT_VESTING_SECONDS } from '../common/constants.ts'
import { floorSubtract, maxRaw, minRaw } from '../common/money.ts'

/** Place of a log on its chain. */
export interface LogPosition {
  blockNumber: bigint
  logIndex: number
}

/** What happened. A loan that is repaid and one that is seized both end with `loan_closed`. */
type PoolChange =
  | { kind: 'deposit'; assetsRaw: bigint; sharesRaw: bigint; txHash: string }
  | { kind: 'withdraw'; assetsRaw: bigint; sharesRaw: bigint }
  | { kind: 'loan_originated' | 'loan_closed'; loanId: string }

/** Log of the deposit pool or the credit pool about one wallet; `at` is its block's time (epoch ms), which never falls from log to log. */
export type PoolEvent = LogPosition & { at: number } & PoolChange

/** Deposit with principal that has not vested in full. Amounts in base units, instants in epoch ms. */
export interface Tranche extends LogPosition {
  txHash: string
  depositedRaw: bigint
  /** Principal that later withdrawals left. */
  remainingRaw: bigint
  depositedAt: number
  /** Start of vesting, unless an open loan still delays it: the deposit, or the last closing of a loan that was open then. */
  vestingFrom: number
}

/**
 * Vesting of one wallet after all its events up to `asOf`. Principal that has vested in full is one sum: it is the oldest, so withdrawals
 * reach it last, and no later loan can delay it. A pool migration begins with a state that holds the preserved tranches.
 */
export interface VestingState {
  /** Epoch ms. */
  asOf: number
  /** Last counted log; null before the first one. */
  upTo: LogPosition | null
  /** All shares of the wallet, base units. */
  sharesRaw: bigint
  maturedRaw: bigint
  /** Oldest first. */
  tranches: readonly Tranche[]
  openLoans: readonly { loanId: string; openedAt: number }[]
}

/** Vesting of a wallet without events. */
export const NO_VESTING: VestingState = { asOf: 0, upTo: null, sharesRaw: 0n, maturedRaw: 0n, tranches: [], openLoans: [] }

const VESTING_MS = DEPOSIT_VESTING_SECONDS * 1000

const isAfter = (left: LogPosition, right: LogPosition | null): boolean =>
  right === null || left.blockNumber > right.blockNumber || (left.blockNumber === right.blockNumber && left.logIndex > right.logIndex)

/** Events that the state does not count yet, in the order of the chain, each once. */
const newEvents = (events: readonly PoolEvent[], upTo: LogPosition | null): PoolEvent[] => {
  const fresh = events.filter((event) => isAfter(event, upTo)).sort((left, right) => (isAfter(left, right) ? 1 : -1))
  return fresh.filter((event, index) => isAfter(event, fresh[index - 1] ?? null))
}

const sumRemaining = (tranches: readonly Tranche[]): bigint => tranches.reduce((sum, { remainingRaw }) => sum + remainingRaw, 0n)

interface Fold {
  sharesRaw: bigint
  maturedRaw: bigint
  tranches: Tranche[]
  openLoans: Map<string, number>
}

/**
 * Burns principal from the newest tranche backwards: the assets that were paid, and at least the part of the principal that the redeemed shares
 * were of all shares, as a loss of the pool burns principal with them. An excess, such as earnings of the pool, burns nothing.
 */
const burn = (fold: Fold, { assetsRaw, sharesRaw }: { assetsRaw: bigint; sharesRaw: bigint }): void => {
  const principalRaw = fold.maturedRaw + sumRemaining(fold.tranches)
  const partRaw = fold.sharesRaw === 0n ? 0n : (principalRaw * sharesRaw) / fold.sharesRaw
  fold.sharesRaw -= sharesRaw
  let left = maxRaw(assetsRaw, partRaw)
  for (let newest = fold.tranches.at(-1); newest !== undefined && left > 0n; newest = fold.tranches.at(-1)) {
    const burnt = minRaw(left, newest.remainingRaw)
    left -= burnt
    fold.tranches.pop()
    if (burnt < newest.remainingRaw) fold.tranches.push({ ...newest, remainingRaw: newest.remainingRaw - burnt })
  }
  fold.maturedRaw = floorSubtract(fold.maturedRaw, left)
}

/** Ends a loan: vesting of every deposit made while it was open starts now at the earliest. */
const closeLoan = (fold: Fold, loanId: string, at: number): void => {
  const openedAt = fold.openLoans.get(loanId)
  if (openedAt === undefined) return
  fold.openLoans.delete(loanId)
  for (let index = fold.tranches.length - 1; index >= 0; index--) {
    const tranche = fold.tranches[index]
    if (tranche === undefined || tranche.depositedAt < openedAt) return
    fold.tranches[index] = { ...tranche, vestingFrom: at }
  }
}

const applyEvent = (fold: Fold, event: PoolEvent): void => {
  switch (event.kind) {
    case 'deposit': {
      const { blockNumber, logIndex, txHash, assetsRaw, at } = event
      fold.sharesRaw += event.sharesRaw
      const amounts = { depositedRaw: assetsRaw, remainingRaw: assetsRaw }
      if (assetsRaw > 0n) fold.tranches.push({ blockNumber, logIndex, txHash, ...amounts, depositedAt: at, vestingFrom: at })
      return
    }
    case 'withdraw':
      burn(fold, event)
      return
    case 'loan_originated':
      fold.openLoans.set(event.loanId, event.at)
      return
    case 'loan_closed':
      closeLoan(fold, event.loanId, event.at)
  }
}

/** Opening of the oldest open loan: deposits from that instant on do not vest while it is open. Infinity without a loan. */
const delayedFrom = (openTimes: Iterable<number>): number => {
  let earliest = Number.POSITIVE_INFINITY
  for (const openedAt of openTimes) earliest = Math.min(earliest, openedAt)
  return earliest
}

const isMatured = ({ vestingFrom }: Tranche, now: number): boolean => now - vestingFrom >= VESTING_MS

/** Number of tranches, from the oldest on, that have vested in full. A newer deposit never vests in full before an older one. */
const countMatured = (tranches: readonly Tranche[], delayed: number, now: number): number => {
  const first = tranches.findIndex((tranche) => tranche.depositedAt >= delayed || !isMatured(tranche, now))
  return first === -1 ? tranches.length : first
}

/**
 * Adds a wallet's events of the deposit pool and the credit pool. Events that the state counts already and repeated ones change nothing.
 * `asOf` (epoch ms) is the time of the block up to which `events` are complete. A deposit and a loan of the same block time count as a deposit
 * under the loan, in whatever order they stand. After a fork below `upTo`, start again from an older state. Source: money, "Vesting of pool
 * deposits".
 */
export const foldPoolEvents = (state: VestingState, events: readonly PoolEvent[], asOf: number): VestingState => {
  const fold: Fold = {
    sharesRaw: state.sharesRaw,
    maturedRaw: state.maturedRaw,
    tranches: [...state.tranches],
    openLoans: new Map(state.openLoans.map(({ loanId, openedAt }) => [loanId, openedAt])),
  }
  const fresh = newEvents(events, state.upTo)
  for (const event of fresh) applyEvent(fold, event)
  const last = fresh.at(-1)
  const at = Math.max(state.asOf, asOf, last?.at ?? 0)
  const matured = countMatured(fold.tranches, delayedFrom(fold.openLoans.values()), at)
  return {
    asOf: at,
    upTo: last === undefined ? state.upTo : { blockNumber: last.blockNumber, logIndex: last.logIndex },
    sharesRaw: fold.sharesRaw,
    maturedRaw: fold.maturedRaw + sumRemaining(fold.tranches.slice(0, matured)),
    tranches: fold.tranches.slice(matured),
    openLoans: [...fold.openLoans].map(([loanId, openedAt]) => ({ loanId, openedAt })),
  }
}

/** Tranche with its vested part at one instant. */
export interface VestingTranche extends Tranche {
  vestedRaw: bigint
  /** Start of vesting; null while an open loan delays it. */
  vestingStartedAt: number | null
  /** Whether a loan moved or still holds up the start of vesting. */
  debtDelayed: boolean
}

/** Vesting of a wallet at one instant, amounts in base units. */
export interface Vesting {
  /** Epoch ms. */
  evaluatedAt: number
  /** Vested principal, at most the value of the wallet's shares: what raises limits and backs loans. */
  vestedRaw: bigint
  /** Principal that has not vested yet, less what the pool lost. */
  unvestedRaw: bigint
  /** Principal of the deposits that had vested in full when the state was stored; they are not among the tranches. */
  maturedRaw: bigint
  /** Oldest first. */
  tranches: VestingTranche[]
  /** Tranche that vests in full next, at `at` (epoch ms); null while there is none or a loan delays it. */
  next: (LogPosition & { at: number; remainingRaw: bigint }) | null
}

const vestedPart = (tranche: Tranche, now: number): bigint =>
  isMatured(tranche, now)
    ? tranche.remainingRaw
    : (tranche.remainingRaw * maxRaw(BigInt(now - tranche.vestingFrom), 0n)) / BigInt(VESTING_MS)

const trancheAt = (tranche: Tranche, delayed: number, now: number): VestingTranche => {
  const waits = tranche.depositedAt >= delayed
  return {
    ...tranche,
    vestedRaw: waits ? 0n : vestedPart(tranche, now),
    vestingStartedAt: waits ? null : tranche.vestingFrom,
    debtDelayed: waits || tranche.vestingFrom > tranche.depositedAt,
  }
}

const nextToVest = (tranches: readonly VestingTranche[], now: number): Vesting['next'] => {
  const next = tranches.find((tranche) => tranche.vestingStartedAt === null || !isMatured(tranche, now))
  if (next === undefined || next.vestingStartedAt === null) return null
  const { blockNumber, logIndex, remainingRaw } = next
  return { blockNumber, logIndex, remainingRaw, at: next.vestingStartedAt + VESTING_MS }
}

/**
 * Vested principal at `now` (epoch ms): each tranche grows by the millisecond for 48 hours, rounded down. `assetsOfRaw` is the value of the
 * wallet's shares. An instant before the state's own counts as the state's own.
 */
export const vestingAt = (state: VestingState, assetsOfRaw: bigint, now: number): Vesting => {
  const evaluatedAt = Math.max(now, state.asOf)
  const delayed = delayedFrom(state.openLoans.map(({ openedAt }) => openedAt))
  const tranches = state.tranches.map((tranche) => trancheAt(tranche, delayed, evaluatedAt))
  const principalRaw = minRaw(state.maturedRaw + sumRemaining(tranches), assetsOfRaw)
  const vestedRaw = minRaw(
    tranches.reduce((sum, tranche) => sum + tranche.vestedRaw, state.maturedRaw),
    principalRaw,
  )
  return {
    evaluatedAt,
    vestedRaw,
    unvestedRaw: principalRaw - vestedRaw,
    maturedRaw: state.maturedRaw,
    tranches,
    next: nextToVest(tranches, evaluatedAt),
  }
}
