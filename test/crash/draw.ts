import type { Point } from './points/point.ts'
import { randomOf } from './random.ts'

/** Of each of these one point is drawn: a part of the way to a badge that is killed, and stretches of disputes without and with a wait for a deadline. */
const DRAWN = [
  'api/',
  'worker/(claim|submit)/',
  'worker/settle/',
  'temporal/',
  'postgres/',
  'chain/',
  'worker/(reject|dispute|overturn|arbitrate|uphold)/',
  'worker/(expire|lapse|timeout|refuse|overdue|remind)/',
]

/** Decides which points of claims a sample holds, and what the runs draw. */
export const SEED = process.env.CRASH_SEED ?? 'tests'

const pick = <T>(seed: string, what: string, from: readonly T[]): T[] => {
  const found = from[Math.floor(randomOf(seed, 'draw', what)() * from.length)]
  return found === undefined ? [] : [found]
}

/** A few points that a seed decides, for the gate: all of them take most of an hour. */
export const draw = (seed: string, points: readonly Point[]): readonly Point[] =>
  DRAWN.flatMap((stretch) =>
    pick(
      seed,
      stretch,
      points.filter(({ name }) => new RegExp(`^${stretch}`).test(name)),
    ),
  )
