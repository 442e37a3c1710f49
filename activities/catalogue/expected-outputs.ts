import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type Answered, givesAnswersAway } from '../../domain/catalogue/given-answers.ts'
import type { BuiltJob, DeriveSalt } from '../../domain/catalogue/job-definition.ts'
import type { ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Rows, readRows } from '../database/database.ts'

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

/** Letters and digits of a text; null without any. Two texts that differ in signs, spaces or capitals alone give the same task. */
const lettersOf = (text: RawBuilder<string>): RawBuilder<string> =>
  sql<string>`nullif(regexp_replace(lower(normalize(${text}, NFKC)), '[^[:alnum:]]+', '', 'g'), '')`

/** Jobs with expected outputs that have the title or the description of the given one. */
const findSameTask = (rows: Rows, { title, description }: BuiltJob['definition']): Promise<Answered[]> =>
  readRows(
    rows,
    sql<Answered>`
      select definition->'verifierConfig'->>'matchMode' as "matchMode", expected_outputs as "expectedOutputs"
      from job_answer join job on job.id = job_answer.job_id
      where ${lettersOf(sql`definition->>'title'`)} = ${lettersOf(sql`${title}::text`)}
        or ${lettersOf(sql`definition->>'description'`)} = ${lettersOf(sql`${description}::text`)}`,
  )

/**
 * Throws for a job whose answer follows from the values of others of its task, or with which the answer of another one follows: values become
 * public when their job can no longer be claimed. Jobs with expected outputs are listed one after the other.
 */
export const refuseRepeatedValues = async (rows: Rows, { definition, expectedOutputs }: BuiltJob): Promise<void> => {
  const { verifierConfig } = definition
  if (verifierConfig.handler !== 'deterministic' || expectedOutputs.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtext('expected-outputs'))`.execute(rows)
  const others = await findSameTask(rows, definition)
  if (!givesAnswersAway({ matchMode: verifierConfig.matchMode, expectedOutputs }, others)) return
  const message =
    'Another job has this task, and the values of one give the answer of the other once they are public. Give a task with other ones.'
  const errors = [{ pointer: '/verifierConfig/expectedOutputs', rule: 'values_of_another_job', message }]
  throw new ServiceError('invalid_request', { detail: message, errors })
}

/** Stores what opens the commitments of a new job. */
export const storeExpectedOutputs = async (rows: Rows, { definition, expectedOutputs }: BuiltJob): Promise<void> => {
  if (expectedOutputs.length === 0) return
  const row = { jobId: definition.id, expectedOutputs }
  await rows.insertInto('job_answer').values(row).execute()
}
