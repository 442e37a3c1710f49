import { TimeRefusedError } from './errors.ts'

/** Target of a move of time: a number of seconds ahead, or an instant (epoch milliseconds). */
export type TimeTarget = { plusSeconds: number } | { instant: number }

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Parses `+7d`, `+2h`, `+90m`, `+30s`, sums like `+1d12h`, or an ISO 8601 instant with its zone. Throws on anything else. */
export const parseTimeExpression = (text: string): TimeTarget => {
  const word = text.trim()
  if (/^\+(\d+[smhdw])+$/.test(word)) {
    const parts = [...word.matchAll(/(\d+)([smhdw])/g)]
    return { plusSeconds: parts.reduce((sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 0), 0) }
  }
  const instant = INSTANT.test(word) ? Date.parse(word) : Number.NaN
  if (Number.isNaN(instant))
    throw new TimeRefusedError(
      'invalid_time',
      `"${text}" is no time: write +7d, +2h, +90m, +30s or an instant like 2030-01-31T12:00:00Z; time moves forward only`,
    )
  return { instant }
}
