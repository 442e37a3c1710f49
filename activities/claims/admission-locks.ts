import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

/**
 * Serializes admissions of one wallet, and all reservations of operator-wide budgets, until the transaction ends. Always taken after the job's
 * row.
 */
export const lockAdmission = async (rows: Rows, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`admission:${wallet}`}))`.execute(rows)
  await sql`select pg_advisory_xact_lock(hashtext('admission:catalogue-budget'))`.execute(rows)
}
