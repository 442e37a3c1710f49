import { sql } from 'kysely'
import { assertNotBlocked } from '../../domain/paid-verification/gate.ts'
import type { Rows } from '../database/database.ts'
import { countUnpaid, findPaidRun, type RunRecord } from './records.ts'

/** Orders the admissions of a payer until the end of the transaction. */
const lockPayer = (rows: Rows, payer: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`verification ${payer}`}, 0))`.execute(rows)

/**
 * Stores an admitted run, or returns the one that its authorisation already pays for. What a payer has not paid is counted under its lock, so that
 * requests at once cannot pass its limit together. Throws 402 `payment_payer_blocked`.
 */
export const admitRun = async (rows: Rows, run: RunRecord): Promise<RunRecord> => {
  await lockPayer(rows, run.payer)
  const known = await findPaidRun(rows, run)
  if (known !== null) return known
  assertNotBlocked(await countUnpaid(rows, run.payer))
  return rows.insertInto('verification_run').values(run).returningAll().executeTakeFirstOrThrow()
}
