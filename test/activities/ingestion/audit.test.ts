// Jobs of a source that contradict nothing, and the same with one row altered.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { checkSourceCaps } from '../../../activities/audit/caps.ts'
import { checkIngestedJobs } from '../../../activities/audit/catalogue/ingested-jobs.ts'
import type { Audit, Check } from '../../../activities/audit/context.ts'
import { findJob } from '../../../activities/catalogue/jobs.ts'
import { jobTrust } from '../../../domain/catalogue/job-definition.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import { useOwnDatabase } from '../support/own-database.ts'
import { type ListServer, listItem, listProvider, startListServer } from './support/list-source.ts'
import { ingestWorld } from './support/world.ts'

const place = useOwnDatabase()
let source: ListServer
const clock = { now: () => Date.UTC(2026, 2, 1, 12) }
const world = ingestWorld(place.database, clock, () => listProvider(() => source.url))
beforeAll(async () => {
  source = await startListServer()
  source.serve([listItem('a'), listItem('b')])
  await world.run({}, { settings: { INGEST_OPEN_CAP: '2' } })
})
afterAll(() => source.stop())

class Undone extends Error {}

/** Findings of a check after a statement that is undone. */
const findingsWith = async (check: Check, statement: string): Promise<AuditFinding[]> => {
  const found: AuditFinding[] = []
  const work = place.database().transaction(async (rows) => {
    await sql.raw(statement).execute(rows)
    await check({ rows } as Audit, (finding) => found.push(finding))
    throw new Undone()
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return found
}

test.each<[string, Check, string, Partial<AuditFinding>[]]>([
  ['nothing altered', checkIngestedJobs, 'select 1', []],
  ['nothing altered', checkSourceCaps, 'select 1', []],
  [
    'a candidate without its job',
    checkIngestedJobs,
    `update ingest_item set job_id = 'openapi-test-none' where item_key = 'a'`,
    [
      {
        subject: 'candidate a of openapi',
        expected: 'job openapi-test-none as the last of 1',
        found: 'job openapi-test-a as the last of 1',
      },
    ],
  ],
  [
    'a job without its candidate',
    checkIngestedJobs,
    `delete from ingest_item where item_key = 'a'`,
    [{ subject: 'job openapi-test-a', expected: 'a listed candidate of openapi', found: 'none' }],
  ],
  [
    'a candidate with a second job',
    checkIngestedJobs,
    `update job set ingested_key = 'a', created_at = created_at + interval '1 minute' where id = 'openapi-test-b'`,
    [
      { subject: 'candidate a of openapi', expected: 'job openapi-test-a as the last of 1', found: 'job openapi-test-b as the last of 2' },
      { subject: 'candidate b of openapi', expected: 'job openapi-test-b as the last of 1', found: 'none' },
    ],
  ],
  [
    'a job that does not know its source',
    checkIngestedJobs,
    `update job set ingested_from = null where id = 'openapi-test-b'`,
    [{ subject: 'candidate b of openapi', expected: 'job openapi-test-b as the last of 1', found: 'none' }],
  ],
  [
    'a source over its cap',
    checkSourceCaps,
    `update ingest_item set open_cap = 1, listed_at = listed_at + interval '1 minute' where item_key = 'b'`,
    [{ subject: 'job openapi-test-b, of openapi', expected: 'at most 1', found: '2' }],
  ],
])('the audit of jobs of a source, with %s, finds exactly that (%#)', async (_case, check, statement, expected) => {
  expect(await findingsWith(check, statement)).toEqual(expected.map((one) => expect.objectContaining(one)))
})

test('a job of a source is served as unreviewed, as long as the record names its source', async () => {
  const job = await findJob(place.rows(), 'openapi-test-a')
  if (job === null) throw new Error('no job')
  expect(jobTrust(job)).toMatchObject({ contentTrust: 'external-unreviewed', provenance: { postingRoute: 'curated' } })
  expect(jobTrust({ ...job, ingestedFrom: null }).contentTrust).toBe('operator-curated')
})
