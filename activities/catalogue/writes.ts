import { type Insertable, sql } from 'kysely'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { verdictNeeds } from '../../domain/catalogue/readiness.ts'
import { sourceGroupOf } from '../../domain/catalogue/source.ts'
import { specHashOf } from '../../domain/catalogue/spec-hash.ts'
import { LISTING_STALE_SECONDS } from '../../domain/common/constants.ts'
import { DAY_MS, iso, isoOrNull, plusSeconds } from '../../domain/common/instants.ts'
import type { LifecycleStatus, PostingRoute } from '../../schemas/catalogue/job-terms.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Clock } from '../common/clock.ts'
import { storeContent } from '../content/records.ts'
import { type Rows, readRow } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { refuseRepeatedValues, storeExpectedOutputs } from './expected-outputs.ts'
import { findJob, lockJob, parseJobRow, touchCatalogue } from './jobs.ts'

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

/** Rewards of a lane that were listed in the last 24 hours, and its listed jobs without a claim. */
export const readLaneUse = async (
  rows: Rows,
  lane: string,
  now: number,
): Promise<{ postedRaw: bigint; backlog: number; resumeAt: number | null }> => {
  const since = new Date(now - DAY_MS)
  const use = sql<{ posted: string; earliest: Date | null; backlog: number }>`
    select
      (select coalesce(sum(reward_raw), 0) from job where lane = ${lane} and created_at > ${since}) as posted,
      (select min(created_at) from job where lane = ${lane} and created_at > ${since}) as earliest,
      (select count(*)::integer from job j where j.lane = ${lane} and j.lifecycle_status = 'open' and (j.stale_at is null or j.stale_at > ${new Date(now)})
        and not exists (select 1 from session s where s.job_id = j.id and s.status <> 'expired')) as backlog`
  const { posted, earliest, backlog } = await readRow(rows, use)
  return { postedRaw: BigInt(posted), backlog, resumeAt: earliest === null ? null : new Date(earliest).getTime() + DAY_MS }
}

/**
 * Throws 429 `lane_budget_exhausted` or `lane_backlog_saturated`. Posters of one lane queue on an advisory lock; the moment
 * at which it is held decides, and is returned.
 */
