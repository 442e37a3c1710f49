// What verdicts need, as workers and APIs would have checked it.
import { sql } from 'kysely'
import type { Rows } from '../../../activities/database/database.ts'
import { FIXED_NEEDS, handlerNeed } from '../../../domain/catalogue/readiness.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import type { ReadinessReason } from '../../../schemas/catalogue/readiness.ts'

/** Stores a check of a given age; a negative one stays fresh for as long. */
export const storeCheckAged = async (rows: Rows, need: string, reason: ReadinessReason | null, ageSeconds: number): Promise<void> => {
  const values = { reason, checkedAt: sql<number>`now() - make_interval(secs => ${ageSeconds})` }
  await rows
    .insertInto('verdict_need')
    .values({ need, lastVerdictAt: null, ...values })
    .onConflict((conflict) => conflict.column('need').doUpdateSet(values))
    .execute()
}

/** Everything that a verdict without sources needs is there, for a day. */
export const meetVerdictNeeds = async (rows: Rows): Promise<void> => {
  for (const need of [...FIXED_NEEDS, ...VERIFIER_MODES.map(handlerNeed)]) await storeCheckAged(rows, need, null, -86_400)
}
