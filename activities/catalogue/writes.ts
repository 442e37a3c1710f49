import type { Insertable } from 'kysely'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { verdictNeeds } from '../../domain/catalogue/readiness.ts'
import { sourceGroupOf } from '../../domain/catalogue/source.ts'
import { specHashOf } from '../../domain/catalogue/spec-hash.ts'
import { LISTING_STALE_SECONDS } from '../../domain/common/constants.ts'
import { isoOrNull, plusSeconds } from '../../domain/common/instants.ts'
import type { LifecycleStatus, PostingRoute } from '../../schemas/catalogue/job-terms.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { refuseRepeatedValues, storeExpectedOutputs } from './expected-outputs.ts'
import { findJob, lockJob, parseJobRow, touchCatalogue } from './jobs.ts'
import { type LaneLimits, TEMPLATE_LANE } from './lanes.ts'

/** Listing time, payer and lifecycle status of a job. The status is open by default. */
export interface ListingFacts {
  now: number
  posterAddress: string | null
  /** Limits of the lane that the listing was checked against. */
  lane?: LaneLimits
  status?: LifecycleStatus | undefined
  /** By default an operator's listing. */
  postingRoute?: PostingRoute
  /** Source that it is listed from, and the key of its candidate there. */
  ingested?: { from: string; key: string }
}

/** Lane of a job that a poster funds: no budget bounds it. */
const NO_LANE = 'external'

const laneOf = ({ definition }: BuiltJob, { postingRoute }: ListingFacts): string => {
  if (definition.recurring === true) return TEMPLATE_LANE
  return postingRoute === 'external-direct' ? NO_LANE : (definition.lane ?? NO_LANE)
}

/** Row of a new job. */
export const jobRow = (built: BuiltJob, facts: ListingFacts): Insertable<Tables['job']> => {
  const { definition, specHash, chainJobId, rewardRaw } = built
  return {
    id: definition.id,
    definition,
    specHash,
    chainJobId,
    category: definition.category,
    tier: definition.tier,
    verifierMode: definition.verifierMode,
    sourceGroup: sourceGroupOf(definition),
    lane: laneOf(built, facts),
    laneDailyRaw: facts.lane?.dailyRaw ?? null,
    laneBacklog: facts.lane?.backlog ?? null,
    rewardAsset: definition.rewardAsset,
    rewardRaw,
    waiverEligible: definition.onboardingWaiverEligible,
    verdictNeeds: verdictNeeds(definition),
    lifecycleStatus: facts.status ?? 'open',
    staleAt:
      definition.recurring === true || facts.postingRoute === 'external-direct' ? null : plusSeconds(facts.now, LISTING_STALE_SECONDS),
    listedAt: facts.now,
    createdAt: facts.now,
    updatedAt: facts.now,
    postingRoute: facts.postingRoute ?? 'curated',
    posterAddress: facts.posterAddress,
    ingestedFrom: facts.ingested?.from ?? null,
    ingestedKey: facts.ingested?.key ?? null,
    version: 1,
  }
}

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
