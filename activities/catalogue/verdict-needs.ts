import { sql } from 'kysely'
import { type NeedChecks, needReason } from '../../domain/catalogue/readiness.ts'
import type { ReadinessReason } from '../../schemas/catalogue/readiness.ts'
import { type Rows, readRows } from '../database/database.ts'

/** Result of one check. */
export interface CheckedNeed {
  need: string
  /** Null when the verdict has what it needs. */
  reason: ReadinessReason | null
  /** Handler whose last verdict is stored beside the check. */
  verdictsOf?: string | undefined
}

/** Stores a check, of the present by the database's clock. */
export const storeCheck = async (rows: Rows, { need, reason, verdictsOf = '' }: CheckedNeed): Promise<void> => {
  const checkedAt = sql<number>`now()`
  const lastVerdictAt = sql<number | null>`(select max(decided_at) from verification where handler = ${verdictsOf})`
  const values = { reason, checkedAt, lastVerdictAt }
  await rows
    .insertInto('verdict_need')
    .values({ need, ...values })
    .onConflict((conflict) => conflict.column('need').doUpdateSet(values))
    .execute()
}

/** Last check of every need, by need. */
export const readNeedChecks = async (rows: Rows): Promise<NeedChecks> => {
  const found = await rows
    .selectFrom('verdict_need')
    .selectAll()
    .select(sql<string>`extract(epoch from now() - checked_at)`.as('age'))
    .execute()
  return new Map(found.map(({ need, age, ...check }) => [need, { ...check, ageSeconds: Number(age) }]))
}

/** Needs that are not met now. */
export const listUnmetNeeds = async (rows: Rows): Promise<string[]> =>
  [...(await readNeedChecks(rows))].flatMap(([need, check]) => (needReason(check) === null ? [] : [need]))

/** Needs of the open jobs. */
export const listNeeds = async (rows: Rows): Promise<string[]> => {
  const needs = sql<{ need: string }>`
    select distinct unnest(verdict_needs) as need from job where lifecycle_status = 'open' and delisted_at is null`
  return (await readRows(rows, needs)).map(({ need }) => need)
}

/** Deletes checks of servers that no open job needs any more. */
export const deleteUnusedChecks = async (rows: Rows, used: readonly string[]): Promise<void> => {
  await sql`delete from verdict_need where need like '%:%' and need not like 'handler:%' and not need = any(${used})`.execute(rows)
}
