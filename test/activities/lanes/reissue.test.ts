// A candidate whose job has ended is listed again while starter jobs are missing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { checkSourceCaps } from '../../../activities/audit/caps.ts'
import { checkIngestedJobs } from '../../../activities/audit/catalogue/ingested-jobs.ts'
import type { Audit } from '../../../activities/audit/context.ts'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import { fillBank } from '../../api/support/listed-job.ts'
import { addSessionOf, approvedAt, type SessionRow } from '../../api/support/work-rows.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { type ListItem, type ListServer, listItem, listProvider, startListServer } from '../ingestion/support/list-source.ts'
import { aRun, ingestWorld, type WorldOptions } from '../ingestion/support/world.ts'
import { useOwnDatabase } from '../support/own-database.ts'
import { walletAt } from '../support/service.ts'

const DAY = 86_400_000
const STALE = 15 * DAY

const place = useOwnDatabase()
let time = Date.UTC(2026, 2, 1, 12)
let source: ListServer
let isReissued: true | undefined = true
const world = ingestWorld(place.database, { now: () => time }, () => {
  const provider = listProvider(() => source.url)
  return { ...provider, rules: { ...provider.rules, ...(isReissued && { isReissued }) } }
})
beforeAll(async () => {
  source = await startListServer()
})
afterAll(() => source.stop())
beforeEach(async () => {
  await sql`truncate ingest_run, ingest_result, ingest_item, ingest_cursor, ingest_source, job_answer, job cascade`.execute(place.rows())
  await fillBank(place.database())
  time += 30 * DAY
  isReissued = true
})

const starter = (key: string, changes: Partial<ListItem> = {}): ListItem =>
  listItem(key, { ...changes, job: { tier: 'starter', onboardingWaiverEligible: true, retryLimit: 2, ...changes.job } })
const wanted = (minimum: number): WorldOptions => ({ settings: { STARTER_JOBS_MINIMUM: String(minimum) } })
const run = async (minimum = 5, dryRun = false) => (await world.run({ dryRun }, wanted(minimum))).answer

let wallets = 0
const session =
  (changes: Partial<SessionRow>) =>
  async (jobId: string): Promise<void> => {
    wallets += 1
    await addSessionOf(place.database(), walletAt(wallets), jobId, time, changes)
  }
const setJob =
  (change: string) =>
  async (jobId: string): Promise<void> => {
    await sql`update job set ${sql.raw(change)}, updated_at = ${new Date(time)} where id = ${jobId}`.execute(place.rows())
  }
const close = session({ status: 'closed', chainState: 'closed', closedAt: time })
/** Lists the job of each candidate and ends it. */
const listEnded = async (...items: ListItem[]): Promise<void> => {
  source.serve(items)
  const { created } = await run()
  for (const id of created) await close(id)
  time += DAY
}
const item = () => place.rows().selectFrom('ingest_item').selectAll().executeTakeFirstOrThrow()
const jobIds = async () => (await place.rows().selectFrom('job').select('id').orderBy('id').execute()).map(({ id }) => id)
const findings = async (): Promise<AuditFinding[]> => {
  const found: AuditFinding[] = []
  for (const check of [checkIngestedJobs, checkSourceCaps]) await check({ rows: place.rows() } as Audit, (one) => found.push(one))
  return found
}

