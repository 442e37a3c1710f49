// Weeks of the schedules of the sources by their backfill, on a real engine with a real worker: each nominal time has one run.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { ingestScheduleId } from '../../../schemas/ingestion/process.ts'
import { PROVIDERS, type Provider } from '../../../schemas/ingestion/providers.ts'
import { auditStack } from '../../support/audit.ts'
import { eventually } from '../../support/eventually.ts'
import { calendarFrom, rangeOf, runIdAt, runIdsOf } from './support/calendar.ts'
import { type DayReport, playSchedules, SILENT } from './support/play-schedules.ts'
import { DAILY_RAW, openScheduleWorld, type ScheduleWorld } from './support/schedule-world.ts'

const PLAY_MS = 3_600_000
const DAY_SECONDS = 86_400
const days = calendarFrom(Date.now())
const all = PROVIDERS.flatMap((provider) => runIdsOf(days, provider)).sort()
let opened: ScheduleWorld | undefined
let reports: DayReport[] = []

const world = (): ScheduleWorld => {
  if (opened === undefined) throw new Error('the fleet does not run')
  return opened
}

/** Of these ids those whose nominal time lies in the calendar or after it: a schedule that is on also meets the present. */
const inWindow = (provider: Provider, ids: readonly string[]): string[] =>
  ids.filter((id) => id >= runIdAt(provider, days[0]?.times[provider][0] ?? 0)).sort()

/** Workflow ids of the ended runs of a source, one for each run, sorted. */
const listRuns = async (provider: Provider): Promise<string[]> => {
  const { rows } = world().database
  const found = await rows
    .selectFrom('ingest_run')
    .select('workflowId')
    .where('provider', '=', provider)
    .where('endedAt', 'is not', null)
    .execute()
  return inWindow(
    provider,
    found.map(({ workflowId }) => workflowId),
  )
}

/** How often a step of a run was begun at most. */
const mostAttempts = async (workflowId: string, runId: string): Promise<number> => {
  const { events } = await world().engine.workflow.getHandle(workflowId, runId).fetchHistory()
  return Math.max(...(events ?? []).map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0))
}

const of = (kind: DayReport['day']['kind']): DayReport[] => reports.filter(({ day }) => day.kind === kind)

beforeAll(async () => {
  const began = performance.now()
  opened = await openScheduleWorld()
  const opening = performance.now()
  reports = await playSchedules(opened, days)
  const busy = reports.reduce((sum, { seconds }) => sum + seconds, 0)
  const whole = (performance.now() - opening) / 1000
  process.stdout.write(
    `schedules: ${all.length} runs of ${days.length} days in ${whole.toFixed()} s after ${((opening - began) / 1000).toFixed()} s of start, ` +
      `${(all.length / busy).toFixed(1)} runs a second while they run, at most ${opened.mostMiB().toFixed()} MiB resident in a worker\n`,
  )
}, PLAY_MS)
afterAll(() => opened?.close())

