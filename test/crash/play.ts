import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CrashWorld, openCrashWorld } from './crash-world.ts'
import { BADGE_KINDS, kindOfPoint } from './journeys.ts'
import type { Point } from './point.ts'
import { type Expected, expectedOf, playRound } from './round.ts'
import type { Outcome } from './run.ts'

const START_MS = 240_000
const ROUND_MS = 400_000
/** Always the same here; `npm run crash` draws another each time. */
export const SEED = 'tests'

/** One round through some points on a fleet of this file: each point is a test. */
export const playPoints = (points: readonly Point[]): void => {
  const endings = new Map<string, PromiseWithResolvers<Outcome>>(points.map(({ name }) => [name, Promise.withResolvers<Outcome>()]))
  let world: CrashWorld | undefined
  let uninterrupted: Expected = {}
  let round: Promise<string[]> = Promise.reject(new Error('the round did not begin'))
  round.catch(() => undefined)

  beforeAll(async () => {
    world = await openCrashWorld()
    const expected = await expectedOf(world, points)
    const heard = (outcome: Outcome): void => endings.get(outcome.point.name)?.resolve(outcome)
    const strayed = ({ point, missed }: Outcome): void => void process.stderr.write(`${point.name} has another turn: ${missed}\n`)
    uninterrupted = expected
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

  // Both runs would agree in what is wrong in both.
  const toBadge = points.some((point) => kindOfPoint(point) === null)
  if (toBadge)
    test('what is compared with is a whole run to a badge, by the instants of its own blocks', () => {
      for (const kind of BADGE_KINDS)
        expect(uninterrupted[kind]?.print).toMatchObject({
          'its transactions': [['claimJobFor', 'submitWorkFor', 'resolveSinglePayout']],
          'their blocks': [[true, true]],
          'its instants': [
            [
              ...[
                ['claimedAt', 'claimJobFor'],
                ['submittedAt', 'submitWorkFor'],
                ['rejectedAt', null],
                ['disputedAt', null],
              ],
              ...[
                ['resolvedAt', 'resolveSinglePayout'],
                ['closedAt', null],
                ['expiredAt', null],
                ['rejectionFinalizedAt', null],
              ],
            ],
          ],
          badge: [200, { 'completed when it was resolved': true, 'of the work': true }],
        })
    })

  test(
    'the platform paid and earned as often as there were runs, and no nonce was left out',
    async () => expect(await round).toEqual([]),
    ROUND_MS,
  )
}
