import { describe } from '@jest/globals'
import { playPoints } from '../../crash/play.ts'
import { BADGE_POINTS } from '../../crash/points.ts'

describe('a claim whose API or worker is killed ends as if nothing had happened', () => {
  playPoints(BADGE_POINTS.filter(({ name }) => /^(api|workers?)\//.test(name)))
})
