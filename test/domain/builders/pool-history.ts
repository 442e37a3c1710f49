import type { PoolEvent } from '../../../domain/pool/vesting.ts'

const HOUR = 60 * 60 * 1000
/** Instant of the first event of a history. */
export const FIRST = Date.parse('2026-03-01T12:00:00.000Z')

/** What happened, as a test names it: amounts in base units, loans by a name, hours since the first event. */
export type Step =
  | { deposit: number | bigint; shares: number | bigint; hours: number }
  | { withdraw: number | bigint; shares: number | bigint; hours: number }
  | { open: string; hours: number }
  | { close: string; hours: number }

export const deposit = (units: number | bigint, hours: number, shares = units): Step => ({ deposit: units, shares, hours })
export const withdraw = (units: number | bigint, hours: number, shares = units): Step => ({ withdraw: units, shares, hours })
export const open = (loan: string, hours: number): Step => ({ open: loan, hours })
export const close = (loan: string, hours: number): Step => ({ close: loan, hours })

const changeOf = (step: Step) => {
  if ('deposit' in step)
    return { kind: 'deposit' as const, assetsRaw: BigInt(step.deposit), sharesRaw: BigInt(step.shares), txHash: '0xaa' }
  if ('withdraw' in step) return { kind: 'withdraw' as const, assetsRaw: BigInt(step.withdraw), sharesRaw: BigInt(step.shares) }
  return 'open' in step ? { kind: 'loan_originated' as const, loanId: step.open } : { kind: 'loan_closed' as const, loanId: step.close }
}

/** Pool events in the order of the steps, one per block. */
export const poolHistory = (steps: readonly Step[]): PoolEvent[] =>
  steps.map((step, index) => ({
    ...changeOf(step),
    blockNumber: BigInt(index + 1),
    logIndex: index,
    at: FIRST + Math.round(step.hours * HOUR),
  }))

/** Instant, hours after the first event. */
export const hoursLater = (hours: number): number => FIRST + hours * HOUR

/** Numbers from 0 to below `bound`, the same for the same seed. */
export const seededInts = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

/** Hours between two events: often none, so that events share a block time, and at times more than a whole vesting. */
const GAPS = [0, 0, 0.5, 7, 12, 24, 25, 48, 60]

/** A random history: deposits, withdrawals beyond the principal or of the last share, overlapping loans, loans that never close. */
export const randomSteps = (int: (bound: number) => number): Step[] => {
  const open: string[] = []
  let shares = 0
  let hours = 0
  let loans = 0
  return Array.from({ length: 1 + int(10) }, (): Step => {
    hours += (GAPS[int(GAPS.length)] ?? 0) + (int(3) === 0 ? int(1000) / HOUR : 0)
    const choice = int(10)
    if (choice < 5) {
      const given = 1 + int(20)
      shares += given
      return { deposit: int(20), shares: given, hours }
    }
    if (choice < 7) {
      const redeemed = int(3) === 0 ? shares : int(shares + 1)
      shares -= redeemed
      return { withdraw: int(30), shares: redeemed, hours }
    }
    if (choice === 7 || open.length === 0) {
      const id = `loan-${loans++}`
      open.push(id)
      return { open: id, hours }
    }
    return { close: open.splice(int(open.length), 1)[0] ?? '', hours }
  })
}
