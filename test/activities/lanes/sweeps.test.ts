import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { createSweepSteps } from '../../../activities/lanes/sweeps.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { addSessionOf, type SessionRow } from '../../api/support/work-rows.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { type Records, startRecords, walletAt } from '../support/service.ts'

const NOW = Date.UTC(2026, 2, 1)
const DAY = 86_400_000
const OPERATOR = `0x${'0'.repeat(39)}A`

let records: Records
beforeAll(async () => {
  records = await startRecords()
})
afterAll(() => records.stop())
beforeEach(async () => {
  await records.rows.updateTable('job').set({ lifecycleStatus: 'archived' }).execute()
})

let count = 0
const list = async (
  listedAt: number,
  changes: Partial<JobInputBody> = {},
  facts: { postingRoute?: 'external-direct' } = {},
): Promise<string> => {
  count += 1
  const built = builtJob(jobBody({ id: `swept-${count}`, ...changes }))
  await records.database.transaction((rows) => insertJob(rows, built, { now: listedAt, posterAddress: null, ...facts }))
  return built.definition.id
}
const stepsWith = (STALE_SWEEP_ENABLED: boolean, STALE_SWEEP_DRY_RUN: boolean) =>
  createSweepSteps({ ...records, clock: { now: () => NOW }, settings: { STALE_SWEEP_ENABLED, STALE_SWEEP_DRY_RUN }, operator: OPERATOR })
const statusOf = async (id: string) =>
  (await records.rows.selectFrom('job').select('lifecycleStatus').where('id', '=', id).executeTakeFirstOrThrow()).lifecycleStatus
const eventsOf = (topic: string) =>
  records.rows.selectFrom('event').select(['data', 'severity']).where('topic', '=', topic).orderBy('id', 'desc').execute()

describe('the sweep for stale listings', () => {
  test('is off by default, and without an order to archive only reports', async () => {
    expect([records.settings.STALE_SWEEP_ENABLED, records.settings.STALE_SWEEP_DRY_RUN]).toEqual([false, true])
    const id = await list(NOW - 14 * DAY)
    expect(await stepsWith(false, false).sweepStaleJobs()).toEqual({ status: 'off' })
    const report = { kind: 'stale', dryRun: true, found: 1, jobIds: [id], archived: 0 }
    expect([await stepsWith(true, true).sweepStaleJobs(), await statusOf(id)]).toEqual([report, 'open'])
    expect(await eventsOf('jobs.lifecycle.swept')).toMatchObject([{ data: { dryRun: true, archived: 0, jobIds: [id] } }])
  })

  const session = (changes: Partial<SessionRow>) => async (): Promise<string> => {
    const id = await list(NOW - 20 * DAY)
    await addSessionOf(records.database, walletAt(count), id, NOW - 19 * DAY, changes)
    return id
  }
  test.each<[string, () => Promise<string>, string]>([
    ['a listing whose time is over', () => list(NOW - 14 * DAY), 'archived'],
    ['a listing with a millisecond left', () => list(NOW - 14 * DAY + 1), 'open'],
    ['a recurring template', () => list(NOW - 90 * DAY, { recurring: true, schedule: { cron: '0 6 * * 1' } }), 'open'],
    ['a posted job', () => list(NOW - 90 * DAY, {}, { postingRoute: 'external-direct' }), 'open'],
    ['a claimed job', session({ status: 'claimed' }), 'open'],
    ['a submitted job', session({ status: 'submitted', chainState: 'submitted' }), 'open'],
    ['a job whose rejection can be disputed', session({ status: 'rejected', chainState: 'rejected', rejectedAt: NOW - DAY }), 'open'],
    ['a job whose claim expired', session({ status: 'expired', chainState: 'open', expiredAt: NOW - 18 * DAY }), 'archived'],
  ])('leaves %s as it ought to be', async (_what, prepare, status) => {
    const id = await prepare()
    await stepsWith(true, false).sweepStaleJobs()
    expect(await statusOf(id)).toBe(status)
  })

  test('archives the oldest 25 at a time, in the name of the operator', async () => {
    const ids: string[] = []
    for (let age = 30; age > 0; age -= 1) ids.push(await list(NOW - (20 + age) * DAY))
    expect(await stepsWith(true, false).sweepStaleJobs()).toMatchObject({ archived: 25, found: 26, jobIds: ids.slice(0, 25) })
    expect(await stepsWith(true, false).sweepStaleJobs()).toMatchObject({ archived: 5, jobIds: ids.slice(25) })
    const [changed] = await eventsOf('job.lifecycle_changed')
    expect(changed?.data).toMatchObject({ action: 'stale_sweep', by: OPERATOR.toLowerCase(), to: 'archived' })
  })
})

