// Plays a calendar: moves the clock to each day, asks for its runs, and takes the worker away in the middle of some.
import { sql } from 'kysely'
import { lockLane } from '../../../../activities/catalogue/lanes.ts'
import { PROVIDERS, type Provider } from '../../../../schemas/ingestion/providers.ts'
import { reportLost } from '../../../crash/acts/engine.ts'
import { PLAYS_ALL } from '../../../support/cases/sample.ts'
import { eventually } from '../../../support/eventually.ts'
import { type Day, rangeOf, runIdAt, splitTimes } from './calendar.ts'
import type { ScheduleWorld } from './schedule-world.ts'

/** Source that answers nonsense on a day of trouble, and the lane that is paused. */
export const SILENT: Provider = 'wikipedia'
const PAUSED_LANE = 'benchmark-showcase'
/** Runs that have ended when the worker goes away in order. */
const BEFORE_AWAY = 3

/** Sources that an alarm names, sorted. */
type Alarm = Provider[]

/** Alarms after the runs of a day. */
interface Alarms {
  /** By the warnings of the service. */
  silent: Alarm
  fruitless: Alarm
  /** By the metrics of the worker, which was started after the runs of the day: ages in seconds. */
  ages: Partial<Record<Provider, number>>
  metricFruitless: Alarm
}

export interface DayReport {
  day: Day
  /** Of a day of trouble and of the day after it; null on the others. */
  alarms: Alarms | null
  /** Sources some of whose candidates a paused lane refused. */
  refusedByPause: Alarm
  /** Sources that had new candidates, by the records of their runs, and listed none of them. */
  withoutJobs: Alarm
  /** Workflow ids of runs that the worker was killed in. */
  cut: string[]
  seconds: number
}

const named = (message: string | undefined): Alarm =>
  PROVIDERS.filter((provider) => new RegExp(`[ ,]${provider}[,.]`).test(message ?? '')).sort()

