import { sql } from 'kysely'
import { DAY_MS } from '../../domain/common/instants.ts'
import { describeAnswer, ingestAnswer } from '../../domain/ingestion/answer.ts'
import { inputKey } from '../../domain/ingestion/key.ts'
import type { IngestActivities, IngestEnd } from '../../schemas/ingestion/process.ts'
import { type IngestAnswer, type IngestStop, isRunFault, type RunFault } from '../../schemas/ingestion/record.ts'
import { withSmallHeap } from '../common/heap.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { countFresh, countResults, listResults } from './items.ts'
import { createPageStep, type PageDeps } from './page.ts'
import { getRun, openRun, progressOf, type RunRecord, releaseSource } from './runs.ts'

/** Skips and errors that an answer shows. */
const SHOWN = 200
/** Runs and candidates without a job are kept for this long. */
const RUN_DAYS = 30
const ITEM_DAYS = 90

const readAnswer = async (rows: Rows, run: RunRecord): Promise<IngestAnswer> =>
  ingestAnswer(run, {
    jobs: await listResults(rows, run.runId, ['created', 'proposed'], run.itemLimit),
    skips: await listResults(rows, run.runId, ['skipped', 'parked'], SHOWN),
    errors: await listResults(rows, run.runId, ['error'], SHOWN),
    counts: await countResults(rows, run.runId),
  })

/** Keeps where a run had to stop, so that the next one over the same inputs goes on there; otherwise that one begins at the first page. */
const saveCursor = async (rows: Rows, { provider, input, cursor, stopped }: RunRecord, now: number): Promise<void> => {
  const key = inputKey(input)
  const isCut = stopped?.reason === 'budget_exhausted' || stopped?.reason === 'source_rate_limited'
  if (!isCut || cursor === null) {
    await rows
      .deleteFrom('ingest_cursor')
      .where((is) => is.and({ provider, inputKey: key }))
      .execute()
    return
  }
  await rows
    .insertInto('ingest_cursor')
    .values({ provider, inputKey: key, cursor, updatedAt: now })
    .onConflict((conflict) => conflict.columns(['provider', 'inputKey']).doUpdateSet({ cursor, updatedAt: now }))
    .execute()
}

/** Deletes what only old answers need. */
const forget = async (rows: Rows, now: number): Promise<void> => {
  await rows
    .deleteFrom('ingest_run')
    .where('endedAt', '<', now - RUN_DAYS * DAY_MS)
    .execute()
  await rows
    .deleteFrom('ingest_item')
    .where('outcome', '<>', 'created')
    .where('seenAt', '<', now - ITEM_DAYS * DAY_MS)
    .execute()
}

/** The fault of a run that read nothing before the process gave up. */
const faultOf = ({ fault, pages, candidates, stopped }: RunRecord): RunFault | null =>
  fault ?? (pages === 0 && candidates === 0 && stopped !== null && isRunFault(stopped.reason) ? stopped.reason : null)

/** Whether a run shows that the schedule of its source works: it is one of the schedule, and read as far as the service let it. */
const isSuccess = ({ origin, fault, pages, stopped }: RunRecord): boolean =>
  origin === 'schedule' &&
  fault === null &&
  pages > 0 &&
  (stopped === null || stopped.reason === 'budget_exhausted' || !isRunFault(stopped.reason))

const endOf = ({ runId, fault, stopped }: RunRecord, answer: IngestAnswer): IngestEnd =>
  fault === null
    ? { runId, status: 'done', fault, details: describeAnswer(answer) }
    : { runId, status: 'failed', fault, details: `The source could not be read: ${fault}. ${stopped?.detail ?? ''}`.trimEnd() }

/** Steps of a run over a source. */
export const createIngestSteps = (deps: PageDeps): IngestActivities => {
  const { database, clock } = deps
  const { ingestPage } = createPageStep(deps)

  const end = async (rows: Rows, runId: string, given: IngestStop | null): Promise<IngestEnd> => {
    const found = await getRun(rows, runId)
    if (found.answer !== null) return endOf(found, found.answer)
    const now = clock.now()
    const halted = { ...found, stopped: found.stopped ?? given }
    const run = { ...halted, fault: faultOf(halted) }
    const answer = await readAnswer(rows, run)
    const ended = endOf(run, answer)
    const { status } = ended
    await rows
      .updateTable('ingest_run')
      .set({
        status,
        endedAt: now,
        isOver: true,
        stopped: run.stopped,
        fault: run.fault,
        answer,
        freshCandidates: await countFresh(rows, runId),
      })
      .where('runId', '=', runId)
      .execute()
    if (!run.dryRun) await saveCursor(rows, run, now)
    if (isSuccess(run)) await rows.updateTable('ingest_source').set({ lastSuccessAt: now }).where('provider', '=', run.provider).execute()
    await releaseSource(rows, run)
    await forget(rows, now)
    const { counts, stopped } = answer
    const facts = { provider: run.provider, runId, dryRun: run.dryRun, status, ...counts, stopped: stopped?.reason ?? null }
    await emit(rows, {
      topic: 'ingestion.run_ended',
      wallets: run.requestedBy === null ? [] : [run.requestedBy],
      correlationId: run.workflowId,
      at: now,
      data: facts,
    })
    return ended
  }

  return {
    // Answers, candidates and results are garbage by the next step.
    ingestPage: (page) => withSmallHeap(() => ingestPage(page)),
    beginIngestion: async (input) => progressOf(await database.transaction((rows) => openRun(rows, input, clock.now()))),
    endIngestion: ({ runId, stopped }) =>
      withSmallHeap(() =>
        database.transaction(async (rows) => {
          await sql`select 1 from ingest_run where run_id = ${runId} for update`.execute(rows)
          return end(rows, runId, stopped)
        }),
      ),
  }
}
