import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCatalogueAdminHandlers } from '../../../api/catalogue/admin-handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createJobTimeline } from '../../../api/health/job-timeline.ts'
import { createLaneHandlers } from '../../../api/lanes/handlers.ts'
import { createJob, setJobLifecycle } from '../../../schemas/catalogue/admin-operations.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { getJobTimeline } from '../../../schemas/health/admin-operations.ts'
import * as operations from '../../../schemas/lanes/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'
import { fillBank, jobInput } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'

const OPERATOR: Hex = `0x${'a1'.repeat(20)}`
const AT = new Date(NOW).toISOString()
const RECURRING: Partial<JobInputBody> = { recurring: true, schedule: { cron: '0 6 * * 1' } }

const database = useDatabase()
let lanes: ReturnType<typeof createLaneHandlers>
let admin: ReturnType<typeof createCatalogueAdminHandlers>
let timeline: ReturnType<typeof createJobTimeline>
beforeAll(async () => {
  await fillBank(database)
  const settings = readSettings({
    DATABASE_URL: 'postgres://unused',
    CHAIN_FILE: 'unused',
    ANSWER_SECRET: 'answers '.repeat(5),
    CATALOGUE_LANES: JSON.stringify({ liveness: { dailyRaw: '1000000000', backlog: 100 } }),
  })
  const clock = { now: () => NOW }
  const reads = { operator: OPERATOR } as ApiDeps['reads']
  const evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads, identities: evmIdentities })
  const deps = { database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings, reads } as ApiDeps
  admin = createCatalogueAdminHandlers(deps)
  lanes = createLaneHandlers(deps)
  timeline = createJobTimeline(deps)
})

let count = 0
const list = async (changes: Partial<JobInputBody> = {}): Promise<string> => {
  count += 1
  const { id = '' } = jobInput(`in-lane-${count}`)
  const body = { ...jobInput(id), lane: 'liveness', ...changes }
  await ask(createJob, admin.createJob, { wallet: OPERATOR, body })
  return id
}
const setLane = (action: 'pause' | 'resume', reason = 'A test.') =>
  ask(operations.setLaneState, lanes.setLaneState, { wallet: OPERATOR, body: { lane: 'liveness', action, reason } })
const laneNamed = async (lane: string) => {
  const { body } = await ask(operations.listLanes, lanes.listLanes, { wallet: OPERATOR })
  return body.lanes.find((one) => one.lane === lane)
}
const fire = (body: Record<string, unknown>) => ask(operations.fireTemplate, lanes.fireTemplate, { wallet: OPERATOR, body })
const linesOf = async (jobId: string) => (await ask(getJobTimeline, timeline, { wallet: OPERATOR, query: { jobId, limit: '100' } })).body

describe('the lanes', () => {
  test('are shown with their limits and what uses them', async () => {
    await list()
    expect(await laneNamed('liveness')).toEqual({
      lane: 'liveness',
      dailyBudget: { asset: 'USDC', raw: '1000000000', decimals: 6, display: '1000' },
      postedToday: expect.objectContaining({ raw: expect.stringMatching(/^[1-9]/) }),
      ...{ backlog: 1, backlogLimit: 100, openJobs: 1, paused: null },
      resumeAt: new Date(NOW + 86_400_000).toISOString(),
    })
    expect(await laneNamed('oss-anchored')).toMatchObject({ backlog: 0, backlogLimit: 3, resumeAt: null })
  })

  test('are paused and resumed by an operator, with the reason', async () => {
    expect((await setLane('pause', 'The source gives wrong dates.')).body.paused).toEqual({
      ...{ by: OPERATOR, at: AT, reason: 'The source gives wrong dates.' },
    })
    expect(await refusal(list())).toBe('lane_paused')
    expect((await setLane('resume')).body.paused).toBeNull()
    expect(await list()).toMatch(/^in-lane-/)
  })
})

