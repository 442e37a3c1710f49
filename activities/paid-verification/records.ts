import { sql } from 'kysely'
import { canBecome, isFinal, showsVerdict } from '../../domain/paid-verification/run-states.ts'
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

/** Runs of a payer that are not over, and decisive ones that can never be collected. */
export const countUnpaid = async (rows: Rows, payer: string): Promise<{ open: number; uncollectable: number }> => {
  const { open, uncollectable } = await rows
    .selectFrom('verification_run')
    .select([
      sql<number>`(count(*) filter (where ended_at is null))::integer`.as('open'),
      sql<number>`(count(*) filter (where state = 'uncollectable' and verdict is not null))::integer`.as('uncollectable'),
    ])
    .where('payer', '=', payer)
    .executeTakeFirstOrThrow()
  return { open, uncollectable }
}

/** The run, locked for the transaction. A missing one is a fault of the program: runs are read by callers before. */
export const lockRun = async (rows: Rows, runKey: string): Promise<RunRecord> => {
  const run = await rows.selectFrom('verification_run').selectAll().where('runKey', '=', runKey).forUpdate().executeTakeFirst()
  if (run === undefined) throw new Error('the run is not recorded')
  return run
}

/** Moves a locked run on; its end and its receipt are one transaction. A move that its state does not allow is a fault of the program. */
export type MoveRun = (rows: Rows, run: RunRecord, state: RunState, changes: Partial<RunRecord>, now: number) => Promise<RunRecord>

/** Creates the only writer of states. `issueReceipt` stores the receipt of a run whose verdict is shown from now on, and returns its id. */
export const createMoveRun =
  (issueReceipt: (rows: Rows, run: RunRecord) => Promise<string>): MoveRun =>
  async (rows, run, state, changes, now) => {
    if (!canBecome(run.state, state)) throw new Error(`a run that is ${run.state} does not become ${state}`)
    const end = isFinal(state) ? { endedAt: now, signature: null } : {}
    const moved: RunRecord = { ...run, ...changes, ...end, state, sealedCredential: null }
    const after = showsVerdict(state) ? { ...moved, receiptId: await issueReceipt(rows, moved) } : moved
    await rows.updateTable('verification_run').set(after).where('runKey', '=', run.runKey).execute()
    return after
  }

/** Deletes runs that ended and have expired; `now` in epoch ms. Their authorisations ended long before. */
export const deleteRuns = async (rows: Rows, now: number): Promise<void> => {
  await rows.deleteFrom('verification_run').where('endedAt', 'is not', null).where('expiresAt', '<', now).execute()
}
