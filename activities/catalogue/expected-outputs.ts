import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { BuiltJob, DeriveSalt } from '../../domain/catalogue/job-definition.ts'
import type { ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Rows } from '../database/database.ts'

/** Salts by HMAC-SHA-256 with the secret of the service. */
export const createSaltDerivation =
  (secret: string): DeriveSalt =>
  (text) =>
    `0x${createHmac('sha256', secret).update(text).digest('hex')}`

/** What opens the commitments of a job; empty for a job without any. Only for verifier steps, admins, and a job that cannot be claimed again. */
export const readExpectedOutputs = async (rows: Rows, jobId: string): Promise<ExpectedOutput[]> => {
  const found = await rows.selectFrom('job_answer').select('expectedOutputs').where('jobId', '=', jobId).executeTakeFirst()
  return found?.expectedOutputs ?? []
}

/**
 * Throws for a job whose answer follows from another one of its task, as its values become public: one of them where any is the answer, all of
 * them where the answer holds each. Jobs with expected outputs are listed one after the other.
 */
const refuseRepeatedValues = async (rows: Rows, definition: BuiltJob['definition'], hashes: string[]): Promise<void> => {
  const { title, description, verifierConfig } = definition
  const needsAll = verifierConfig.handler === 'deterministic' && verifierConfig.matchMode === 'contains_all'
  await sql`select pg_advisory_xact_lock(hashtext('expected-outputs'))`.execute(rows)
  const other = await rows
    .selectFrom('job_answer')
    .innerJoin('job', 'job.id', 'job_answer.jobId')
    .select('job.id')
    .where(needsAll ? sql<boolean>`value_hashes @> ${hashes}::text[]` : sql<boolean>`value_hashes && ${hashes}::text[]`)
    .where(sql<boolean>`(definition->>'title' = ${title} or definition->>'description' = ${description})`)
    .executeTakeFirst()
  if (other === undefined) return
  // A caller who guesses values must not learn which job has them.
  const message = 'Another job has this task and its expected outputs give the answer once they are public. Give a task with other ones.'
  const errors = [{ pointer: '/verifierConfig/expectedOutputs', rule: 'values_of_another_job', message }]
  throw new ServiceError('invalid_request', { detail: message, errors })
}

/** Stores what opens the commitments of a new job. Throws `invalid_request` where another job of the same task gives the answer. */
export const storeExpectedOutputs = async (rows: Rows, { definition, expectedOutputs, valueHashes }: BuiltJob): Promise<void> => {
  if (expectedOutputs.length === 0) return
  await refuseRepeatedValues(rows, definition, valueHashes)
  const row = { jobId: definition.id, expectedOutputs, valueHashes }
  await rows.insertInto('job_answer').values(row).execute()
}
