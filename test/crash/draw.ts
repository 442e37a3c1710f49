import type { Point } from './points/point.ts'
import { randomOf } from './random.ts'

/** Stretches of which one point each is drawn; of those beside which nothing else may be under way, one for all. */
const DRAWN = [
  'reject',
  'dispute|overturn',
  'arbitrate|uphold|sign',
  'review|people|prepare|supersede',
  'look|observe|deny|drop',
  'expire|lapse|timeout|refuse|silence|overdue|recall|later|remind|miss|appeal|forsake|release',
]

/** A few points of the worker that a seed decides: what the tests go through where all of them take minutes. */
export const draw = (seed: string, points: readonly Point[]): readonly Point[] =>
  DRAWN.flatMap((stretch) => {
    const found = points.filter(({ name }) => new RegExp(`^worker/(${stretch})/`).test(name))
    return found[Math.floor(randomOf(seed, 'draw', stretch)() * found.length)] ?? []
  })
