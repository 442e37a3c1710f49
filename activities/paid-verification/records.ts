import { sql } from 'kysely'
import { WITHDRAWN } from '../../domain/paid-verification/gate.ts'
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

/** Runs of a payer that are not over, and decisive ones whose payment it withdrew. */
export const countUnpaid = async (rows: Rows, payer: string): Promise<{ open: number; uncollectable: number }> => {
  const { open, uncollectable } = await rows
    .selectFrom('verification_run')
    .select([
      sql<number>`(count(*) filter (where ended_at is null))::integer`.as('open'),
      sql<number>`(count(*) filter (where verdict is not null and uncollectable = any(${[...WITHDRAWN]}::text[])))::integer`.as(
        'uncollectable',
      ),
    ])
    .where('payer', '=', payer)
    .executeTakeFirstOrThrow()
  return { open, uncollectable }
}

/** Numbers of stored runs by profile and state, and what waits for its payment since when (epoch ms). */
export const summariseRuns = async (rows: Rows) => {
  const runs = await rows
    .selectFrom('verification_run')
    .select(['profileRef', 'state', sql<number>`count(*)::integer`.as('count')])
    .groupBy(['profileRef', 'state'])
    .execute()
  const uncollectable = await rows
    .selectFrom('verification_run')
    .select([sql<string>`uncollectable`.as('reason'), sql<number>`count(*)::integer`.as('count')])
    .where('uncollectable', 'is not', null)
    .groupBy('uncollectable')
    .execute()
  const due = await rows
    .selectFrom('verification_run')
    .select(['executedAt'])
    .where('endedAt', 'is', null)
    .where('state', 'in', ['executed', 'capturing'])
    .orderBy('executedAt')
    .execute()
  return { runs, uncollectable, pending: due.length, oldestAt: due[0]?.executedAt ?? null }
}

/** Which runs a list has; an absent member leaves all. */
export interface RunFilter {
  states?: readonly RunState[] | undefined
  /** Name of a profile, with or without its version. */
  profile?: string | undefined
  /** Lower-case address. */
  customer?: string | undefined
}

/** Runs, newest first, after a position. */
export const listRuns = (
  rows: Rows,
  { states, profile, customer }: RunFilter,
  { limit, after }: { limit: number; after: { submittedAt: number; runKey: string } | null },
): Promise<RunRecord[]> => {
  let found = rows.selectFrom('verification_run').selectAll()
  if (states !== undefined) found = found.where('state', '=', sql<RunState>`any(${[...states]}::text[])`)
  if (customer !== undefined) found = found.where('payer', '=', customer)
  if (profile?.includes('@')) found = found.where('profileRef', '=', profile)
  else if (profile !== undefined) found = found.where(sql<string>`split_part(profile_ref, '@', 1)`, '=', profile)
  if (after !== null)
    found = found
      .where('submittedAt', '<=', after.submittedAt)
      .where((is) => is.or([is('submittedAt', '<', after.submittedAt), is('runKey', '>', after.runKey)]))
  return found.orderBy('submittedAt', 'desc').orderBy('runKey').limit(limit).execute()
}

/** The run, locked for the transaction. A missing one is a fault of the program: runs are read by callers before. */
export const lockRun = async (rows: Rows, runKey: string): Promise<RunRecord> => {
  const run = await rows.selectFrom('verification_run').selectAll().where('runKey', '=', runKey).forUpdate().executeTakeFirst()
  if (run === undefined) throw new Error('the run is not recorded')
  return run
}

/**
 * Moves a locked run on; its end and its receipt are one transaction. Every move deletes the sealed credential of the target, the first one too: a run
 * with a credential has one attempt. A move that its state does not allow is a fault of the program.
 */
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
