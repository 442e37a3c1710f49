import { sql } from 'kysely'
import { specHashOf } from '../../domain/catalogue/spec-hash.ts'
import { sweepAction } from '../../domain/lanes/integrity.ts'
import type { SweepActivities } from '../../schemas/lanes/process.ts'
import type { IntegrityReport, StaleReport, SweepReport } from '../../schemas/lanes/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import { TEMPLATE_LANE } from '../catalogue/lanes.ts'
import { changeLifecycle } from '../catalogue/writes.ts'
import type { Clock } from '../common/clock.ts'
import { type Database, type Rows, readRows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { changeJobLifecycle } from './templates.ts'

/** Listings that one sweep archives. Source: lifecycle, "Job definition, lists, lifecycle". */
const STALE_BATCH = 25
/** Definitions that are in memory at once. */
const HASH_BATCH = 200
/** Jobs that a report names. */
const NAMED_MAX = 100

export interface SweepDeps {
  settings: Pick<Settings, 'STALE_SWEEP_ENABLED' | 'STALE_SWEEP_DRY_RUN'>
  clock: Clock
  database: Database
  /** Address of the operator, in whose name a sweep acts. */
  operator: string
}

type Times = Record<'startedAt' | 'finishedAt', number>

const storeRun = async (rows: Rows, report: SweepReport, times: Times): Promise<void> => {
  const { kind } = report
  await rows
    .insertInto('sweep_run')
    .values({ kind, report, ...times })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ report, ...times }))
    .execute()
}

const serialise = (rows: Rows, sweep: string) => sql`select pg_advisory_xact_lock(hashtext(${`sweep:${sweep}`}))`.execute(rows)

/** Stale listings without a claim that is under way, the oldest first. A template is never one, and a posted job ends with its escrow. */
const listStale = async (rows: Rows, now: number): Promise<string[]> => {
  const stale = sql<{ id: string }>`
    select id from job where lifecycle_status = 'open' and delisted_at is null and stale_at <= ${new Date(now)}
      and posting_route = 'curated' and lane <> ${TEMPLATE_LANE}
      and not exists (select 1 from claim_intent i where i.job_id = job.id and i.status = 'open')
      and not exists (select 1 from session s where s.job_id = job.id
        and (s.status in ('claimed', 'submitted', 'disputed') or (s.status = 'rejected' and s.rejection_finalized_at is null)))
    order by stale_at, id limit ${STALE_BATCH + 1} for update skip locked`
  return (await readRows(rows, stale)).map(({ id }) => id)
}

/** Archives the oldest stale listings, or reports them only. One transaction; `by`: wallet of the operator. */
const sweepStaleJobs = async (rows: Rows, { clock, by, dryRun }: { clock: Clock; by: string; dryRun: boolean }): Promise<StaleReport> => {
  await serialise(rows, 'stale')
  const startedAt = clock.now()
  const found = await listStale(rows, startedAt)
  const jobIds = found.slice(0, STALE_BATCH)
  const change = { status: 'archived', action: 'stale_sweep', reason: 'The listing was stale.', by } as const
  if (!dryRun) for (const jobId of jobIds) await changeLifecycle(rows, { jobId, ...change }, startedAt)
  const report: StaleReport = { kind: 'stale', dryRun, found: found.length, jobIds, archived: dryRun ? 0 : jobIds.length }
  const data = { dryRun, archived: report.archived, jobIds, found: found.length }
  if (jobIds.length > 0)
    await emit(rows, { topic: 'jobs.lifecycle.swept', wallets: [by], correlationId: 'sweep:stale', at: startedAt, data })
  await storeRun(rows, report, { startedAt, finishedAt: clock.now() })
  return report
}

type Hashed = Pick<IntegrityReport, 'total' | 'errors'> & { driftedJobs: string[]; unhashed: number }

const isDrifted = (job: { id: string; definition: Parameters<typeof specHashOf>[0]; specHash: string }, hashed: Hashed): boolean => {
  try {
    return specHashOf(job.definition) !== job.specHash
  } catch (error) {
    hashed.unhashed += 1
    if (hashed.errors.length < NAMED_MAX) hashed.errors.push({ jobId: job.id, message: error instanceof Error ? error.message : 'unknown' })
    return false
  }
}

const hashAll = async (rows: Rows): Promise<Hashed> => {
  const hashed: Hashed = { total: 0, errors: [], driftedJobs: [], unhashed: 0 }
  for (let after = ''; ; ) {
    const page = await rows
      .selectFrom('job')
      .select(['id', 'definition', 'specHash'])
      .where('lifecycleStatus', '<>', 'archived')
      .where('id', '>', after)
      .orderBy('id')
      .limit(HASH_BATCH)
      .execute()
    hashed.total += page.length
    hashed.driftedJobs.push(...page.filter((job) => isDrifted(job, hashed)).map(({ id }) => id))
    const last = page.at(-1)
    if (last === undefined || page.length < HASH_BATCH) return hashed
    after = last.id
  }
}

/** Pauses the open ones of the drifted jobs; returns their number. */
const pauseAll = async (rows: Rows, jobIds: readonly string[], by: string, now: number): Promise<number> => {
  const open = await rows
    .selectFrom('job')
    .select('id')
    .where('id', 'in', jobIds)
    .where('lifecycleStatus', '=', 'open')
    .orderBy('id')
    .execute()
  const change = { status: 'paused', action: 'spec_hash_sweep', reason: 'The definition differs from its hash.', by } as const
  for (const { id } of open) await changeJobLifecycle(rows, { jobId: id, ...change }, now, null)
  return open.length
}

/** Compares every definition with its hash, and pauses the jobs that drifted. One transaction; `by`: wallet of the operator. */
export const sweepDefinitions = async (rows: Rows, { clock, by }: { clock: Clock; by: string }): Promise<IntegrityReport & Times> => {
  await serialise(rows, 'integrity')
  const startedAt = clock.now()
  const { total, errors, driftedJobs, unhashed } = await hashAll(rows)
  const drifted = driftedJobs.length
  const action = sweepAction({ total, drifted })
  const markedUnclaimable = action === 'paused' ? await pauseAll(rows, driftedJobs, by, startedAt) : 0
  const report: IntegrityReport = {
    kind: 'integrity',
    total,
    matching: total - drifted - unhashed,
    drifted,
    markedUnclaimable,
    guardTriggered: action === 'stopped',
    action,
    driftedJobs: driftedJobs.slice(0, NAMED_MAX),
    errors,
  }
  const times = { startedAt, finishedAt: clock.now() }
  const { kind: _kind, ...data } = report
  const severity = drifted === 0 ? 'info' : action === 'stopped' ? 'error' : 'warn'
  if (drifted > 0)
    await emit(rows, { topic: 'jobs.spec_hash.swept', wallets: [by], correlationId: 'sweep:integrity', severity, at: startedAt, data })
  await storeRun(rows, report, times)
  return { ...report, ...times }
}

/** Steps of the sweeps. */
export const createSweepSteps = ({ settings, clock, database, operator }: SweepDeps): SweepActivities => {
  const by = operator.toLowerCase()
  return {
    sweepStaleJobs: async () => {
      if (!settings.STALE_SWEEP_ENABLED) return { status: 'off' }
      return database.transaction((rows) => sweepStaleJobs(rows, { clock, by, dryRun: settings.STALE_SWEEP_DRY_RUN }))
    },
    sweepDefinitions: async () => {
      const {
        startedAt: _started,
        finishedAt: _finished,
        ...report
      } = await database.transaction((rows) => sweepDefinitions(rows, { clock, by }))
      return report
    },
  }
}
