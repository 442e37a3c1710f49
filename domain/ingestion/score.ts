import type { Score } from './provider.ts'

/** Points of one rule; falsy where it does not apply. */
export type ScorePart = readonly [name: string, points: number] | false | null | undefined

/** Score of the parts that apply, from 0 to 100. Source: lifecycle, "Ingest". */
export const sumScore = (parts: readonly ScorePart[]): Score => {
  const given = parts.filter((part) => !!part)
  const sum = given.reduce((total, [, points]) => total + points, 0)
  return { total: Math.min(Math.max(sum, 0), 100), parts: given }
}