describe('a recurring template', () => {
  test('is stored with its limits, counts in no lane and cannot be claimed', async () => {
    const before = await laneNamed('liveness')
    const limits = { reserveAmount: 12.5, maxRuns: 4, startAt: '2026-01-01T00:00:00Z', endAt: '2027-01-01T00:00:00Z' }
    const body = { ...jobInput('weekly-1'), lane: 'liveness', ...RECURRING, ...limits }
    const { body: template } = await ask(createJob, admin.createJob, { wallet: OPERATOR, body })
    expect(template).toMatchObject({
      ...{ recurring: true, reserveAmountRaw: '12500000', maxRuns: 4, endAt: '2027-01-01T00:00:00.000Z' },
      ...{ claimState: 'unclaimable', claimable: false, reason: 'recurring_template', lifecycle: { state: 'open', staleAt: null } },
    })
    expect(await laneNamed('liveness')).toEqual(before)
  })

  test('gives jobs that know it, in its timeline too', async () => {
    const templateId = await list(RECURRING)
    const answer: { status: number; body?: object } = await fire({ templateId, firedAt: AT })
    const jobId = `${templateId}-run-${AT.replaceAll(/[:.]/g, '-')}`
    expect(answer).toMatchObject({ status: 201, body: { id: jobId, claimable: true, lane: 'liveness' } })
    expect(answer.body).not.toHaveProperty('recurring')
    expect(await linesOf(jobId)).toMatchObject({ lineage: { templateId, recurringTemplate: false, derivativeJobIds: [] } })
    expect(await linesOf(templateId)).toMatchObject({
      lineage: { templateId: null, recurringTemplate: true, derivativeJobIds: [jobId] },
      summary: { derivativeJobCount: 1 },
    })
    expect(await refusal(fire({ templateId, firedAt: AT }))).toBe('recurring_job_collision')
  })

  test('is paused and resumed, and shows where it stands', async () => {
    const templateId = await list({ ...RECURRING, reserveAmount: 100 })
    const body = { templateId, reason: 'The page is being rewritten.' }
    const paused = await ask(operations.pauseTemplate, lanes.pauseTemplate, { wallet: OPERATOR, body })
    expect(paused.body).toMatchObject({ state: 'paused', pausedBy: OPERATOR, pausedAt: AT, reason: body.reason, nextRunAt: null })
    const resumed = await ask(operations.resumeTemplate, lanes.resumeTemplate, { wallet: OPERATOR, body: { templateId } })
    expect(resumed.body).toMatchObject({ state: 'active', reason: null, runs: 0, maxRuns: null, reserve: { raw: '100000000' } })
    expect(new Date(resumed.body.nextRunAt ?? '').getUTCDay()).toBe(1)
  })

  test('tells its process of its creation and of each change', async () => {
    const templateId = await list(RECURRING)
    const row = database.rows.selectFrom('recurring_template').select('wakeRequestedAt').where('templateId', '=', templateId)
    const changes = [
      () => ask(operations.pauseTemplate, lanes.pauseTemplate, { wallet: OPERATOR, body: { templateId } }),
      () => ask(operations.resumeTemplate, lanes.resumeTemplate, { wallet: OPERATOR, body: { templateId } }),
      () => fire({ templateId }),
      () => ask(setJobLifecycle, admin.setJobLifecycle, { wallet: OPERATOR, body: { jobId: templateId, action: 'archive' } }),
    ]
    for (const change of [async () => undefined, ...changes]) {
      await change()
      expect(await row.executeTakeFirst()).toEqual({ wakeRequestedAt: NOW })
      await database.rows.updateTable('recurring_template').set({ wakeRequestedAt: null }).execute()
    }
  })

  test.each([
    ['a reserve without a schedule', { reserveAmount: 5 }, '/reserveAmount', 'recurring'],
    ['a number of runs without a schedule', { maxRuns: 5 }, '/maxRuns', 'recurring'],
    ['a start without a schedule', { startAt: AT }, '/startAt', 'recurring'],
    ['an end without a schedule', { endAt: AT }, '/endAt', 'recurring'],
    ['a reserve below one reward', { ...RECURRING, reserveAmount: 0.000001 }, '/reserveAmount', 'reserve'],
    ['a reserve with too many decimals', { ...RECURRING, reserveAmount: 5.0000001 }, '/reserveAmount', 'decimals'],
    ['an end before its start', { ...RECURRING, startAt: AT, endAt: AT }, '/endAt', 'order'],
    ['a number out of range', { recurring: true, schedule: { cron: '60 * * * *' } }, '/schedule/cron', 'cron'],
    ['a day that no month has', { recurring: true, schedule: { cron: '0 0 30 2 *' } }, '/schedule/cron', 'cron'],
    [
      'no due time before its end',
      { ...RECURRING, startAt: '2026-03-03T00:00:00Z', endAt: '2026-03-04T00:00:00Z' },
      '/schedule/cron',
      'cron',
    ],
    [
      'one secret answer for all its jobs',
      { ...RECURRING, verifierMode: 'deterministic', verifierTerms: ['42'] },
      '/verifierMode',
      'recurring',
    ],
  ])('is refused with %s', async (_what, changes, pointer, rule) => {
    await expect(list(changes as Partial<JobInputBody>)).rejects.toMatchObject({
      code: 'invalid_request',
      info: { errors: [{ pointer, rule }] },
    })
  })

  test('of an unknown id is neither fired, paused nor resumed', async () => {
    const body = { templateId: 'no-such-job' }
    const calls = [
      fire(body),
      ask(operations.pauseTemplate, lanes.pauseTemplate, { wallet: OPERATOR, body }),
      ask(operations.resumeTemplate, lanes.resumeTemplate, { wallet: OPERATOR, body }),
    ]
    expect(await Promise.all(calls.map(refusal))).toEqual(Array(3).fill('recurring_template_not_found'))
  })
})

test('the sweep of definitions answers what it compared', async () => {
  const id = await list()
  const { body: clean } = await ask(operations.sweepDefinitions, lanes.sweepDefinitions, { wallet: OPERATOR, body: {} })
  expect(clean).toMatchObject({
    drifted: 0,
    markedUnclaimable: 0,
    guardTriggered: false,
    action: 'none',
    startedAt: AT,
    finishedAt: AT,
    driftedJobs: [],
    errors: [],
  })
  await database.rows
    .updateTable('job')
    .set({ specHash: `0x${'d'.repeat(64)}` })
    .where('id', '=', id)
    .execute()
  const { body } = await ask(operations.sweepDefinitions, lanes.sweepDefinitions, { wallet: OPERATOR, body: {} })
  expect(body).toEqual({ ...clean, matching: clean.total - 1, drifted: 1, markedUnclaimable: 1, action: 'paused', driftedJobs: [id] })
})
