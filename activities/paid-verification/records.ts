import { sql } from 'kysely'
import { canBecome, isFinal } from '../../domain/paid-verification/run-states.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { RunState } from '../../schemas/paid-verification/record.ts'
import type { Rows } from '../database/database.ts'

export type RunRecord = Tables['verification_run']

export const findRun = async (rows: Rows, runKey: string): Promise<RunRecord | null> =>
  (await rows.selectFrom('verification_run').selectAll().where('runKey', '=', runKey).executeTakeFirst()) ?? null

/** The run that an authorisation pays for; null when it is not known. */
export const findPaidRun = async (
  rows: Rows,
  { network, asset, payer, nonce }: Pick<RunRecord, 'network' | 'asset' | 'payer' | 'nonce'>,
): Promise<RunRecord | null> =>
  (await rows
    .selectFrom('verification_run')
    .selectAll()
    .where((eb) => eb.and({ network, asset, payer, nonce }))
    .executeTakeFirst()) ?? null

/** Stores an admitted run, or returns the one that its authorisation already pays for. */
export const admitRun = async (rows: Rows, run: RunRecord): Promise<RunRecord> => {
  const stored = await rows
    .insertInto('verification_run')
    .values(run)
    .onConflict((conflict) => conflict.columns(['network', 'asset', 'payer', 'nonce']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (stored !== undefined) return stored
  const known = await findPaidRun(rows, run)
  if (known === null) throw new Error('the authorisation has a run and has none')
  return known
}

/** Runs of a payer whose result was decisive and whose price can never be taken. */
export const countUnpaid = async (rows: Rows, payer: string): Promise<number> => {
  const { count } = await rows
    .selectFrom('verification_run')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('payer', '=', payer)
    .where('state', '=', 'uncollectable')
    .where('verdict', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The run, locked for the transaction. A missing one is a fault of the program: runs are read by callers before. */
export const lockRun = async (rows: Rows, runKey: string): Promise<RunRecord> => {
  const run = await rows.selectFrom('verification_run').selectAll().where('runKey', '=', runKey).forUpdate().executeTakeFirst()
  if (run === undefined) throw new Error('the run is not recorded')
  return run
}

/** Moves a locked run on. A move that its state does not allow is a fault of the program. */
export const moveRun = async (
  rows: Rows,
  run: RunRecord,
  state: RunState,
  changes: Partial<RunRecord>,
  now: number,
): Promise<RunRecord> => {
  if (!canBecome(run.state, state)) throw new Error(`a run that is ${run.state} does not become ${state}`)
  const end = isFinal(state) ? { endedAt: now, signature: null } : {}
  const after: RunRecord = { ...run, ...changes, ...end, state, sealedCredential: null }
  await rows.updateTable('verification_run').set(after).where('runKey', '=', run.runKey).execute()
  return after
}
