import { sql } from 'kysely'
import { AUDIT_CHECK_NAMES } from '../../schemas/audit/checks.ts'
import type { AuditOutcome, AuditReport } from '../../schemas/audit/record.ts'
import type { Rows } from '../database/database.ts'

/** Stores the results of an audit, of the present by the database's clock. */
export const storeReport = async (rows: Rows, { results }: AuditReport): Promise<void> => {
  const checkedAt = sql<number>`now()`
  for (const { check: name, outcome, findings } of results) {
    const passed = outcome === 'passed' ? { passedAt: checkedAt } : {}
    const values = { outcome, findings, checkedAt, ...passed }
    await rows
      .insertInto('audit_check')
      .values({ name, passedAt: null, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute()
  }
}

/** Checks whose last result is not a pass. */
export const listFailing = async (rows: Rows): Promise<{ name: string; outcome: AuditOutcome; findings: number }[]> =>
  rows
    .selectFrom('audit_check')
    .select(['name', 'outcome', 'findings'])
    .where('outcome', '<>', 'passed')
    .where('name', 'in', AUDIT_CHECK_NAMES)
    .orderBy('name')
    .execute()
