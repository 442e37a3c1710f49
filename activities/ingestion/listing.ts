import { type RawBuilder, sql } from 'kysely'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { iso } from '../../domain/common/instants.ts'
import type { Refusal } from '../../domain/ingestion/candidate.ts'
import { buildJob, type ListingTerms } from '../../domain/verification/listing.ts'
import type { JobInput } from '../../schemas/catalogue/job-input.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { Settings } from '../../schemas/settings.ts'
import { findJob } from '../catalogue/jobs.ts'
import { assertLaneCapacity, laneLimits } from '../catalogue/lanes.ts'
import { insertJob } from '../catalogue/writes.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { readRow } from '../database/database.ts'
import { type Decided, isListedContent, storeItems, storeResults } from './items.ts'
import { addCandidates, lockSource, type RunRecord, takePlace } from './runs.ts'

export interface ListingDeps extends RecordDeps {
  settings: Settings
  terms: ListingTerms
}

/** A refusal that holds for every further job of the run. */
export interface RunRefusal extends Refusal {
  stopsRun: true
}

/** Listed jobs that wait for a claim: no session holds or has done them. */
const WAITS = (now: number) => sql`j.lifecycle_status = 'open' and (j.stale_at is null or j.stale_at > ${new Date(now)})
  and not exists (select 1 from session s where s.job_id = j.id and s.status <> 'expired')`

/** Number of waiting jobs, and when the first of them leaves by itself. */
const readWaiting = async (rows: Rows, among: RawBuilder<unknown>, now: number): Promise<{ count: number; freesAt: number | null }> => {
  const { count, freesAt } = await readRow(
    rows,
    sql<{ count: number; freesAt: Date | null }>`
      select count(*)::integer as count, min(j.stale_at) as "freesAt" from job j where ${among} and ${WAITS(now)}`,
  )
  return { count, freesAt: freesAt === null ? null : new Date(freesAt).getTime() }
}

/** Jobs of a source that wait for a claim. */
const readOpenJobs = (rows: Rows, provider: Provider, now: number) => readWaiting(rows, sql`j.ingested_from = ${provider}`, now)

const resume = (at: number | null): Pick<Refusal, 'resumeAt'> => (at === null ? {} : { resumeAt: at })

/** Refuses by rolling back what the transaction began. */
class RefusedListing extends Error {
  readonly refusal: Refusal | RunRefusal
  constructor(refusal: Refusal | RunRefusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

/** Refusals of a lane: they name the lane and not the job. */
const isLaneRefusal = ({ code }: ServiceError): boolean => code.startsWith('lane_') || (code as string) === 'catalogue_lane_posting_busy'

const laneRefusal = async (deps: ListingDeps, error: ServiceError, lane: string): Promise<RunRefusal> => {
  const now = deps.clock.now()
  const { resumeAt } = error.info.details ?? {}
  const known = typeof resumeAt === 'string' ? Date.parse(resumeAt) : null
  const at = known ?? (await readWaiting(deps.database.rows, sql`j.lane = ${lane}`, now)).freesAt
  return { outcome: 'skipped', reason: error.code, detail: `${error.message} Lane ${lane}.`, ...resume(at), stopsRun: true }
}

const errorRefusal = (error: ServiceError): Refusal => {
  const [failed] = error.info.errors ?? []
  const detail = failed === undefined ? error.message : `${failed.pointer}: ${failed.message}`
  return error.code === 'job_exists'
    ? { outcome: 'skipped', reason: 'already_exists', detail: 'A job with this id exists.' }
    : { outcome: 'error', reason: error.code, detail }
}

/** Builds the job of a candidate, or says why it cannot be listed. */
export const buildCandidate = ({ terms }: ListingDeps, job: JobInput): BuiltJob | Refusal => {
  try {
    return buildJob(job, terms)
  } catch (error) {
    if (error instanceof ServiceError) return errorRefusal(error)
    throw error
  }
}

const assertOpenCap = async ({ settings, clock }: ListingDeps, rows: Rows, provider: Provider): Promise<void> => {
  const { count, freesAt } = await readOpenJobs(rows, provider, clock.now())
  if (count < settings.INGEST_OPEN_CAP) return
  const detail = `${count} jobs of the source wait for a claim, ${settings.INGEST_OPEN_CAP} may.`
  throw new RefusedListing({ outcome: 'skipped', reason: 'source_open_cap', detail, ...resume(freesAt), stopsRun: true })
}

/** Refusal of a job about bytes of which another one asks for facts, or did: its answer would be paid twice. */
export const LISTED_CONTENT: Refusal = {
  outcome: 'skipped',
  reason: 'already_listed_content',
  detail: 'A job asks for facts of the same bytes, or did.',
}

/** What a listing came to: the job is there, the run had decided the candidate before, its places are used up, or a refusal. */
export type Listing = 'listed' | 'known' | 'full' | Refusal | RunRefusal

/**
 * Lists one job of a run in one transaction with its item, its result and its place in the run. The source is locked first, then the lane, so
 * that every cap is decided by one run at a time.
 */
export const listCandidate = async (
  deps: ListingDeps,
  run: RunRecord,
  { built, lane, decided, position }: { built: BuiltJob; lane: JobInput['lane']; decided: Decided; position: number },
): Promise<Listing> => {
  const { database, settings, clock, terms } = deps
  const limits = laneLimits(settings, lane)
  try {
    return await database.transaction(async (rows) => {
      await lockSource(rows, run)
      if ((await storeResults(rows, run, position, [decided])).size === 0) return 'known'
      if (!(await takePlace(rows, run.runId))) throw new RefusedListing({ outcome: 'skipped', reason: 'limit_reached', detail: '' })
      if ((await findJob(rows, built.definition.id)) !== null) throw new ServiceError('job_exists')
      const now = await assertLaneCapacity(rows, lane, built.rewardRaw, limits, clock)
      // Sources share the lock of the lane; the index refuses what two lanes would list at once.
      if (decided.bytesDigest != null && (await isListedContent(rows, decided.bytesDigest))) throw new RefusedListing(LISTED_CONTENT)
      await assertOpenCap(deps, rows, run.provider)
      await storeItems(rows, run, [decided], { now, openCap: settings.INGEST_OPEN_CAP })
      await addCandidates(rows, run.runId, 1)
      await insertJob(rows, built, { now, posterAddress: terms.posterAddress, lane: limits, ingestedFrom: run.provider })
      return 'listed'
    })
  } catch (error) {
    if (error instanceof RefusedListing) return error.refusal.reason === 'limit_reached' ? 'full' : error.refusal
    if (!(error instanceof ServiceError)) throw error
    return isLaneRefusal(error) ? laneRefusal(deps, error, lane) : errorRefusal(error)
  }
}

export const stopOf = ({ reason, detail, resumeAt }: Refusal) => ({
  reason,
  detail,
  resumeAt: resumeAt === undefined ? null : iso(resumeAt),
})
