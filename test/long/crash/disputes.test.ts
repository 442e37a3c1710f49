import { describe } from '@jest/globals'
import { draw } from '../../crash/draw.ts'
import { playPoints, SEED } from '../../crash/play.ts'
import { DISPUTE_POINTS } from '../../crash/points/dispute-points.ts'

describe('a session whose worker is killed after another verdict than an approval ends as if nothing had happened', () => {
  playPoints(draw(SEED, DISPUTE_POINTS))
})
