import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { changeLifecycle, insertJob } from '../../../activities/catalogue/writes.ts'
import type { SendMessage } from '../../../activities/common/processes.ts'
import type { Rows } from '../../../activities/database/database.ts'
import { decideLane } from '../../../activities/lanes/lanes.ts'
import { createTemplateSteps, fireTemplate } from '../../../activities/lanes/runs.ts'
import {
  changeJobLifecycle,
  getTemplate,
  insertTemplate,
  pauseTemplate,
  readLineage,
  resumeTemplate,
  templateView,
} from '../../../activities/lanes/templates.ts'
import { createTemplateWaker } from '../../../activities/lanes/wake.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { recurringWorkflowId } from '../../../schemas/lanes/process.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { testChain } from '../../support/api.ts'
import { type Records, startRecords } from '../support/service.ts'

const OPERATOR = `0x${'0'.repeat(39)}a`
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A service clock that only a test moves; it begins on a full hour. */
let time = Date.UTC(2026, 2, 1)
const clock = {
  now: () => time,
  move: (ms: number): void => {
    time += ms
  },
}
let records: Records
let steps: ReturnType<typeof createTemplateSteps>
beforeAll(async () => {
  records = await startRecords({ CATALOGUE_LANES: JSON.stringify({ liveness: { dailyRaw: '10000000', backlog: 20 } }) })
  steps = createTemplateSteps({ ...records, clock })
})
afterAll(() => records.stop())
afterEach(async () => {
  // The next test begins with an empty lane, on a full hour.
  clock.move(3 * DAY - (clock.now() % HOUR))
  await decide(false)
})

let count = 0
const inTransaction = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => records.database.transaction(work)
const decide = (paused: boolean) =>
  inTransaction((rows) => decideLane(rows, { lane: 'liveness', paused, reason: 'A test.', by: OPERATOR }, clock.now()))

/** Lists a template that is due every hour, 2 USDC a job. */
const listTemplate = async (changes: Partial<JobInputBody> = {}): Promise<string> => {
  count += 1
  const id = `template-${count}`
  const built = builtJob(jobBody({ id, lane: 'liveness', recurring: true, schedule: { cron: '0 * * * *' }, ...changes }))
  await inTransaction(async (rows) => {
    await insertJob(rows, built, { now: clock.now(), posterAddress: null })
    await insertTemplate(rows, id, clock.now())
  })
  return id
}
const iso = (at: number) => new Date(at).toISOString()
const advance = (templateId: string) => steps.advanceTemplate({ templateId })
const jobsOf = async (templateId: string) => (await readLineage(records.rows, templateId)).derivativeJobIds
const idAt = (templateId: string, at: number) => `${templateId}-run-${iso(at).replaceAll(/[:.]/g, '-')}`
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'accepted'
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
}
const fire = (templateId: string, firedAt: number | null = null, reason?: string) =>
  inTransaction((rows) => fireTemplate(rows, { templateId, firedAt, by: OPERATOR, reason }, { ...records, clock }))
const change = (work: typeof pauseTemplate | typeof resumeTemplate, templateId: string) =>
  inTransaction(async (rows) => work(rows, await getTemplate(rows, templateId), { by: OPERATOR, reason: 'A test.' }, clock.now()))

