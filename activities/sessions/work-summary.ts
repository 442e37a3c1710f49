import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'
import type { RecordedEvent } from '../events/timeline.ts'

const DAY_MS = 86_400_000

/** Work that is under way. */
export interface WorkSummary {
  activeSessions: number
  activeWallets: number
  /** Rewards of these sessions, base units. */
  atWorkRaw: bigint
  resolvedRecently: number
  topJobs: { jobId: string; sessionCount: number }[]
}

/** Counts the sessions that are under way, the payments of a day and the jobs with the most sessions of a week. */
export const summariseWork = async (rows: Rows, now: number): Promise<WorkSummary> => {
  const [dayAgo, weekAgo] = [new Date(now - DAY_MS), new Date(now - 7 * DAY_MS)]
  const [counts, topJobs] = await Promise.all([
    sql<{ activeSessions: number; activeWallets: number; atWork: string; resolvedRecently: number }>`
      select
        count(*) filter (where status in ('claimed', 'submitted', 'disputed'))::integer as "activeSessions",
        count(distinct wallet) filter (where status in ('claimed', 'submitted', 'disputed'))::integer as "activeWallets",
        coalesce(sum(reward_raw) filter (where status in ('claimed', 'submitted', 'disputed')), 0)::text as "atWork",
        count(*) filter (where resolved_at > ${dayAgo})::integer as "resolvedRecently"
      from session where status in ('claimed', 'submitted', 'disputed') or updated_at > ${dayAgo}`.execute(rows),
    sql<{ jobId: string; sessionCount: number }>`
      select job_id as "jobId", count(*)::integer as "sessionCount" from session where claimed_at > ${weekAgo}
      group by job_id order by 2 desc, 1 limit 10`.execute(rows),
  ])
  const [row] = counts.rows
  if (row === undefined) throw new Error('a count without a row')
  const { atWork, ...numbers } = row
  return { ...numbers, atWorkRaw: BigInt(atWork), topJobs: topJobs.rows }
}

/** The newest events of any kind, newest first. */
export const listNewestEvents = (rows: Rows, limit: number): Promise<RecordedEvent[]> =>
  rows.selectFrom('event').selectAll().orderBy('id', 'desc').limit(limit).execute()
