import { beforeAll, expect, test } from '@jest/globals'
import { rebuildStack } from '../support/audit.ts'
import type { CrashWorld } from './crash-world.ts'
import { SEED } from './draw.ts'
import type { Point } from './points/point.ts'
import { expectedOf, playRound } from './round.ts'
import type { Outcome } from './run.ts'

const ROUND_MS = 900_000

/** One round through some points on a fleet: each point is a test. */
export const playPoints = (points: readonly Point[], world: () => CrashWorld): void => {
  const endings = new Map<string, PromiseWithResolvers<Outcome>>(points.map(({ name }) => [name, Promise.withResolvers<Outcome>()]))
  let round: Promise<string[]> = Promise.reject(new Error('the round did not begin'))
  round.catch(() => undefined)

  beforeAll(async () => {
    const expected = await expectedOf(world(), points)
    const onOutcome = (outcome: Outcome): void => endings.get(outcome.point.name)?.resolve(outcome)
    const onRetry = ({ point, missed }: Outcome): void => void process.stderr.write(`${point.name} has another turn: ${missed}\n`)
    round = playRound(world(), { seed: SEED, number: 1, points, expected, onOutcome, onRetry })
    round.catch(() => undefined)
  }, ROUND_MS)

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
      expect(await rebuildStack({ ...world(), chain: world().chainFile })).toEqual([])
    },
    ROUND_MS,
  )
}
