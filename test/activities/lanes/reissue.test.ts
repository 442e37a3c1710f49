import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { isReissueDue, reissueId } from '../../../activities/lanes/reissue.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { addSessionOf, type SessionRow } from '../../api/support/work-rows.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { type Records, startRecords, walletAt } from '../support/service.ts'

const NOW = Date.UTC(2026, 2, 1)
const DAY = 86_400_000

let records: Records
beforeAll(async () => {
  records = await startRecords()
})
afterAll(() => records.stop())
beforeEach(async () => {
  await records.rows.updateTable('job').set({ lifecycleStatus: 'archived' }).execute()
})

let count = 0
const list = async (id: string, changes: Partial<JobInputBody> = {}): Promise<string> => {
  const built = builtJob(jobBody({ id, title: `Retry policy ${id}`, description: `Design the policy ${id}.`, ...changes }))
  await records.database.transaction((rows) => insertJob(rows, built, { now: NOW, posterAddress: null }))
  return id
}
const newId = (): string => {
  count += 1
  return `reissued-${count}`
}
const ended = (changes: Partial<SessionRow>) => async (id: string) => {
  await list(id, { retryLimit: 2 })
  await addSessionOf(records.database, walletAt(count), id, NOW - DAY, changes)
}
const due = (id: string, minimum = 1) =>
  isReissueDue(records.rows, { ...records, settings: { ...records.settings, STARTER_JOBS_MINIMUM: minimum } }, id, NOW + DAY)

describe('a reissue', () => {
  test('has the first number that neither job, session, claim nor parked item had', async () => {
    const id = newId()
    expect(await reissueId(records.rows, id)).toBe(id)
    await list(id)
    expect([await reissueId(records.rows, id), await reissueId(records.rows, `${id}-r7`)]).toEqual([`${id}-r2`, `${id}-r2`])
    await list(`${id}-r2`)
    await list(`${id}-r2x`)
    await list(`${id}_r9`)
    expect(await reissueId(records.rows, id)).toBe(`${id}-r3`)
    await records.rows.deleteFrom('job').where('id', '=', `${id}-r2`).execute()
    expect(await reissueId(records.rows, id, [`${id}-r2`, `${id}-r4`, 'other-r8'])).toBe(`${id}-r5`)
    const parked = { provider: 'wikipedia', itemKey: id, outcome: 'parked', jobId: `${id}-r6`, version: 1 } as const
    await records.rows
      .insertInto('ingest_item')
      .values({ ...parked, rules: [], firstSeenAt: NOW, seenAt: NOW })
      .execute()
    expect(await reissueId(records.rows, id)).toBe(`${id}-r7`)
  })

  test.each<[string, (id: string) => Promise<unknown>, boolean]>([
    ['that was never listed', async () => undefined, false],
    ['that can be claimed', (id) => list(id), false],
    [
      'that is archived',
      async (id) =>
        records.rows
          .updateTable('job')
          .set({ lifecycleStatus: 'archived' })
          .where('id', '=', await list(id))
          .execute(),
      true,
    ],
    [
      'that is stale',
      async (id) =>
        records.rows
          .updateTable('job')
          .set({ staleAt: NOW })
          .where('id', '=', await list(id))
          .execute(),
      true,
    ],
    ['whose claim expired', ended({ status: 'expired', chainState: 'open', expiredAt: NOW }), false],
    ['that is claimed', ended({ status: 'claimed' }), false],
    ['that was closed', ended({ status: 'closed', chainState: 'closed', closedAt: NOW }), true],
    ['whose rejection can be disputed', ended({ status: 'rejected', chainState: 'rejected', rejectedAt: NOW }), false],
    [
      'whose reissue can be claimed',
      async (id) => {
        await ended({ status: 'closed', chainState: 'closed', closedAt: NOW })(id)
        await list(`${id}-r2`)
      },
      false,
    ],
    [
      'with a secret answer',
      async (id) => {
        await list(id, { verifierMode: 'deterministic', verifierTerms: [`value ${id}`] })
        await records.rows.updateTable('job').set({ lifecycleStatus: 'archived' }).where('id', '=', id).execute()
      },
      false,
    ],
  ])('of a job %s is due: %s', async (_what, prepare, is) => {
    const id = newId()
    await prepare(id)
    expect(await due(id)).toBe(is)
  })

  test('is due only below the minimum of starter jobs that a new wallet can claim', async () => {
    const id = newId()
    await list(id)
    await records.rows.updateTable('job').set({ lifecycleStatus: 'archived' }).execute()
    await list(newId(), { onboardingWaiverEligible: true })
    await list(newId())
    expect([await due(id, 0), await due(id, 1), await due(id, 2)]).toEqual([false, false, true])
  })
})
