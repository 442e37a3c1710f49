import { maxRaw } from '../../../domain/common/money.ts'
import { type SavingsEvent, vestedFromEvents } from './vesting.ts'

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const ROWS = 8
/** Whole units to which the top of the axis is rounded up. */
const ROUND = 4n
const HOUR = 3_600

/** What the curve shows. Instants in seconds, amounts in base units. */
interface CurveOptions {
  from: number
  hours: number
  decimals: number
}

/** Filled eighths of the cell of a row, counted from the bottom. */
const eighths = (amountRaw: bigint, topRaw: bigint, row: number): number => {
  const filled = Number((amountRaw * BigInt(ROWS * 8)) / topRaw) - row * 8
  return Math.max(0, Math.min(8, filled))
}

const label = (amountRaw: bigint, decimals: number): string => {
  const tenths = (amountRaw * 10n) / 10n ** BigInt(decimals)
  return `${tenths / 10n}.${tenths % 10n}`.padStart(6)
}

/** Ruler with a mark at every twelfth hour. */
const ruler = (hours: number): string[] => {
  const marks = Array.from({ length: hours + 1 }, (_, hour) => (hour % 12 === 0 ? '┴' : '─')).join('')
  const names = Array.from({ length: Math.floor(hours / 12) + 1 }, (_, index) => `${index * 12} h`.padEnd(12)).join('')
  return [`       └${marks}`, `        ${names}`.trimEnd()]
}

/** Vested amount hour by hour as plain text of at most 80 columns: blocks are vested, shade is principal that has not vested. */
export const drawCurve = (events: readonly SavingsEvent[], { from, hours, decimals }: CurveOptions): string[] => {
  const columns = Array.from({ length: hours + 1 }, (_, hour) => vestedFromEvents(events, from + hour * HOUR))
  const highestRaw = columns.reduce((top, { principalRaw }) => maxRaw(principalRaw, top), 1n)
  const unit = 10n ** BigInt(decimals)
  const topRaw = ((highestRaw + ROUND * unit - 1n) / (ROUND * unit)) * ROUND * unit
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const row = ROWS - 1 - index
    const cells = columns.map(({ vestedRaw, principalRaw }) => {
      const vested = eighths(vestedRaw, topRaw, row)
      return vested === 0 && eighths(principalRaw, topRaw, row) >= 4 ? '░' : EIGHTHS[vested]
    })
    const axis = row % 2 === 1 ? `${label((topRaw * BigInt(row + 1)) / BigInt(ROWS), decimals)} ┤` : `${''.padStart(6)} │`
    return `${axis}${cells.join('')}`.trimEnd()
  })
  return [...rows, ...ruler(hours)]
}
