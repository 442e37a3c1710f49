import { sql } from 'kysely'
import { DAY_MS } from '../../domain/common/instants.ts'
import { SOURCE_SCHEDULES, type SourceWatch } from '../../domain/ingestion/schedules.ts'
import type { Row } from '../../schemas/entities/columns.ts'
import type { IngestSource } from '../../schemas/ingestion/entities.ts'
import { PROVIDERS, type Provider } from '../../schemas/ingestion/providers.ts'
import type { ScheduleReading } from '../common/processes.ts'
import { type Rows, readRows } from '../database/database.ts'
import type { ItemRecord } from './items.ts'
import type { RunRecord } from './runs.ts'

export type SourceRecord = Row<typeof IngestSource>

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Stores a schedule as the engine shows it. `activeSince` stays as long as it is on. */
export const storeSchedule = async (rows: Rows, provider: Provider, reading: ScheduleReading, now: number): Promise<void> => {
  const [run] = reading.args
  const { input, dryRun } = isObject(run) ? run : {}
  const schedule = {
    isPaused: reading.isPaused,
    isDry: dryRun !== false,
    scheduleInput: isObject(input) ? input : {},
    everySeconds: reading.everySeconds ?? SOURCE_SCHEDULES[provider].everyMinutes * 60,
    nextRunAt: reading.nextRunAt,
    note: reading.note,
    scheduleReadAt: now,
  }
  const activeSince = reading.isPaused ? null : now
  await rows
    .insertInto('ingest_source')
    .values({ provider, ...schedule, activeSince })
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet(({ fn, ref }) => ({
        ...schedule,
        activeSince: reading.isPaused ? null : fn.coalesce(ref('ingest_source.activeSince'), ref('excluded.activeSince')),
      })),
    )
    .execute()
}

/** What each source is worth: its candidates by outcome, its jobs, and what they cost. */
interface SourceFigures {
  provider: Provider
  candidates: number
  created: number
  skipped: number
  parked: number
  errors: number
  openJobs: number
  claimedJobs: number
  paidJobs: number
  paidRaw: bigint
  requests24h: number
}

type Counted = Omit<SourceFigures, 'paidRaw'> & { paidRaw: string }

const countSources = (rows: Rows, now: number): Promise<Counted[]> =>
  readRows(
    rows,
    sql<Counted>`
      with item as (
        select provider, count(*) as candidates, count(*) filter (where outcome = 'created') as created,
          count(*) filter (where outcome = 'skipped') as skipped, count(*) filter (where outcome = 'parked') as parked,
          count(*) filter (where outcome = 'error') as errors
        from ingest_item group by provider
      ), work as (
        select j.ingested_from as provider, j.id, j.reward_raw,
          bool_or(s.status = 'resolved') as is_paid,
          bool_or(s.status in ('claimed', 'submitted', 'disputed')) as is_claimed,
          bool_or(s.status is not null and s.status <> 'expired') as is_taken,
          j.lifecycle_status = 'open' and (j.stale_at is null or j.stale_at > ${new Date(now)}) as is_listed
        from job j left join session s on s.job_id = j.id where j.ingested_from is not null group by j.id
      ), job_count as (
        select provider, count(*) filter (where is_listed and is_taken is not true) as open_jobs, count(*) filter (where is_claimed) as claimed_jobs,
          count(*) filter (where is_paid) as paid_jobs, coalesce(sum(reward_raw) filter (where is_paid), 0) as paid_raw
        from work group by provider
      ), request as (
        select provider, sum(requests_used) as requests from ingest_run where started_at > ${new Date(now - DAY_MS)} group by provider
      )
      select provider, coalesce(candidates, 0)::integer as candidates, coalesce(created, 0)::integer as created, coalesce(skipped, 0)::integer as skipped,
        coalesce(parked, 0)::integer as parked, coalesce(errors, 0)::integer as errors, coalesce(open_jobs, 0)::integer as "openJobs",
        coalesce(claimed_jobs, 0)::integer as "claimedJobs", coalesce(paid_jobs, 0)::integer as "paidJobs",
        coalesce(paid_raw, 0)::text as "paidRaw", coalesce(requests, 0)::integer as "requests24h"
      from unnest(${[...PROVIDERS]}::text[]) provider(provider)
        left join item using (provider) left join job_count using (provider) left join request using (provider)`,
  )

