import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { SavingsOutcome } from '../../crash/savings/kill-run.ts'
import { killAtEach, playLives } from '../../crash/savings/kill-suite.ts'
import { openStage } from '../../crash/savings/stage.ts'
import { SAVINGS_POINTS } from '../../crash/savings/table.ts'
import { auditStack } from '../../support/audit.ts'

const START_MS = 180_000
const KILLS_MS = 400_000

describe('a savings process whose worker is killed leaves the records and the money of an uninterrupted run', () => {
  let opened: Awaited<ReturnType<typeof openStage>> | undefined
  const endings = new Map(SAVINGS_POINTS.map(({ name }) => [name, Promise.withResolvers<SavingsOutcome>()]))
  let kills: Promise<string[]> = Promise.reject(new Error('the kills did not begin'))
  kills.catch(() => undefined)

  beforeAll(async () => {
    opened = await openStage()
    const { uninterrupted, killed: stage, open } = opened
    const expected = await playLives(uninterrupted, SAVINGS_POINTS)
    kills = killAtEach({
      stage,
      points: SAVINGS_POINTS,
      expected,
      open,
      onOutcome: ({ name }, outcome) => endings.get(name)?.resolve(outcome),
    })
    kills.catch(() => undefined)
  }, START_MS)
  afterAll(() => opened?.world.close(), 60_000)

  test.each(SAVINGS_POINTS.map(({ name, when }) => [name, when]))(
    '%s: %s',
    async (name) => {
      const ending = endings.get(name)?.promise
      const outcome = await Promise.race([ending, kills.then(() => ending)])
      expect({ missed: outcome?.missed, faults: outcome?.faults }).toEqual({ missed: null, faults: [] })
    },
    KILLS_MS,
  )

  test(
    'all of them together leave no death, no nonce and no record that the audit refuses',
    async () => {
      expect(await kills).toEqual([])
      if (opened === undefined) throw new Error('the world did not open')
      const { world } = opened
      expect(await auditStack({ ...world, chain: world.chainFile })).toEqual([])
    },
    KILLS_MS,
  )
})