describe('the sweep of definitions', () => {
  const drift = (...ids: string[]) =>
    records.rows
      .updateTable('job')
      .set({ specHash: `0x${'d'.repeat(64)}` })
      .where('id', 'in', ids)
      .execute()
  const sweep = () => stepsWith(false, true).sweepDefinitions()

  test('pauses the jobs that drifted, once, and leaves the others', async () => {
    const ids = [await list(NOW), await list(NOW), await list(NOW), await list(NOW)]
    const [first = '', second = ''] = ids
    await drift(first, second)
    const report = {
      kind: 'integrity',
      total: 4,
      matching: 2,
      drifted: 2,
      guardTriggered: false,
      action: 'paused',
      driftedJobs: [first, second],
      errors: [],
    }
    expect(await sweep()).toEqual({ ...report, markedUnclaimable: 2 })
    expect(await Promise.all(ids.map(statusOf))).toEqual(['paused', 'paused', 'open', 'open'])
    expect(await sweep()).toEqual({ ...report, markedUnclaimable: 0 })
    expect((await eventsOf('jobs.spec_hash.swept'))[0]).toMatchObject({ severity: 'warn', data: { drifted: 2, action: 'paused' } })
  })

  test('stops itself when more than half of the catalogue drifted', async () => {
    const ids = [await list(NOW), await list(NOW), await list(NOW)]
    await drift(...ids.slice(0, 2))
    expect(await sweep()).toMatchObject({ drifted: 2, markedUnclaimable: 0, guardTriggered: true, action: 'stopped' })
    expect(await Promise.all(ids.map(statusOf))).toEqual(['open', 'open', 'open'])
    expect((await eventsOf('jobs.spec_hash.swept'))[0]).toMatchObject({ severity: 'error' })
  })

  test('names a definition that cannot be hashed, and goes through more jobs than are read at once', async () => {
    const id = await list(NOW)
    const template = await records.rows.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 450 }, (_, place) => ({
      ...template,
      id: `copy-${place}`,
      chainJobId: `0x${place.toString(16).padStart(64, '0')}` as const,
    }))
    await records.rows.insertInto('job').values(copies).execute()
    await records.rows
      .updateTable('job')
      .set({ definition: {} as never })
      .where('id', '=', 'copy-7')
      .execute()
    const before = await records.rows.selectFrom('job').selectAll().where('id', '=', 'copy-9').executeTakeFirstOrThrow()
    const report = await sweep()
    expect([report.total, report.matching + report.drifted + report.errors.length]).toEqual([451, 451])
    expect(report).toMatchObject({ drifted: 1, driftedJobs: ['copy-7'], action: 'paused' })
    expect(await records.rows.selectFrom('job').selectAll().where('id', '=', 'copy-9').executeTakeFirstOrThrow()).toEqual(before)
  })

  test('finds nothing in a catalogue as it was listed, and records no event', async () => {
    const before = (await eventsOf('jobs.spec_hash.swept')).length
    await list(NOW)
    expect(await sweep()).toMatchObject({ total: 1, matching: 1, drifted: 0, action: 'none' })
    expect(await eventsOf('jobs.spec_hash.swept')).toHaveLength(before)
  })
})
