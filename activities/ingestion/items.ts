import { sql } from 'kysely'
import type { Candidate, Refusal } from '../../domain/ingestion/candidate.ts'
import type { Row } from '../../schemas/entities/columns.ts'
import type { IngestItem, IngestResult } from '../../schemas/ingestion/entities.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { IngestedJobRow, IngestOutcome } from '../../schemas/ingestion/record.ts'
import type { Rows } from '../database/database.ts'
import type { RunRecord } from './runs.ts'

export type ItemRecord = Row<typeof IngestItem>
export type ResultRecord = Row<typeof IngestResult>

/** What a run made of a candidate: a job, or why there is none. */
export interface Decided {
  candidate: Candidate
  jobId: string | null
  outcome: IngestOutcome
  refusal: Refusal | null
  job: IngestedJobRow | null
  /** Digest of the bytes whose facts the job asks for; null for any other job. */
  bytesDigest?: string | null
}

/** Keys of these candidates that the run has decided. */
export const listDecided = async (rows: Rows, runId: string, keys: readonly string[]): Promise<Set<string>> => {
  if (keys.length === 0) return new Set()
  const found = await rows
    .selectFrom('ingest_result')
    .select('itemKey')
    .where('runId', '=', runId)
    .where('itemKey', 'in', [...keys])
    .execute()
  return new Set(found.map(({ itemKey }) => itemKey))
}

/** Those of these candidates that have a job, by their key. */
export const findListed = async (rows: Rows, provider: Provider, keys: readonly string[]): Promise<Map<string, ItemRecord>> => {
  if (keys.length === 0) return new Map()
  const found = await rows
    .selectFrom('ingest_item')
    .selectAll()
    .where((is) => is.and({ provider, outcome: 'created' as const }))
    .where('itemKey', 'in', [...keys])
    .execute()
  return new Map(found.map((item) => [item.itemKey, item]))
}

/** Whether a job of any source asks for facts of these bytes, or did. */
export const isListedContent = async (rows: Rows, bytesDigest: string): Promise<boolean> => {
  const found = await rows
    .selectFrom('ingest_item')
    .select('itemKey')
    .where((is) => is.and({ bytesDigest, outcome: 'created' as const }))
    .executeTakeFirst()
  return found !== undefined
}

const EMPTY = { reason: null, detail: null, rules: [] as string[] }

const refusalColumns = (refusal: Refusal | null) =>
  refusal === null ? EMPTY : { reason: refusal.reason, detail: refusal.detail, rules: refusal.rules ?? [] }

/** Something decided, and its place among the candidates of the run. */
export type Placed = Decided & { position: number }

/** Stores what a run made of candidates, each by another key and at its own place. Returns the keys that it had not decided before. */
export const storePlaced = async (rows: Rows, { runId }: RunRecord, decided: readonly Placed[]): Promise<Set<string>> => {
  if (decided.length === 0) return new Set()
  const stored = await rows
    .insertInto('ingest_result')
    .values(
      decided.map(({ candidate, jobId, outcome, refusal, job, position }) => ({
        runId,
        itemKey: candidate.key,
        position,
        jobId,
        outcome,
        ...refusalColumns(refusal),
        score: candidate.score,
        parts: candidate.parts,
        resumeAt: refusal?.resumeAt ?? null,
        job,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('itemKey')
    .execute()
  return new Set(stored.map(({ itemKey }) => itemKey))
}

const STATE = [
  'outcome',
  'jobId',
  'contentHash',
  'bytesDigest',
  'reason',
  'detail',
  'rules',
  'score',
  'latestHash',
  'seenAt',
  'listedAt',
  'openCap',
] as const

/** Stores what last became of candidates, each by another key. A listed one stays listed. */
export const storeItems = async (
  rows: Rows,
  { provider }: RunRecord,
  decided: readonly Decided[],
  { now, openCap }: { now: number; openCap: number },
): Promise<void> => {
  if (decided.length === 0) return
  await rows
    .insertInto('ingest_item')
    .values(
      decided.map(({ candidate: { key: itemKey, contentHash, score }, jobId, outcome, refusal, bytesDigest = null }) => ({
        provider,
        itemKey,
        outcome,
        jobId,
        contentHash,
        bytesDigest,
        ...refusalColumns(refusal),
        score,
        version: 1,
        latestHash: null,
        firstSeenAt: now,
        seenAt: now,
        reissues: 0,
        ...(outcome === 'created' ? { listedAt: now, openCap } : { listedAt: null, openCap: null }),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'itemKey'])
        .doUpdateSet(({ ref }) => Object.fromEntries(STATE.map((column) => [column, ref(`excluded.${column}`)])))
        .where('ingest_item.outcome', '<>', 'created'),
    )
    .execute()
}

/** Notes the next job of a listed candidate. */
export const storeReissue = async (
  rows: Rows,
  { provider }: RunRecord,
  { candidate: { key: itemKey, contentHash, score }, jobId }: Decided,
  { now, openCap }: { now: number; openCap: number },
): Promise<void> => {
  await rows
    .updateTable('ingest_item')
    .set({ jobId, contentHash, score, version: 1, latestHash: null, seenAt: now, listedAt: now, openCap })
    .set({ reissues: sql<number>`reissues + 1` })
    .where((is) => is.and({ provider, itemKey, outcome: 'created' as const }))
    .execute()
}

/** Notes that a listed candidate was seen again, with the content of a new version if it has one. */
export const noteSeen = async (rows: Rows, { provider }: RunRecord, { key, contentHash }: Candidate, now: number): Promise<void> => {
  await rows
    .updateTable('ingest_item')
    .set({
      seenAt: now,
      version: sql<number>`version + case when ${contentHash}::text <> coalesce(latest_hash, content_hash) then 1 else 0 end`,
      latestHash: sql<
        string | null
      >`case when ${contentHash}::text is null then latest_hash when ${contentHash}::text <> content_hash then ${contentHash}::text end`,
    })
    .where((is) => is.and({ provider, itemKey: key, outcome: 'created' as const }))
    .execute()
}

/** Results of a run in their order. */
export const listResults = (rows: Rows, runId: string, outcomes: readonly IngestOutcome[], limit: number): Promise<ResultRecord[]> =>
  rows
    .selectFrom('ingest_result')
    .selectAll()
    .where('runId', '=', runId)
    .where('outcome', 'in', [...outcomes])
    .orderBy('position')
    .orderBy('itemKey')
    .limit(limit)
    .execute()

/** Candidates of a run that had no job before it. */
export const countFresh = async (rows: Rows, runId: string): Promise<number> => {
  const { count } = await rows
    .selectFrom('ingest_result')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('runId', '=', runId)
    .where((is) =>
      is.or([
        is('reason', 'is', null),
        is('reason', 'not in', ['already_exists', 'already_listed_content', 'ingest_refused_spec_hash_mismatch']),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Results of a run by outcome. */
export const countResults = async (rows: Rows, runId: string): Promise<Map<IngestOutcome, number>> => {
  const found = await rows
    .selectFrom('ingest_result')
    .select(['outcome', ({ fn }) => fn.countAll<string>().as('count')])
    .where('runId', '=', runId)
    .groupBy('outcome')
    .execute()
  return new Map(found.map(({ outcome, count }) => [outcome, Number(count)]))
}
