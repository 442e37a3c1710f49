import { type RawBuilder, sql } from 'kysely'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { iso } from '../../domain/common/instants.ts'
import type { Refusal } from '../../domain/ingestion/candidate.ts'
import { buildJob, type ListingTerms } from '../../domain/verification/listing.ts'
import type { JobInput } from '../../schemas/catalogue/job-input.ts'
import { ERRORS, ServiceError } from '../../schemas/errors.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { Settings } from '../../schemas/settings.ts'
import { findJob } from '../catalogue/jobs.ts'
import { type LaneRefusal, laneLimits, laneRefusal } from '../catalogue/lanes.ts'
import { insertJob } from '../catalogue/writes.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { readRow } from '../database/database.ts'
import { countMissingStarters, findReissueId, type ReissueDeps } from '../lanes/reissue.ts'
import { type Decided, isListedContent, listDecided, storeItems, storePlaced, storeReissue } from './items.ts'
import { addCandidates, lockSource, type RunRecord, takePlace } from './runs.ts'

export interface ListingDeps extends RecordDeps, Pick<ReissueDeps, 'chain'> {
  settings: Settings
  terms: ListingTerms
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

/** Why a lane takes no job, with the moment from which it may: where its budget does not say, when the first waiting job leaves by itself. */
const refusalOfLane = async (rows: Rows, { code, resumeAt }: LaneRefusal, lane: string, now: number): Promise<Refusal> => {
  const at = resumeAt === null ? (await readWaiting(rows, sql`j.lane = ${lane}`, now)).freesAt : Date.parse(resumeAt)
  return { outcome: 'skipped', reason: code, detail: `${ERRORS[code].meaning} Lane ${lane}.`, ...resume(at), stopsRun: true }
}

/** Refusal of a candidate that has its job. */
export const EXISTS: Refusal = { outcome: 'skipped', reason: 'already_exists', detail: 'Its job is listed, or was.' }

const errorRefusal = (error: ServiceError): Refusal => {
  const [failed] = error.info.errors ?? []
  const detail = failed === undefined ? error.message : `${failed.pointer}: ${failed.message}`
  return error.code === 'job_exists' ? EXISTS : { outcome: 'error', reason: error.code, detail }
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

const refusalOfCap = async (rows: Rows, { settings }: ListingDeps, provider: Provider, now: number): Promise<Refusal | null> => {
  const { count, freesAt } = await readOpenJobs(rows, provider, now)
  if (count < settings.INGEST_OPEN_CAP) return null
  const detail = `${count} jobs of the source wait for a claim, ${settings.INGEST_OPEN_CAP} may.`
  return { outcome: 'skipped', reason: 'source_open_cap', detail, ...resume(freesAt), stopsRun: true }
}

/** Whether a reissue is still due: no other run listed the candidate again, and starter jobs are still missing. */
const isReissueDue = async (rows: Rows, deps: ListingDeps, { provider }: RunRecord, { candidate, jobId }: Decided): Promise<boolean> => {
  const now = deps.clock.now()
  const isNext = (await findReissueId(rows, { provider, itemKey: candidate.key }, now)) === jobId
  return isNext && (await countMissingStarters(rows, deps, now)) > 0
}

/** Refusal of a job about bytes of which another one asks for facts, or did: its answer would be paid twice. */
export const LISTED_CONTENT: Refusal = {
  outcome: 'skipped',
  reason: 'already_listed_content',
  detail: 'A job asks for facts of the same bytes, or did.',
}

/** What a listing came to: the job is there, the run had decided the candidate before, its places are used up, or a refusal. */
export type Listing = 'listed' | 'known' | 'full' | Refusal

/** A job to list. `isReissue`: its candidate is listed, with a job that has ended. */
interface ListedCandidate {
  built: BuiltJob
  lane: JobInput['lane']
  decided: Decided
  position: number
  isReissue: boolean
}

/**
 * Lists one job of a run in one transaction with its item, its result and its place in the run. The source is locked first, then the lane, so
 * that every cap is decided by one run at a time.
 */
export const listCandidate = async (deps: ListingDeps, run: RunRecord, listed: ListedCandidate): Promise<Listing> => {
  const { database, settings, clock, terms } = deps
  const { built, lane, decided, position, isReissue } = listed
  const { key } = decided.candidate
  const limits = laneLimits(settings, lane)
  const list = async (rows: Rows): Promise<Listing> => {
    await lockSource(rows, run)
    if ((await listDecided(rows, run.runId, [key])).has(key)) return 'known'
    if (isReissue ? !(await isReissueDue(rows, deps, run, decided)) : (await findJob(rows, built.definition.id)) !== null) return EXISTS
    const refused = await laneRefusal(rows, lane, built.rewardRaw, limits, clock)
    const now = clock.now()
    if (refused !== null) return refusalOfLane(rows, refused, lane, now)
    // Sources share the lock of the lane; the index refuses what two lanes would list at once.
    if (decided.bytesDigest != null && (await isListedContent(rows, decided.bytesDigest))) return LISTED_CONTENT
    const capped = await refusalOfCap(rows, deps, run.provider, now)
    if (capped !== null) return capped
    if (!(await takePlace(rows, run.runId))) return 'full'
    await storePlaced(rows, run, [{ ...decided, position }])
    const facts = { now, openCap: settings.INGEST_OPEN_CAP }
    await (isReissue ? storeReissue(rows, run, decided, facts) : storeItems(rows, run, [decided], facts))
    await addCandidates(rows, run.runId, 1)
    await insertJob(rows, built, { now, posterAddress: terms.posterAddress, lane: limits, ingested: { from: run.provider, key } })
    return 'listed'
  }
  try {
    return await database.transaction(list)
  } catch (error) {
    if (error instanceof ServiceError) return errorRefusal(error)
    throw error
  }
}

export const stopOf = ({ reason, detail, resumeAt }: Refusal) => ({
  reason,
  detail,
  resumeAt: resumeAt === undefined ? null : iso(resumeAt),
})
