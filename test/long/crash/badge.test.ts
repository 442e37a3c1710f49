import { describe } from '@jest/globals'
import { playPoints } from '../../crash/play.ts'
import { BADGE_POINTS } from '../../crash/points/points.ts'

describe('a claim during which an API, a worker, the database, the engine or the chain is killed ends as if nothing had happened', () => {
  playPoints(BADGE_POINTS)
})