const countEnded = async ({ database }: ScheduleWorld, ids: readonly string[]): Promise<number> => {
  const { count } = await database.rows
    .selectFrom('ingest_run')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workflowId', 'in', [...ids])
    .where('endedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Runs over all sources that one wait is for: each wait has its own limit. */
const WAITS_FOR = 24

/** Waits for the runs of these nominal times. */
const untilEnded = async (world: ScheduleWorld, timesOf: (provider: Provider) => readonly number[]): Promise<void> => {
  const ids = PROVIDERS.flatMap((provider) => timesOf(provider).map((at) => runIdAt(provider, at)))
  for (let wanted = 0; wanted < ids.length; ) {
    wanted = Math.min(wanted + WAITS_FOR, ids.length)
    await eventually(
      `${wanted} of ${ids.length} runs from ${ids[0]} on end`,
      () => {
        world.mostMiB()
        return countEnded(world, ids)
      },
      (ended) => ended >= wanted,
      world.alive,
    )
  }
}

const backfillAll = async (world: ScheduleWorld, day: Day): Promise<void> => {
  await Promise.all(PROVIDERS.map((provider) => world.backfill(provider, rangeOf(splitTimes(day, provider).inTurn), 'BUFFER_ALL')))
}

/** Waits until the engine has started a run of each source that still has some to do, which no worker takes. */
const untilRunsWait = async (world: ScheduleWorld, day: Day): Promise<void> => {
  const open = await Promise.all(
    PROVIDERS.map(async (provider) => {
      const ids = splitTimes(day, provider).inTurn.map((at) => runIdAt(provider, at))
      return (await countEnded(world, ids)) < ids.length
    }),
  )
  const wanted = open.filter(Boolean).length
  if (wanted === 0) throw new Error('every run ended before the worker went away')
  await eventually(
    `${wanted} runs wait for a worker`,
    async () => (await world.engine.workflow.count('WorkflowType = "ingestion" and ExecutionStatus = "Running"')).count,
    (running) => running >= wanted,
  )
}

const playAway = async (world: ScheduleWorld, day: Day): Promise<void> => {
  await backfillAll(world, day)
  const ids = PROVIDERS.flatMap((provider) => day.times[provider].map((at) => runIdAt(provider, at)))
  await eventually(
    'the first runs end',
    () => countEnded(world, ids),
    (ended) => ended >= BEFORE_AWAY,
  )
  await world.worker.stop()
  await untilRunsWait(world, day)
  await world.worker.start()
}

/**
 * Kills the worker while a transaction of it that lists a job waits. Returns the workflow ids of the runs that it was in. The engine misses a
 * killed worker after ten seconds, which a sample does not wait for.
 */
const playKilled = async (world: ScheduleWorld, day: Day): Promise<string[]> => {
  const { database, worker } = world
  const waiting = async (): Promise<number> => {
    const found = sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
    return (await found.execute(database.rows)).rows[0]?.count ?? 0
  }
  const killed = worker.pid()
  const cut = await database.transaction(async (rows) => {
    await lockLane(rows, PAUSED_LANE)
    await backfillAll(world, day)
    await eventually('a run lists a job', waiting)
    const running = await database.rows.selectFrom('ingest_run').select('workflowId').where('status', '=', 'running').execute()
    await worker.kill()
    return running.map(({ workflowId }) => workflowId)
  })
  await untilRunsWait(world, day)
  if (!PLAYS_ALL) await reportLost(world, new Set([killed]))
  await worker.start()
  return cut
}

const readWarnings = async (world: ScheduleWorld) => {
  const { warnings } = (await (await fetch(`${world.base}/health`)).json()) as { warnings: { code: string; message: string }[] }
  const messageOf = (code: string) => warnings.find((warning) => warning.code === code)?.message
  return { silent: named(messageOf('source_silent')), fruitless: named(messageOf('source_creates_nothing')) }
}

/** Metrics of a worker that has begun to watch after the runs of the day. */
const readMetrics = async (world: ScheduleWorld) => {
  world.mostMiB()
  await world.worker.stop()
  await world.worker.start()
  const metrics = await eventually('the worker watches the sources', world.readMetrics, (found) => found.size >= 2 * PROVIDERS.length)
  const readValue = (name: string, provider: Provider) => metrics.get(`${name} ${provider}`)
  return {
    ages: Object.fromEntries(PROVIDERS.map((provider) => [provider, readValue('ingest_source_success_age_seconds', provider)])),
    metricFruitless: PROVIDERS.filter((provider) => readValue('ingest_source_creates_nothing', provider) === 1).sort(),
  }
}

const readPauses = async ({ database }: ScheduleWorld, { times }: Day): Promise<Alarm> => {
  const ids = PROVIDERS.flatMap((provider) => times[provider].map((at) => runIdAt(provider, at)))
  const found = await database.rows
    .selectFrom('ingest_result')
    .innerJoin('ingest_run', 'ingest_run.runId', 'ingest_result.runId')
    .select('ingest_run.provider')
    .distinct()
    .where('ingest_result.reason', '=', 'lane_paused')
    .where('ingest_run.workflowId', 'in', ids)
    .execute()
  return found.map(({ provider }) => provider).sort()
}

const readWithoutJobs = async ({ database }: ScheduleWorld, { times }: Day): Promise<Alarm> => {
  const ids = PROVIDERS.flatMap((provider) => times[provider].map((at) => runIdAt(provider, at)))
  const found = await database.rows
    .selectFrom('ingest_run')
    .select('provider')
    .where('workflowId', 'in', ids)
    .groupBy('provider')
    .having(({ fn }) => fn.sum('taken'), '=', 0)
    .having(({ fn }) => fn.sum('freshCandidates'), '>', 0)
    .execute()
  return found.map(({ provider }) => provider).sort()
}

const setTrouble = async ({ admin, sources }: ScheduleWorld, isOn: boolean): Promise<void> => {
  await admin.post('/admin/lanes/state', { lane: PAUSED_LANE, action: isOn ? 'pause' : 'resume', reason: 'The sources are in doubt.' })
  if (isOn) sources.faults.add({ name: SILENT, kind: 'wrong_json', every: 1 })
  else sources.faults.clear()
}

/** The service shows its warnings a moment later than the worker its metrics. */
const readAlarms = async (world: ScheduleWorld, isTrouble: boolean): Promise<Alarms> => {
  const metrics = await readMetrics(world)
  const warnings = await eventually(
    'the warnings of the day',
    () => readWarnings(world),
    ({ silent, fruitless }) => fruitless.join() === metrics.metricFruitless.join() && silent.includes(SILENT) === isTrouble,
  )
  return { ...warnings, ...metrics }
}

/** Begins the runs together that a day has left for that. */
const playTogether = async (world: ScheduleWorld, day: Day): Promise<void> => {
  const togetherOf = (provider: Provider) => splitTimes(day, provider).together
  const chosen = PROVIDERS.filter((provider) => togetherOf(provider).length > 0)
  await Promise.all(chosen.map((provider) => world.backfill(provider, rangeOf(togetherOf(provider)), 'ALLOW_ALL')))
  await untilEnded(world, togetherOf)
}

const playDay = async (world: ScheduleWorld, day: Day, isAfterTrouble: boolean): Promise<DayReport> => {
  const began = performance.now()
  const isTrouble = day.kind === 'trouble'
  if (isTrouble) await setTrouble(world, true)
  let cut: string[] = []
  if (day.kind === 'away') await playAway(world, day)
  else if (day.kind === 'killed') cut = await playKilled(world, day)
  else await backfillAll(world, day)
  await untilEnded(world, (provider) => splitTimes(day, provider).inTurn)
  await playTogether(world, day)
  const refusedByPause = await readPauses(world, day)
  const withoutJobs = await readWithoutJobs(world, day)
  const seconds = (performance.now() - began) / 1000
  const alarms = isTrouble || isAfterTrouble ? await readAlarms(world, isTrouble) : null
  if (isTrouble) await setTrouble(world, false)
  return { day, alarms, refusedByPause, withoutJobs, cut, seconds }
}

/** Plays every day of a calendar, with the schedules on. */
export const playSchedules = async (world: ScheduleWorld, days: readonly Day[]): Promise<DayReport[]> => {
  const reports: DayReport[] = []
  for (const [index, day] of days.entries()) {
    await world.moveTo(day.playedAt)
    if (index === 0) await Promise.all(PROVIDERS.map(world.turnOn))
    reports.push(await playDay(world, day, days[index - 1]?.kind === 'trouble'))
  }
  return reports
}
