import type { Score } from './provider.ts'

/** Points of one line of a score table; null where it does not count. */
export type ScoreLine = readonly [name: string, points: number] | null

const HIGHEST = 100

/** Sum of the lines that count, from 0 to 100. Source: lifecycle, "Ingest". */
export function sumScore(lines: readonly ScoreLine[]): Score {
  const parts = lines.filter((line) => line !== null)
  const sum = parts.reduce((total, [, points]) => total + points, 0)
  return { total: Math.min(HIGHEST, Math.max(0, sum)), parts }
}

/** A line that counts under a condition. */
export const lineIf = (counts: boolean, name: string, points: number): ScoreLine => (counts ? [name, points] : null)