describe('a listed candidate', () => {
  const later = async () => {
    time += STALE
  }
  test.each<[string, boolean, ((jobId: string) => Promise<unknown>)[]]>([
    ['was paid', true, [session(approvedAt(time))]],
    ['was closed', true, [close]],
    [
      'was rejected for good',
      true,
      [session({ status: 'rejected', chainState: 'rejected', rejectedAt: time, rejectionFinalizedAt: time })],
    ],
    ['lies stale', true, [later]],
    ['the stale sweep has archived', true, [later, setJob("lifecycle_status = 'archived'")]],
    ['was closed and then archived', true, [close, setJob("lifecycle_status = 'archived'")]],
    ['can be claimed', false, []],
    ['lost its claim unsubmitted', false, [session({ status: 'expired', chainState: 'open', expiredAt: time })]],
    ['is claimed', false, [session({ status: 'claimed' })]],
    ['is submitted, and stale', false, [session({ status: 'submitted', chainState: 'submitted', submittedAt: time }), later]],
    ['was rejected and can be disputed', false, [session({ status: 'rejected', chainState: 'rejected', rejectedAt: time })]],
    ['an operator has paused', false, [setJob("lifecycle_status = 'paused'"), later]],
    ['an operator has archived', false, [setJob("lifecycle_status = 'archived'"), later]],
  ])('whose job %s is listed again: %s', async (_what, is, steps) => {
    source.serve([starter('x')])
    await run()
    for (const step of steps) await step('openapi-test-x')
    time += DAY
    const { created, skipped } = await run()
    expect(created).toEqual(is ? ['openapi-test-x-r2'] : [])
    expect(skipped.map(({ reason }) => reason)).toEqual(is ? [] : ['already_exists'])
    expect(await findings()).toEqual([])
  })

  test('gets an id that no job ever had, and names the last of its jobs', async () => {
    await listEnded(starter('x'))
    const ofOperator = builtJob(jobBody({ id: 'openapi-test-x-r2' }))
    await insertJob(place.rows(), ofOperator, { now: time, posterAddress: null })
    expect((await run()).created).toEqual(['openapi-test-x-r3'])
    expect(await item()).toMatchObject({ jobId: 'openapi-test-x-r3', reissues: 1, listedAt: time, openCap: 900 })
    expect((await run()).created).toEqual([])
    await close('openapi-test-x-r3')
    time += DAY
    expect((await run()).created).toEqual(['openapi-test-x-r4'])
    expect(await item()).toMatchObject({ jobId: 'openapi-test-x-r4', reissues: 2 })
    expect(await findings()).toEqual([])
  })

  test('is listed again as its source shows it now', async () => {
    await listEnded(starter('x'))
    source.serve([starter('x', { text: 'Another text.' })])
    expect(await run()).toMatchObject({ created: ['openapi-test-x-r2'], errors: [] })
    const { definition } = await place
      .rows()
      .selectFrom('job')
      .select('definition')
      .where('id', '=', 'openapi-test-x-r2')
      .executeTakeFirstOrThrow()
    expect(definition.description).toContain('Another text.')
    expect(await run()).toMatchObject({ created: [], skipped: [{ reason: 'already_exists' }], errors: [] })
    expect(await item()).toMatchObject({ version: 1, latestHash: null })
  })

  test.each<[string, number, () => void | Promise<void>, ListItem['job']]>([
    ['the operator wants no starter jobs', 0, () => undefined, {}],
    ['the balance of the bank is not known', 5, async () => void (await sql`truncate reward_bank_reading`.execute(place.rows())), {}],
    [
      'its source gives work for one worker only',
      5,
      () => {
        isReissued = undefined
      },
      {},
    ],
    ['its job is none for new wallets', 5, () => undefined, { onboardingWaiverEligible: false }],
    ['its answer has become public', 5, () => undefined, { verifierMode: 'deterministic', verifierTerms: ['a value'] }],
  ])('is not listed again where %s', async (_why, minimum, prepare, job) => {
    await listEnded(starter('x', { job: job ?? {} }))
    expect(await jobIds()).toEqual(['openapi-test-x'])
    await prepare()
    expect(await run(minimum)).toMatchObject({ created: [], skipped: [{ reason: 'already_exists' }], errors: [] })
  })
})

describe('reissues', () => {
  test.each([
    [1, ['a-r2']],
    [2, ['a-r2', 'b-r2']],
    [9, ['a-r2', 'b-r2', 'c-r2']],
  ])('of a run with a minimum of %i starter jobs are %j, and a dry run proposes them', async (minimum, keys) => {
    await listEnded(starter('a'), starter('b'), starter('c'))
    const ids = keys.map((key) => `openapi-test-${key}`)
    expect((await run(minimum, true)).jobs.map(({ id }) => id)).toEqual(ids)
    expect((await run(minimum)).created).toEqual(ids)
    expect((await run(minimum)).created).toEqual([])
  })

  test('count in the lane and in the cap of their source', async () => {
    await listEnded(starter('a'), starter('b'))
    const narrow = { ...wanted(5), lanes: { 'benchmark-showcase': { dailyRaw: '100000000', backlog: 1 } } }
    expect((await world.run({}, narrow)).answer).toMatchObject({
      created: ['openapi-test-a-r2'],
      skipped: [{ id: 'openapi-test-b', reason: 'lane_backlog_saturated' }],
    })
    const capped = { settings: { STARTER_JOBS_MINIMUM: '5', INGEST_OPEN_CAP: '1' } }
    expect((await world.run({}, capped)).answer).toMatchObject({ created: [], stopped: { reason: 'source_open_cap' } })
    expect(await item()).toMatchObject({ outcome: 'created' })
    expect(await findings()).toEqual([])
  })

  test('happen once where a page is decided twice at the same time', async () => {
    await listEnded(starter('x'))
    const steps = world.stepsWith(wanted(5))
    const { runId, progress } = await world.begin(aRun(), steps)
    await Promise.all(Array.from({ length: 4 }, () => steps.ingestPage({ runId, page: 0 })))
    await world.finish(runId, { ...progress, isOver: true }, steps)
    expect(await jobIds()).toEqual(['openapi-test-x', 'openapi-test-x-r2'])
    expect(await item()).toMatchObject({ reissues: 1 })
  })

  test('happen once where a second run takes the source over from a first', async () => {
    await listEnded(starter('x'))
    const steps = world.stepsWith(wanted(5))
    const [first, second] = [await world.begin(aRun(), steps), await world.begin(aRun({ limit: 20 }), steps)]
    source.before(async () => {
      source.before(async () => undefined)
      await sql`update ingest_source set held_until = now() - interval '1 second'`.execute(place.rows())
      await steps.ingestPage({ runId: second.runId, page: 0 })
    })
    await expect(steps.ingestPage({ runId: first.runId, page: 0 })).rejects.toThrow('another run reads openapi')
    await steps.endIngestion({ runId: second.runId, stopped: null })
    await world.finish(first.runId, first.progress, steps)
    await steps.endIngestion({ runId: first.runId, stopped: null })
    expect(await jobIds()).toEqual(['openapi-test-x', 'openapi-test-x-r2'])
    expect((await world.answerOf(first.runId)).created).toEqual([])
  })
})
