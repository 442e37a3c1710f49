import { test } from '@jest/globals'
import { randomOf } from '../../crash/random.ts'

/** Whether a suite plays every case, as its own command asks with `CASES=all`; otherwise it plays a sample. */
export const PLAYS_ALL = process.env.CASES === 'all'
/** Decides which cases a sample holds. */
export const CASES_SEED = process.env.CASES_SEED ?? 'tests'

/** The cases in an order that a seed decides. */
const shuffled = <T>(cases: readonly T[]): number[] => {
  const random = randomOf(CASES_SEED, 'sample')
  return cases
    .map((_case, index) => ({ index, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ index }) => index)
}

/** Cases among which every kind occurs that occurs among all, in their own order; all of them with `CASES=all`. A case may be of several kinds. */
export const sampleOf = <T>(cases: readonly T[], kindsOf: (one: T) => readonly unknown[]): readonly T[] => {
  if (PLAYS_ALL) return cases
  const seen = new Set<string>()
  const chosen = shuffled(cases).filter((index) => {
    const missing = kindsOf(cases[index] as T)
      .map((kind, place) => JSON.stringify([place, kind]))
      .filter((kind) => !seen.has(kind))
    for (const kind of missing) seen.add(kind)
    return missing.length > 0
  })
  return cases.filter((_case, index) => chosen.includes(index))
}

/** Random cases that a test plays: a fifth of the whole in a gate. */
export const runsOf = (whole: number): number => (PLAYS_ALL ? whole : Math.ceil(whole / 5))

/** Which of the cases that come one after the other a gate plays: one in every `share`, from a place that the seed decides. */
const turnsOf = (share: number): (() => boolean) => {
  let place = Math.floor(randomOf(CASES_SEED, 'turns')() * share)
  return () => {
    place += 1
    return PLAYS_ALL || place % share === 0
  }
}

/** One in every `share` of the cases, in their own order; all of them with `CASES=all`. */
export const oneIn = <T>(share: number, cases: readonly T[]): readonly T[] => cases.filter(turnsOf(share))

/**
 * Declares tests of which a gate plays one in `share`: every test has its turn with some seed. With `CASES=all` each plays. A test that is declared
 * so needs nothing that another one leaves.
 */
export const inTurns = (share: number) => {
  const hasTurn = turnsOf(share)
  return (...given: Parameters<typeof test>): void => (hasTurn() ? test(...given) : test.skip(...given))
}