describe('the schedules of the sources', () => {
  test.each(PROVIDERS)('give %s one run for each nominal time, in the engine and in the records', async (provider) => {
    const wanted = runIdsOf(days, provider).sort()
    const query = `TemporalScheduledById = "${ingestScheduleId(provider)}"`
    const inEngine = async (): Promise<string[]> => {
      const ids: string[] = []
      for await (const { workflowId } of world().engine.workflow.list({ query })) ids.push(workflowId)
      return inWindow(provider, ids)
    }
    await eventually('the engine lists them', inEngine, ({ length }) => length >= wanted.length)
    expect(await inEngine()).toEqual(wanted)
    expect(await listRuns(provider)).toEqual(wanted)
  })

  test('run again what a second backfill asks for', async () => {
    const again = (days[0]?.times.wikipedia ?? []).slice(0, 2)
    const before = await listRuns('wikipedia')
    await world().backfill('wikipedia', rangeOf(again), 'BUFFER_ALL')
    const wanted = [...before, ...again.map((at) => runIdAt('wikipedia', at))].sort()
    await eventually(
      'they end',
      () => listRuns('wikipedia'),
      ({ length }) => length >= wanted.length,
    )
    expect(await listRuns('wikipedia')).toEqual(wanted)
  })

  test('go on with the runs in which their worker was killed', async () => {
    const cut = of('killed').flatMap((report) => report.cut)
    expect(of('killed').every((report) => report.cut.length > 0)).toBe(true)
    const found = await world()
      .database.rows.selectFrom('ingest_run')
      .select(['workflowId', 'runId', 'status'])
      .where('workflowId', 'in', cut)
      .execute()
    expect(found.map(({ workflowId }) => workflowId).sort()).toEqual([...cut].sort())
    expect(found.filter(({ status }) => status === 'running')).toEqual([])
    const begunAgain = await Promise.all(found.map(({ workflowId, runId }) => mostAttempts(workflowId, runId)))
    expect(Math.max(...begunAgain)).toBeGreaterThan(1)
  })

  test('list no candidate twice, also where two runs of a source overlap or run again', async () => {
    const { rows } = world().database
    const twice = await sql`select r.provider, x.item_key from ingest_result x join ingest_run r using (run_id)
      where x.outcome = 'created' group by 1, 2 having count(*) > 1`.execute(rows)
    expect(twice.rows).toEqual([])
    const counts = await sql<{ jobs: number; results: number; items: number }>`select
      (select count(*)::integer from job where ingested_from is not null) as jobs,
      (select count(*)::integer from ingest_result where outcome = 'created') as results,
      (select count(*)::integer from ingest_item where outcome = 'created') as items`.execute(rows)
    const { jobs = 0, results, items } = counts.rows[0] ?? {}
    expect([results, items]).toEqual([jobs, jobs])
    expect(jobs).toBeGreaterThan(0)
    const overlaps = await sql`select a.workflow_id from ingest_run a join ingest_run b
      on a.provider = b.provider and a.run_id < b.run_id and a.started_at < b.ended_at and b.started_at < a.ended_at`.execute(rows)
    expect(overlaps.rows.length).toBeGreaterThan(0)
  })

  test('keep the budget of each lane in every 24 hours, and reach it', async () => {
    const { rows } = world().database
    const sums = await sql<{ lane: string; most: string }>`select lane, max(used)::text as most from (
      select lane, sum(reward_raw) over (partition by lane order by created_at range between interval '24 hours' preceding and current row) as used
      from job where ingested_from is not null) used group by lane order by lane`.execute(rows)
    expect(sums.rows.length).toBeGreaterThan(0)
    for (const { lane, most } of sums.rows)
      expect({ lane, isKept: BigInt(most) <= (DAILY_RAW[lane] ?? 0n) }).toEqual({ lane, isKept: true })
    const refused = await sql`select 1 from ingest_result where reason = 'lane_budget_exhausted' limit 1`.execute(rows)
    expect(refused.rows).toHaveLength(1)
  })

  test('raise an alarm for a source that answers nonsense, and one for those whose lane is paused', () => {
    expect(of('trouble').length).toBeGreaterThan(0)
    for (const { alarms, refusedByPause, withoutJobs } of of('trouble')) {
      expect(refusedByPause.length).toBeGreaterThan(0)
      expect(withoutJobs).toEqual(expect.arrayContaining(refusedByPause))
      expect(alarms).toMatchObject({ silent: [SILENT], fruitless: withoutJobs, metricFruitless: withoutJobs })
      expect(alarms?.ages[SILENT]).toBeGreaterThan(DAY_SECONDS - 3_600)
    }
  })

  test('end both alarms when the source answers and the lane is resumed', () => {
    const pairs = reports.flatMap((trouble, index) => {
      const after = reports[index + 1]
      return trouble.day.kind === 'trouble' && after !== undefined ? [{ trouble, after }] : []
    })
    expect(pairs.length).toBeGreaterThan(0)
    for (const { trouble, after } of pairs) {
      const { alarms, withoutJobs } = after
      // The budget of another lane, or the end of a list of packages, may raise an alarm of its own.
      expect(withoutJobs.filter((provider) => trouble.refusedByPause.includes(provider))).toEqual([])
      expect(alarms).toMatchObject({ silent: [], fruitless: withoutJobs, metricFruitless: withoutJobs })
      expect(alarms?.ages[SILENT]).toBeLessThan(3_600)
    }
  })

  test('leave records in which the audit finds nothing', async () => {
    expect(await auditStack({ ...world(), chain: world().chainFile })).toEqual([])
  })
})
