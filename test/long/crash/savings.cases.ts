import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Print } from '../../crash/prints/print.ts'
import type { SavingsOutcome } from '../../crash/savings/kill-run.ts'
import { killAtEach, playLives } from '../../crash/savings/kill-suite.ts'
import { type Stages, stagesIn } from '../../crash/savings/stage.ts'
import { PROCESSES, SAVINGS_POINTS } from '../../crash/savings/table.ts'
import { auditStack } from '../../support/audit.ts'
import { CASES_SEED, oneIn, sampleOf } from '../../support/cases/sample.ts'
import { openedWorld } from './one-world.ts'

const START_MS = 400_000
const KILLS_MS = 600_000

/** A portion of the whole: a regular expression on the names of its points. */
const PORTION = new RegExp(process.env.CRASH_POINTS ?? '')

/** One point of every second kind of life and of service, or all points. Lives of one name are of one kind. */
const POINTS = oneIn(
  2,
  sampleOf(
    SAVINGS_POINTS.filter(({ name }) => PORTION.test(name)),
    ({ scenario, victim }) => [scenario, victim],
  ),
)
const PLAYED = new Set(POINTS.map(({ process, scenario }) => `${process}/${scenario}`))

const LIVES = Object.entries(PROCESSES)
  .flatMap(([process, { scenarios }]) =>
    Object.entries(scenarios).map(([scenario, { leaves }]) => [`${process}/${scenario}`, leaves] as const),
  )
  .filter(([life]) => PLAYED.has(life))

describe(`CASES_SEED=${CASES_SEED}: a savings process during which a worker or an API is killed leaves the records and the money of an uninterrupted run`, () => {
  let stages: Stages | undefined
  let expected: ReadonlyMap<string, Print> = new Map()
  const endings = new Map(POINTS.map(({ name }) => [name, Promise.withResolvers<SavingsOutcome>()]))
  let kills: Promise<string[]> = Promise.reject(new Error('the kills did not begin'))
  kills.catch(() => undefined)

  beforeAll(async () => {
    stages = await stagesIn(openedWorld())
    expected = await playLives(stages, POINTS)
    kills = killAtEach({ stages, points: POINTS, expected, onOutcome: ({ name }, outcome) => endings.get(name)?.resolve(outcome) })
    kills.catch(() => undefined)
  }, START_MS)

  test.each(LIVES)('%s: what an uninterrupted run leaves', (life, leaves) => expect(expected.get(life)).toMatchObject(leaves))

  test.each(POINTS.map(({ name, when }) => [name, when]))(
    '%s: %s',
    async (name) => {
      const ending = endings.get(name)?.promise
      const outcome = await Promise.race([ending, kills.then(() => ending)])
      expect({ missed: outcome?.missed, faults: outcome?.faults }).toEqual({ missed: null, faults: [] })
    },
    KILLS_MS,
  )

  test(
    'all runs together leave no unasked death, no gap of nonces, no stray transaction and no finding of the audit',
    async () => {
      expect(await kills).toEqual([])
      if (stages === undefined) throw new Error('the world did not open')
      expect(await auditStack({ ...stages.world, chain: stages.world.chainFile })).toEqual([])
    },
    KILLS_MS,
  )
})
