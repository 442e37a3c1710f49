import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

/** Admissions of one wallet, and everybody's hold on the operator-wide budgets, queue here until the transaction ends. Always taken after the job's row. */
export const lockAdmission = async (rows: Rows, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`admission:${wallet}`}))`.execute(rows)
  await sql`select pg_advisory_xact_lock(hashtext('admission:catalogue-budget'))`.execute(rows)
}