export const assertLaneCapacity = async (
  rows: Rows,
  lane: string,
  rewardRaw: bigint,
  limits: LaneLimits,
  clock: Clock,
): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`lane:${lane}`}))`.execute(rows)
  const now = clock.now()
  const use = await readLaneUse(rows, lane, now)
  if (use.postedRaw + rewardRaw > limits.dailyRaw) {
    const resumeAt = use.resumeAt ?? now + DAY_MS
    throw new ServiceError('lane_budget_exhausted', {
      retryAfterSeconds: Math.max(1, Math.ceil((resumeAt - now) / 1000)),
      details: { lane, resumeAt: iso(resumeAt), retryWhen: 'the oldest posting of the last 24 hours leaves the window' },
    })
  }
  if (use.backlog >= limits.backlog)
    throw new ServiceError('lane_backlog_saturated', {
      details: { lane, backlog: use.backlog, limit: limits.backlog, retryWhen: 'a listed job of the lane is claimed or archived' },
    })
  return now
}

/** Listing time, payer and lifecycle status of a job. The status is open by default. */
export interface ListingFacts {
  now: number
  posterAddress: string | null
  /** Limits of the lane that the listing was checked against. */
  lane?: LaneLimits
  status?: LifecycleStatus | undefined
  /** By default an operator's listing. */
  postingRoute?: PostingRoute
}

/** Lane of a job that a poster funds: no budget bounds it. */
const NO_LANE = 'external'

/** Row of a new job. */
export const jobRow = ({ definition, specHash, chainJobId, rewardRaw }: BuiltJob, facts: ListingFacts): Insertable<Tables['job']> => ({
  id: definition.id,
  definition,
  specHash,
  chainJobId,
  category: definition.category,
  tier: definition.tier,
  verifierMode: definition.verifierMode,
  sourceGroup: sourceGroupOf(definition),
  lane: facts.postingRoute === 'external-direct' ? NO_LANE : (definition.lane ?? NO_LANE),
  laneDailyRaw: facts.lane?.dailyRaw ?? null,
  laneBacklog: facts.lane?.backlog ?? null,
  rewardAsset: definition.rewardAsset,
  rewardRaw,
  waiverEligible: definition.onboardingWaiverEligible,
  verdictNeeds: verdictNeeds(definition),
  lifecycleStatus: facts.status ?? 'open',
  staleAt: definition.recurring === true || facts.postingRoute === 'external-direct' ? null : plusSeconds(facts.now, LISTING_STALE_SECONDS),
  listedAt: facts.now,
  createdAt: facts.now,
  updatedAt: facts.now,
  postingRoute: facts.postingRoute ?? 'curated',
  posterAddress: facts.posterAddress,
  version: 1,
})

/**
 * Stores a job with its expected outputs, and its definition as content of its poster. Throws 409 `job_exists` if the id exists, and
 * `invalid_request` for an operator's job whose answer another job of the same task gives.
 */
export const insertJob = async (rows: Rows, built: BuiltJob, facts: ListingFacts): Promise<JobRecord> => {
  const { definition } = built
  const inserted = await rows
    .insertInto('job')
    .values(jobRow(built, facts))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (inserted === undefined) {
    const existing = await findJob(rows, definition.id)
    throw new ServiceError('job_exists', {
      details: { jobId: definition.id, sameDefinition: existing !== null && specHashOf(existing.definition) === built.specHash },
    })
  }
  // A posted job is funded already, and a check would tell its poster whether a guess is the secret of another job.
  if (facts.postingRoute !== 'external-direct') await refuseRepeatedValues(rows, built)
  await storeExpectedOutputs(rows, built)
  const { posterAddress, now } = facts
  const spec = { contentType: 'job_spec', payload: { ...definition }, at: now } as const
  if (posterAddress !== null) await storeContent(rows, { ...spec, owners: [posterAddress] })
  await touchCatalogue(rows)
  return parseJobRow(inserted)
}

export interface LifecycleChange {
  jobId: string
  status?: LifecycleStatus | undefined
  /** Epoch ms; null clears it. */
  staleAt?: number | null | undefined
  /** Expiry (epoch ms) for a listing that has none. A recurring template never becomes stale. */
  usualStaleAt?: number | undefined
  /** The requested action or status. */
  action: string
  reason: string | null
  /** Wallet of the operator, lower case, or the name of the rule that caused the change. */
  by: string
}

const nextStaleAt = ({ staleAt, usualStaleAt }: LifecycleChange, { staleAt: present, definition }: JobRecord): number | null => {
  if (staleAt !== undefined) return staleAt
  if (usualStaleAt === undefined) return present
  return definition.recurring === true ? null : usualStaleAt
}

/** Changes a job's lifecycle under the row lock that orders it against a claim. The outbox event records operator and reason. */
export const changeLifecycle = async (rows: Rows, change: LifecycleChange, now: number): Promise<JobRecord> => {
  const job = await lockJob(rows, change.jobId)
  if (job === null) throw new ServiceError('job_not_found', { details: { jobId: change.jobId } })
  const { action, reason, by, status = job.lifecycleStatus } = change
  const updated = await rows
    .updateTable('job')
    .set({ lifecycleStatus: status, staleAt: nextStaleAt(change, job), updatedAt: now, version: job.version + 1 })
    .where('id', '=', job.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const changed = parseJobRow(updated)
  const data = { action, reason, by, from: job.lifecycleStatus, to: status, staleAt: isoOrNull(changed.staleAt) }
  await emit(rows, { topic: 'job.lifecycle_changed', wallets: by.startsWith('0x') ? [by] : [], jobId: job.id, at: now, data })
  await touchCatalogue(rows)
  return changed
}