describe('a recurring template', () => {
  test('lists nothing of the time before it, and a job at each due time, once', async () => {
    const now = clock.now()
    const id = await listTemplate()
    expect(await advance(id)).toMatchObject({ state: 'waiting', until: iso(now + HOUR), runs: 0 })
    clock.move(HOUR)
    expect(await advance(id)).toMatchObject({ state: 'waiting', until: iso(now + 2 * HOUR), runs: 1 })
    expect(await advance(id)).toMatchObject({ state: 'waiting', runs: 1 })
    expect(await jobsOf(id)).toEqual([idAt(id, now + HOUR)])
  })

  test('is not listed twice by two steps at once', async () => {
    const id = await listTemplate()
    clock.move(HOUR)
    const answers = await Promise.all(Array.from({ length: 8 }, () => advance(id)))
    expect(answers.map(({ runs }) => runs)).toEqual(Array(8).fill(1))
    expect(await jobsOf(id)).toHaveLength(1)
  })

  test('makes up the last of the due times that passed, and no other', async () => {
    const now = clock.now()
    const id = await listTemplate()
    clock.move(5 * HOUR + 30_000)
    expect(await advance(id)).toMatchObject({ state: 'waiting', until: iso(now + 6 * HOUR), runs: 1 })
    expect(await jobsOf(id)).toEqual([idAt(id, now + 5 * HOUR)])
  })

  test('holds a run while its lane is paused, and lists it in time or not at all', async () => {
    const now = clock.now()
    const id = await listTemplate()
    await decide(true)
    clock.move(HOUR)
    expect(await advance(id)).toMatchObject({
      state: 'held',
      until: iso(now + HOUR + 900_000),
      details: expect.stringContaining('lane_paused'),
    })
    await decide(false)
    expect(await advance(id)).toMatchObject({ state: 'waiting', runs: 1 })
    await decide(true)
    clock.move(HOUR)
    await advance(id)
    clock.move(HOUR)
    await decide(false)
    await advance(id)
    expect(await jobsOf(id)).toEqual([idAt(id, now + HOUR), idAt(id, now + 3 * HOUR)])
  })

  test('holds a run until its lane has budget again', async () => {
    const now = clock.now()
    const id = await listTemplate({ schedule: { cron: '0 0 * * *' } })
    clock.move(DAY)
    const filler = await listTemplate()
    for (let offset = 0; offset < 5; offset += 1) await fire(filler, clock.now() - offset)
    const { state, until, details } = await advance(id)
    expect([state, details]).toEqual(['held', expect.stringContaining('lane_budget_exhausted')])
    expect(Date.parse(until ?? '')).toBeLessThanOrEqual(now + 2 * DAY)
    expect(await jobsOf(id)).toEqual([])
  })

  test.each([
    ['reserve', { reserveAmount: 5 }, 2],
    ['number of runs', { maxRuns: 3 }, 3],
  ])('is paused with the reason when its %s is used up', async (_what, limit, runs) => {
    const id = await listTemplate(limit)
    let last = await advance(id)
    for (let hour = 0; hour < 5; hour += 1) {
      clock.move(HOUR)
      last = await advance(id)
    }
    expect(last).toMatchObject({ state: 'ended', runs })
    expect(await jobsOf(id)).toHaveLength(runs)
    const { state } = await inTransaction((rows) => getTemplate(rows, id))
    expect(state).toMatchObject({ runs, spentRaw: BigInt(runs) * 2_000_000n, pausedBy: null })
    expect(state.pauseReason).toContain('recurring_reserve_exhausted')
    expect([await codeOf(fire(id)), await codeOf(change(resumeTemplate, id))]).toEqual(Array(2).fill('recurring_reserve_exhausted'))
    await expect(records.rows.selectFrom('event').select('topic').where('jobId', '=', id).execute()).resolves.toEqual([
      { topic: 'job.lifecycle_changed' },
      { topic: 'recurring.paused' },
    ])
  })

  test('lists nothing of the time of a pause', async () => {
    const now = clock.now()
    const id = await listTemplate()
    await change(pauseTemplate, id)
    clock.move(HOUR)
    expect(await advance(id)).toMatchObject({ state: 'paused', until: null, runs: 0 })
    clock.move(60_000)
    await change(resumeTemplate, id)
    expect(await advance(id)).toMatchObject({ state: 'waiting', until: iso(now + 2 * HOUR), runs: 0 })
  })

  test('ends with its archive, and goes on after a reopening', async () => {
    const id = await listTemplate()
    const lifecycle = (status: 'archived' | 'open' | 'paused') =>
      inTransaction((rows) => changeJobLifecycle(rows, { jobId: id, status, action: status, reason: null, by: OPERATOR }, clock.now()))
    for (const [status, state] of [
      ['archived', 'ended'],
      ['open', 'waiting'],
      ['paused', 'paused'],
      ['open', 'waiting'],
    ] as const) {
      await lifecycle(status)
      clock.move(HOUR / 8)
      expect(await advance(id)).toMatchObject({ state, runs: 0 })
    }
  })
})

