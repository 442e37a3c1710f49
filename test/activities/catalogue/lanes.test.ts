import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { assertLaneCapacity, laneRefusal } from '../../../activities/catalogue/lanes.ts'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { decideLane } from '../../../activities/lanes/lanes.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { eventually } from '../../support/eventually.ts'
import { waitingForLocks } from '../support/locks.ts'
import { type Records, startRecords } from '../support/service.ts'

const REWARD = 559_000n
const JOBS = 26
const DAY = 86_400_000

let records: Records
beforeAll(async () => {
  records = await startRecords()
})
afterAll(() => records.stop())

let count = 0
/** Lists a job as the route for operators does. */
const list = async (dailyRaw: bigint, backlog = 1_000): Promise<string> => {
  count += 1
  const built = builtJob(jobBody({ id: `lane-${count}`, rewardAmount: 0.559, lane: 'liveness' }))
  try {
    await records.database.transaction(async (rows) => {
      const limits = { dailyRaw, backlog }
      const now = await assertLaneCapacity(rows, 'liveness', built.rewardRaw, limits, records.clock)
      await insertJob(rows, built, { now, posterAddress: null, lane: limits })
    })
    return 'listed'
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
}
const listAtOnce = async (...limits: Parameters<typeof list>) => {
  const outcomes = await Promise.all(Array.from({ length: JOBS }, () => list(...limits)))
  return Object.fromEntries([...Map.groupBy(outcomes, (outcome) => outcome)].map(([outcome, all]) => [outcome, all.length]))
}

describe('jobs that are listed at once', () => {
  test('keep to the budget of their lane to the unit', async () => {
    expect(await listAtOnce(REWARD * 10n)).toEqual({ listed: 10, lane_budget_exhausted: 16 })
    expect(await listAtOnce(REWARD * 13n - 1n)).toEqual({ listed: 2, lane_budget_exhausted: 24 })
  })

  test('keep to the backlog of their lane', async () => {
    records.clock.move(2 * DAY)
    expect(await listAtOnce(REWARD * 1_000n, 15)).toEqual({ listed: 3, lane_backlog_saturated: 23 })
  })

  test('are decided when their turn comes: what came free while they waited is theirs', async () => {
    records.clock.move(2 * DAY)
    expect(await list(REWARD)).toBe('listed')
    let waited = Promise.resolve('')
    await records.database.transaction(async (rows) => {
      await sql`select pg_advisory_xact_lock(hashtext('lane:liveness'))`.execute(rows)
      waited = list(REWARD)
      await eventually(
        'the listing waits for its turn',
        () => waitingForLocks(records.rows),
        (count) => count > 0,
      )
      records.clock.move(DAY + 1_000)
    })
    expect(await waited).toBe('listed')
  })

  test('have the whole budget again a day later, and pin the limits', async () => {
    records.clock.move(2 * DAY)
    expect(await listAtOnce(REWARD)).toEqual({ listed: 1, lane_budget_exhausted: 25 })
    const pinned = await records.rows
      .selectFrom('job')
      .select(['laneDailyRaw', 'laneBacklog'])
      .orderBy('createdAt', 'desc')
      .limit(1)
      .execute()
    expect(pinned).toEqual([{ laneDailyRaw: REWARD, laneBacklog: 1_000 }])
  })
})

describe('a paused lane', () => {
  const OPERATOR = `0x${'0'.repeat(39)}a`
  const decide = (paused: boolean, reason = 'The source gives wrong dates.') =>
    records.database.transaction((rows) => decideLane(rows, { lane: 'liveness', paused, reason, by: OPERATOR }, records.clock.now()))
  const refusal = (dailyRaw: bigint, backlog = 1_000) =>
    records.database.transaction((rows) => laneRefusal(rows, 'liveness', REWARD, { dailyRaw, backlog }, records.clock))

  test('takes nothing until it is resumed, and says who paused it, when and why', async () => {
    records.clock.move(2 * DAY)
    await decide(true)
    expect(await listAtOnce(REWARD * 10n)).toEqual({ lane_paused: 26 })
    const details = { lane: 'liveness', pausedBy: OPERATOR, reason: 'The source gives wrong dates.', pausedAt: expect.any(String) }
    expect(await refusal(REWARD * 10n)).toMatchObject({ code: 'lane_paused', resumeAt: null, details })
    await decide(false)
    expect(await refusal(REWARD * 10n)).toBeNull()
    expect(await list(REWARD * 10n)).toBe('listed')
    const topics = records.rows.selectFrom('event').select('topic').where('topic', 'like', 'catalogue.lane_%').orderBy('id')
    expect(await topics.execute()).toEqual([{ topic: 'catalogue.lane_paused' }, { topic: 'catalogue.lane_resumed' }])
  })

  test('refuses a listing that waits for its turn while the lane is paused', async () => {
    records.clock.move(2 * DAY)
    let waited = Promise.resolve('')
    await records.database.transaction(async (rows) => {
      await decideLane(rows, { lane: 'liveness', paused: true, reason: 'A test.', by: OPERATOR }, records.clock.now())
      waited = list(REWARD * 10n)
      await eventually(
        'the listing waits for its turn',
        () => waitingForLocks(records.rows),
        (count) => count > 0,
      )
    })
    expect(await waited).toBe('lane_paused')
    await decide(false)
  })

  test.each([
    [
      'a used budget',
      REWARD - 1n,
      1_000,
      { code: 'lane_budget_exhausted', resumeAt: expect.any(String), retryAfterSeconds: expect.any(Number) },
    ],
    ['a full backlog', REWARD * 10n, 0, { code: 'lane_backlog_saturated', resumeAt: null }],
  ])('is one refusal beside %s', async (_what, dailyRaw, backlog, expected) => {
    records.clock.move(2 * DAY)
    expect(await refusal(dailyRaw, backlog)).toMatchObject(expected)
    await decide(true)
    expect(await refusal(dailyRaw, backlog)).toMatchObject({ code: 'lane_paused' })
    await decide(false)
  })
})
