import { sql } from 'kysely'
import { DAY_MS, iso } from '../../domain/common/instants.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Clock } from '../common/clock.ts'
import { type Rows, readRow } from '../database/database.ts'

/** Lane of a recurring template, which is listed as its derived jobs only: it counts in no budget, and no list has it. */
export const TEMPLATE_LANE = 'template'

/** Daily sum of rewards (base units) and unclaimed backlog that a lane may have. Source: lifecycle, "Recurring, sub-jobs, lanes". */
export interface LaneLimits {
  dailyRaw: bigint
  backlog: number
}

export const LANE_LIMITS: Record<string, LaneLimits> = {
  liveness: { dailyRaw: 3_000_000n, backlog: 2 },
  'oss-anchored': { dailyRaw: 15_000_000n, backlog: 3 },
  'benchmark-showcase': { dailyRaw: 5_000_000n, backlog: 2 },
}

/** Limits of a lane: those of the setting, else the built-in ones. */
export const laneLimits = ({ CATALOGUE_LANES }: Pick<Settings, 'CATALOGUE_LANES'>, lane: string): LaneLimits => {
  const configured = CATALOGUE_LANES[lane]
  if (configured !== undefined) return { dailyRaw: BigInt(configured.dailyRaw), backlog: configured.backlog }
  const limits = LANE_LIMITS[lane]
  if (limits === undefined) throw new Error(`no limits for the lane ${lane}`)
  return limits
}

/** Who paused a lane, when and why. Instants in epoch ms. */
interface LanePause {
  by: string
  at: number
  reason: string
}

/** What uses a lane: rewards listed in the last 24 hours, listed jobs without a claim, open jobs, and a pause. */
export interface LaneUse {
  postedRaw: bigint
  backlog: number
  openJobs: number
  /** When the oldest posting of the last 24 hours leaves the window; null without one. */
  resumeAt: number | null
  paused: LanePause | null
}

/** Reads what uses a lane at `now` (epoch ms). */
export const readLaneUse = async (rows: Rows, lane: string, now: number): Promise<LaneUse> => {
  const since = new Date(now - DAY_MS)
  const isOpen = sql`j.lane = ${lane} and j.lifecycle_status = 'open' and (j.stale_at is null or j.stale_at > ${new Date(now)})`
  const use = sql<{ posted: string; earliest: Date | null; backlog: number; open: number; by: string | null; at: Date; reason: string }>`
    select
      (select coalesce(sum(reward_raw), 0) from job where lane = ${lane} and created_at > ${since}) as posted,
      (select min(created_at) from job where lane = ${lane} and created_at > ${since}) as earliest,
      (select count(*)::integer from job j where ${isOpen}
        and not exists (select 1 from session s where s.job_id = j.id and s.status <> 'expired')) as backlog,
      (select count(*)::integer from job j where ${isOpen}) as open,
      pause.by, pause.at, pause.reason
    from (select 1) one left join lane_state pause on pause.lane = ${lane} and pause.paused`
  const { posted, earliest, backlog, open, by, at, reason } = await readRow(rows, use)
  return {
    postedRaw: BigInt(posted),
    backlog,
    openJobs: open,
    resumeAt: earliest === null ? null : new Date(earliest).getTime() + DAY_MS,
    paused: by === null ? null : { by, at: new Date(at).getTime(), reason },
  }
}

/** Why a lane takes no job now. */
export interface LaneRefusal {
  code: Extract<ErrorCode, 'lane_paused' | 'lane_budget_exhausted' | 'lane_backlog_saturated'>
  /** ISO 8601: from then on the budget has room; null where the end depends on people. */
  resumeAt: string | null
  retryAfterSeconds?: number
  details: Record<string, unknown>
}

const refusalOf = (use: LaneUse, { lane, rewardRaw, now }: { lane: string; rewardRaw: bigint; now: number }, limits: LaneLimits) => {
  const { postedRaw, backlog, paused } = use
  if (paused !== null) {
    const details = {
      lane,
      reason: paused.reason,
      pausedAt: iso(paused.at),
      pausedBy: paused.by,
      retryWhen: 'an operator resumes the lane',
    }
    return { code: 'lane_paused', resumeAt: null, details } satisfies LaneRefusal
  }
  if (postedRaw + rewardRaw > limits.dailyRaw) {
    const ends = use.resumeAt ?? now + DAY_MS
    const resumeAt = iso(ends)
    return {
      code: 'lane_budget_exhausted',
      resumeAt,
      retryAfterSeconds: Math.max(1, Math.ceil((ends - now) / 1000)),
      details: { lane, resumeAt, retryWhen: 'the oldest posting of the last 24 hours leaves the window' },
    } satisfies LaneRefusal
  }
  if (backlog < limits.backlog) return null
  const details = { lane, backlog, limit: limits.backlog, retryWhen: 'a listed job of the lane is claimed or archived' }
  return { code: 'lane_backlog_saturated', resumeAt: null, details } satisfies LaneRefusal
}

/** Orders what is decided about a lane, until the transaction ends. */
export const lockLane = async (rows: Rows, lane: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`lane:${lane}`}))`.execute(rows)
}

/**
 * Why a lane takes no job of this reward (base units) now; null when it takes it. Writers of one lane queue on a lock that the transaction
 * holds to its end; the moment at which it is held decides. A job that fits is listed in the same transaction, at `clock.now()`.
 */
export const laneRefusal = async (
  rows: Rows,
  lane: string,
  rewardRaw: bigint,
  limits: LaneLimits,
  clock: Clock,
): Promise<LaneRefusal | null> => {
  await lockLane(rows, lane)
  const now = clock.now()
  return refusalOf(await readLaneUse(rows, lane, now), { lane, rewardRaw, now }, limits)
}

/** Throws the refusal of `laneRefusal` (409), and returns the moment at which a job may be listed. */
export const assertLaneCapacity = async (...args: Parameters<typeof laneRefusal>): Promise<number> => {
  const refusal = await laneRefusal(...args)
  if (refusal === null) return args[4].now()
  const { code, details, retryAfterSeconds } = refusal
  throw new ServiceError(code, { details, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}