describe('a pause of a template', () => {
  const lifecycle =
    (status: 'open' | 'paused', by = OPERATOR) =>
    (id: string) =>
      inTransaction((rows) => changeJobLifecycle(rows, { jobId: id, status, action: status, reason: 'A test.', by }, clock.now()))
  const byService = (id: string) =>
    inTransaction((rows) =>
      changeLifecycle(rows, { jobId: id, status: 'paused', action: 'pause', reason: null, by: 'a rule' }, clock.now()),
    )
  const pause = (id: string) => change(pauseTemplate, id)
  const resume = (id: string) => change(resumeTemplate, id)
  const viewOf = (id: string) => inTransaction(async (rows) => templateView(await getTemplate(rows, id), testChain, clock.now()))

  test.each<[string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>, string]>([
    ['as a template, resumed so', pause, resume, 'accepted'],
    ['as a job, resumed as a template', lifecycle('paused'), resume, 'accepted'],
    ['as a template, reopened as a job', pause, lifecycle('open'), 'accepted'],
    ['by the service, resumed as a template', byService, resume, 'recurring_template_closed'],
  ])('%s, is one state', async (_how, begin, end, fired) => {
    const now = clock.now()
    const id = await listTemplate()
    await begin(id)
    expect(await viewOf(id)).toMatchObject({ state: 'paused', nextRunAt: null, pausedBy: begin === byService ? null : OPERATOR })
    clock.move(HOUR)
    expect(await advance(id)).toMatchObject({ state: 'paused', runs: 0 })
    expect(await codeOf(fire(id, now))).toBe(fired)
    await end(id)
    expect(await viewOf(id)).toMatchObject({
      state: 'active',
      reason: null,
      pausedAt: null,
      pausedBy: null,
      nextRunAt: iso(now + 2 * HOUR),
    })
    const runs = fired === 'accepted' ? 1 : 0
    expect(await advance(id)).toMatchObject({ state: 'waiting', until: iso(now + 2 * HOUR), runs })
  })
})

test('a worker that starts wakes the templates for which a run follows, and no other', async () => {
  await records.rows.updateTable('job').set({ lifecycleStatus: 'archived' }).where('lane', '=', 'template').execute()
  const endAt = iso(clock.now() + 2 * HOUR)
  const open = await listTemplate()
  const [paused, archived, over] = [await listTemplate(), await listTemplate(), await listTemplate({ endAt })]
  await change(pauseTemplate, paused)
  const archive = { jobId: archived, status: 'archived', action: 'archive', reason: null, by: OPERATOR } as const
  await inTransaction((rows) => changeJobLifecycle(rows, archive, clock.now()))
  clock.move(3 * HOUR)
  await advance(over)
  await records.rows.updateTable('recurring_template').set({ wakeRequestedAt: null }).execute()
  const woken: string[] = []
  const send: SendMessage = async (message) => void woken.push('start' in message ? message.start.workflowId : message.workflowId)
  await createTemplateWaker({ database: records.database, clock, send })()
  expect(woken).toEqual([recurringWorkflowId(open)])
})

describe('a run that an operator fires', () => {
  test('is a job of its own time, also during a pause, and not twice', async () => {
    const at = clock.now()
    const id = await listTemplate()
    await change(pauseTemplate, id)
    const job = await fire(id, at - HOUR / 2, 'The page changed.')
    expect([job.id, await readLineage(records.rows, job.id)]).toEqual([idAt(id, at - HOUR / 2), { templateId: id, derivativeJobIds: [] }])
    expect(job).toMatchObject({ lane: 'liveness', lifecycleStatus: 'open', staleAt: expect.any(Number) })
    expect(await codeOf(fire(id, at - HOUR / 2))).toBe('recurring_job_collision')
    const events = records.rows.selectFrom('event').select(['topic', 'data']).where('jobId', '=', job.id)
    expect(await events.execute()).toMatchObject([
      { topic: 'recurring.fired', data: { templateId: id, by: OPERATOR, reason: 'The page changed.', runs: 1 } },
    ])
  })

  test('takes the place of the due time that it names', async () => {
    const id = await listTemplate()
    clock.move(HOUR)
    await fire(id, clock.now())
    expect(await advance(id)).toMatchObject({ state: 'waiting', runs: 1 })
  })

  test.each([
    ['of an unknown template', async () => fire('no-such-job'), 'recurring_template_not_found'],
    ['of a job that is no template', async () => fire(await records.addJob(`plain-${count}`)), 'recurring_template_not_found'],
    ['ahead of now', async () => fire(await listTemplate(), clock.now() + 1), 'recurring_template_closed'],
    [
      'before the start of the template',
      async () => fire(await listTemplate({ startAt: iso(clock.now() + 1) })),
      'recurring_template_closed',
    ],
    [
      'in a paused lane',
      async () => {
        await decide(true)
        return fire(await listTemplate())
      },
      'lane_paused',
    ],
  ])('%s is refused', async (_when, work, code) => expect(await codeOf(work())).toBe(code))

  test('keeps to reserve, runs and lane when many come at once', async () => {
    const at = clock.now()
    const [id, budget] = [await listTemplate({ reserveAmount: 6 }), await listTemplate()]
    const all = async (templateId: string) => {
      const codes = await Promise.all(Array.from({ length: 9 }, (_, place) => codeOf(fire(templateId, at - place))))
      return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, same]) => [code, same.length]))
    }
    expect(await all(id)).toEqual({ accepted: 3, recurring_reserve_exhausted: 6 })
    expect(await all(budget)).toEqual({ accepted: 2, lane_budget_exhausted: 7 })
  })
})