/** The newest run of each source. */
const listLastRuns = (rows: Rows): Promise<RunRecord[]> =>
  rows
    .selectFrom('ingest_run')
    .distinctOn('provider')
    .selectAll()
    .orderBy('provider')
    .orderBy('startedAt', 'desc')
    .orderBy('runId')
    .execute()

export interface SourceOverview {
  figures: SourceFigures
  source: SourceRecord | null
  lastRun: RunRecord | null
}

/** Every source, in the order of `PROVIDERS`. */
export const readSources = async (rows: Rows, now: number): Promise<SourceOverview[]> => {
  const counted = new Map((await countSources(rows, now)).map((one) => [one.provider, one]))
  const runs = new Map((await listLastRuns(rows)).map((run) => [run.provider, run]))
  const sources = new Map((await rows.selectFrom('ingest_source').selectAll().execute()).map((source) => [source.provider, source]))
  return PROVIDERS.flatMap((provider) => {
    const figures = counted.get(provider)
    if (figures === undefined) return []
    const { paidRaw, ...rest } = figures
    return [{ figures: { ...rest, paidRaw: BigInt(paidRaw) }, source: sources.get(provider) ?? null, lastRun: runs.get(provider) ?? null }]
  })
}

interface ItemPage {
  provider?: Provider | undefined
  outcome?: ItemRecord['outcome'] | undefined
  limit: number
  after: Pick<ItemRecord, 'seenAt' | 'provider' | 'itemKey'> | null
}

/** Candidates, last seen first. */
export const listItems = async (rows: Rows, { provider, outcome, limit, after }: ItemPage): Promise<ItemRecord[]> => {
  let query = rows.selectFrom('ingest_item').selectAll().orderBy('seenAt', 'desc').orderBy('provider').orderBy('itemKey').limit(limit)
  if (provider !== undefined) query = query.where('provider', '=', provider)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (after !== null)
    query = query
      .where('seenAt', '<=', after.seenAt)
      .where((is) =>
        is.or([
          is('seenAt', '<', after.seenAt),
          is('provider', '>', after.provider),
          is.and([is('provider', '=', after.provider), is('itemKey', '>', after.itemKey)]),
        ]),
      )
  return query.execute()
}

type Watched = SourceWatch & { provider: Provider }
type WatchedRow = Omit<Watched, 'activeSince' | 'lastSuccessAt'> & { activeSince: Date; lastSuccessAt: Date | null }

const epoch = (at: Date | string): number => new Date(at).getTime()

/** What the alarms of the active sources follow from. */
export const readActiveSources = async (rows: Rows, now: number): Promise<Watched[]> => {
  const found = await readRows(
    rows,
    sql<WatchedRow>`
      select s.provider, s.active_since as "activeSince", s.is_dry as "isDry", s.every_seconds as "everySeconds", s.last_success_at as "lastSuccessAt",
        coalesce(sum(r.taken), 0)::integer as "created24h", coalesce(sum(r.fresh_candidates), 0)::integer as "newCandidates24h",
        (count(*) filter (where r.status = 'done' and r.pages > 0) > 0 and sum(r.candidates) = 0) as "isEmpty24h"
      from ingest_source s left join ingest_run r
        on r.provider = s.provider and not r.dry_run and r.ended_at > ${new Date(now - DAY_MS)}
      where s.active_since is not null group by s.provider order by s.provider`,
  )
  return found.map((one) => ({
    ...one,
    activeSince: epoch(one.activeSince),
    lastSuccessAt: one.lastSuccessAt === null ? null : epoch(one.lastSuccessAt),
  }))
}
