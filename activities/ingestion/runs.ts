import { sql } from 'kysely'
import type { z } from 'zod'
import { inputKey } from '../../domain/ingestion/key.ts'
import type { Row } from '../../schemas/entities/columns.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { parseOwnInput } from '../../schemas/ingestion/bodies.ts'
import type { IngestRun } from '../../schemas/ingestion/entities.ts'
import type { IngestionInput, IngestProgress } from '../../schemas/ingestion/process.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { IngestStop } from '../../schemas/ingestion/record.ts'
import type { Rows } from '../database/database.ts'

export type RunRecord = Row<typeof IngestRun>

/** How long a run may go on without a step before another one may read its source, seconds. Longer than a page may take. */
const HOLD_SECONDS = 900

/** Wall clock of the database, which all workers share. */
const WALL = sql<number>`now()`

export const findRun = async (rows: Rows, runId: string): Promise<RunRecord | null> =>
  (await rows.selectFrom('ingest_run').selectAll().where('runId', '=', runId).executeTakeFirst()) ?? null

export const getRun = async (rows: Rows, runId: string): Promise<RunRecord> => {
  const run = await findRun(rows, runId)
  if (run === null) throw new Error(`no run ${runId} of a source is recorded`)
  return run
}

/** The last run of a workflow id; null before the first. */
export const findRunOfWorkflow = async (rows: Rows, workflowId: string): Promise<RunRecord | null> =>
  (await rows
    .selectFrom('ingest_run')
    .selectAll()
    .where('workflowId', '=', workflowId)
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? null

export const progressOf = ({ pages, candidates, taken, requestsUsed, isOver, stopped }: RunRecord): IngestProgress => ({
  pages,
  candidates,
  taken,
  requestsUsed,
  isOver,
  isBusy: false,
  stopped,
})

/** Where the last run over the same inputs could not go on; null to begin at the first page. */
const savedCursor = async (rows: Rows, provider: Provider, input: Record<string, unknown>): Promise<string | null> => {
  const saved = await rows
    .selectFrom('ingest_cursor')
    .select('cursor')
    .where((is) => is.and({ provider, inputKey: inputKey(input) }))
    .executeTakeFirst()
  return saved?.cursor ?? null
}

/** End of a run whose input its source does not take. The engine keeps the input of a schedule as an operator wrote it. */
const refuseInput = ({ issues: [issue] }: z.ZodError) => {
  const detail = `/${['input', ...(issue?.path ?? [])].join('/')}: ${issue?.message ?? ''}`
  return { isOver: true, fault: 'source_refused', stopped: { reason: 'source_refused', detail, resumeAt: null } } as const
}

/** Records a run, or finds it. Its input gets the defaults of its source. */
export const openRun = async (
  rows: Rows,
  { runId, workflowId, run }: { runId: string; workflowId: string; run: IngestionInput },
  now: number,
): Promise<RunRecord> => {
  const { provider, dryRun, limit, minScore, origin, requestedBy } = run
  await rows
    .insertInto('ingest_source')
    .values({ provider })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { data, error } = parseOwnInput(provider, run.input)
  const input = data ?? run.input
  const named = { runId, workflowId, provider, input, dryRun, itemLimit: limit, minScore, origin, requestedBy }
  const state = {
    status: 'running',
    startedAt: now,
    pages: 0,
    isOver: false,
    stalePages: 0,
    candidates: 0,
    freshCandidates: 0,
    taken: 0,
    requestsUsed: 0,
  } as const
  await rows
    .insertInto('ingest_run')
    .values({ ...named, ...state, ...(error && refuseInput(error)), cursor: dryRun ? null : await savedCursor(rows, provider, input) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return getRun(rows, runId)
}

/** Takes or extends the right to read a source; false while another run has it. */
export const holdSource = async (rows: Rows, { provider, runId }: Pick<RunRecord, 'provider' | 'runId'>): Promise<boolean> => {
  const held = await rows
    .updateTable('ingest_source')
    .set({ holderRunId: runId, heldUntil: sql<number>`now() + make_interval(secs => ${HOLD_SECONDS})` })
    .where('provider', '=', provider)
    .where((is) => is.or([is('holderRunId', 'is', null), is('holderRunId', '=', runId), is('heldUntil', '<', WALL)]))
    .returning('provider')
    .executeTakeFirst()
  return held !== undefined
}

/** Another run has taken the source, because this one made no step for too long. */
class SourceLostError extends Error {}

/** Locks the source of a run, which orders everything that the run records. Throws `SourceLostError`. */
export const lockSource = async (rows: Rows, { provider, runId }: Pick<RunRecord, 'provider' | 'runId'>): Promise<void> => {
  const source = await rows
    .selectFrom('ingest_source')
    .select('holderRunId')
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst()
  if (source?.holderRunId !== runId) throw new SourceLostError(`another run reads ${provider}`)
}

export const releaseSource = async (rows: Rows, { provider, runId }: Pick<RunRecord, 'provider' | 'runId'>): Promise<void> => {
  await rows
    .updateTable('ingest_source')
    .set({ holderRunId: null, heldUntil: null })
    .where((is) => is.and({ provider, holderRunId: runId }))
    .execute()
}

/** Until when a source asked to wait, epoch ms by the wall clock; null when it may be asked. */
export const readWait = async (rows: Rows, provider: Provider): Promise<number | null> => {
  const source = await rows
    .selectFrom('ingest_source')
    .select('nextAllowedAt')
    .where('provider', '=', provider)
    .where('nextAllowedAt', '>', WALL)
    .executeTakeFirst()
  return source?.nextAllowedAt ?? null
}

/** Moves that instant forward; an earlier one changes nothing. */
export const storeWait = async (rows: Rows, provider: Provider, until: number): Promise<void> => {
  await rows
    .insertInto('ingest_source')
    .values({ provider, nextAllowedAt: until })
    .onConflict((conflict) =>
      conflict
        .column('provider')
        .doUpdateSet({ nextAllowedAt: until })
        .where((is) => is.or([is('ingest_source.nextAllowedAt', 'is', null), is('ingest_source.nextAllowedAt', '<', until)])),
    )
    .execute()
}

/** Counts candidates that a run has newly decided. */
export const addCandidates = async (rows: Rows, runId: string, candidates: number): Promise<void> => {
  if (candidates === 0) return
  await rows
    .updateTable('ingest_run')
    .set({ candidates: sql<number>`candidates + ${candidates}` })
    .where('runId', '=', runId)
    .execute()
}

/** Counts a job of a run; false if the run has as many as it may have. */
export const takePlace = async (rows: Rows, runId: string): Promise<boolean> => {
  const taken = await rows
    .updateTable('ingest_run')
    .set({ taken: sql<number>`taken + 1` })
    .where('runId', '=', runId)
    .where(({ eb, ref }) => eb('taken', '<', ref('itemLimit')))
    .returning('runId')
    .executeTakeFirst()
  return taken !== undefined
}

/** Counts requests that a run made. */
export const addRequests = async (rows: Rows, runId: string, requests: number): Promise<void> => {
  if (requests === 0) return
  await rows
    .updateTable('ingest_run')
    .set({ requestsUsed: sql<number>`requests_used + ${requests}` })
    .where('runId', '=', runId)
    .execute()
}

type PageEnd = Pick<Tables['ingest_run'], 'pages' | 'cursor' | 'stalePages' | 'isOver'> & {
  stopped: IngestStop | null
  fault?: RunRecord['fault']
}

/** Closes a page of a run; nothing happens where a repeat closed it before. */
export const closePage = async (
  rows: Rows,
  runId: string,
  { pages, cursor, stalePages, isOver, stopped, fault = null }: PageEnd,
): Promise<void> => {
  await rows
    .updateTable('ingest_run')
    .set({ pages: pages + 1, cursor, stalePages, isOver, stopped, fault })
    .where((is) => is.and({ runId, pages, isOver: false }))
    .execute()
}

/** Ends the reading of a run before its page is closed. */
export const stopRun = async (rows: Rows, runId: string, stopped: IngestStop, fault: RunRecord['fault'] = null): Promise<void> => {
  await rows
    .updateTable('ingest_run')
    .set({ isOver: true, stopped, fault })
    .where((is) => is.and({ runId, isOver: false }))
    .execute()
}
