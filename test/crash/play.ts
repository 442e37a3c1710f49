import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { rebuildStack } from '../support/audit.ts'
import { type CrashWorld, openCrashWorld } from './crash-world.ts'
import type { Point } from './points/point.ts'
import { expectedOf, playRound } from './round.ts'
import type { Outcome } from './run.ts'

const START_MS = 240_000
const ROUND_MS = 900_000
/** Always the same here; `npm run crash` draws another each time. */
export const SEED = 'tests'

/** One round through some points on a fleet of this file: each point is a test. */
export const playPoints = (points: readonly Point[]): void => {
  const endings = new Map<string, PromiseWithResolvers<Outcome>>(points.map(({ name }) => [name, Promise.withResolvers<Outcome>()]))
  let world: CrashWorld | undefined
  let round: Promise<string[]> = Promise.reject(new Error('the round did not begin'))
  round.catch(() => undefined)

  beforeAll(async () => {
    world = await openCrashWorld()
    const expected = await expectedOf(world, points)
    const heard = (outcome: Outcome): void => endings.get(outcome.point.name)?.resolve(outcome)
    const strayed = ({ point, missed }: Outcome): void => void process.stderr.write(`${point.name} has another turn: ${missed}\n`)
    round = playRound(world, { seed: SEED, number: 1, points, expected, heard, strayed })
    round.catch(() => undefined)
  }, START_MS)
  afterAll(() => world?.close(), 60_000)

  test.each(points.map(({ name, when }) => [name, when]))(
    '%s: %s',
    async (name) => {
      const ended = endings.get(name)?.promise
      const outcome = await Promise.race([ended, round.then(() => ended)])
      expect(outcome?.faults).toEqual([])
    },
    ROUND_MS,
  )

  test(
    'the platform paid and earned as often as there were runs, no nonce was left out, and the records follow from chain and session log',
    async () => {
      expect(await round).toEqual([])
      if (world === undefined) throw new Error('the world did not open')
      expect(await rebuildStack({ ...world, chain: world.chainFile })).toEqual([])
    },
    ROUND_MS,
  )
}
