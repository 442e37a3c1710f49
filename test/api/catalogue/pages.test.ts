import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Database } from '../../../activities/database/database.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCataloguePages } from '../../../api/catalogue/pages.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { listJobs } from '../../../schemas/catalogue/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { BASE_URL, NOW, openOwnDatabase } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { addSessionOf } from '../support/work-rows.ts'

const WORKER = `0x${'b2'.repeat(20)}`
const CLAIM_LAPSED = NOW + 3_602_000

let database: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openOwnDatabase())
  await fillBank(database)
  const { jobId, jobSnapshot } = await listJob(database, 'claimed-for-an-hour')
  await addSessionOf(database, WORKER, jobId, NOW, { jobSnapshot })
})
afterAll(() => close())

let at = NOW
let elapsedMs = 0
beforeEach(() => {
  at = NOW
  elapsedMs = 0
  const started = performance.now()
  jest.spyOn(performance, 'now').mockImplementation(() => started + elapsedMs)
})
afterEach(() => {
  jest.restoreAllMocks()
})

/** Service time and the wall clock advance together without a write. */
const moveTo = (instant: number): void => {
  elapsedMs += instant - at
  at = instant
}

const pages = () => {
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', REWARD_BANK_MAX_AGE_SECONDS: '600' })
  const clock = { now: () => at }
  const reads = {} as ApiDeps['reads']
  const evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads })
  const { list } = createCataloguePages({ database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings } as ApiDeps)
  return async (query: Record<string, string>) => {
    const { body, etag } = await list(listJobs.query.parse(query))
    return { ids: body.jobs.map(({ id }) => id), claimable: body.inventory.claimableJobs, asOf: body.inventory.asOf, etag }
  }
}

describe('a cached page', () => {
  test('shows a job whose claim lapses, though the page left that job out before', async () => {
    const list = pages()
    expect((await list({ state: 'claimable' })).ids).toEqual([])
    moveTo(CLAIM_LAPSED)
    expect((await list({ state: 'claimable' })).ids).toEqual(['claimed-for-an-hour'])
  })

  test('counts the catalogue again after a while, also without a write', async () => {
    const list = pages()
    expect((await list({})).claimable).toBe(0)
    moveTo(CLAIM_LAPSED)
    expect(await list({})).toMatchObject({ claimable: 1, asOf: new Date(CLAIM_LAPSED).toISOString() })
  })

  test('changes its ETag with its counts, not with their instant', async () => {
    const list = pages()
    const first = await list({ category: 'docs' })
    moveTo(NOW + 60_000)
    const later = await list({ category: 'docs' })
    expect([later.etag, later.asOf]).toEqual([first.etag, new Date(NOW + 60_000).toISOString()])
    moveTo(CLAIM_LAPSED)
    const lapsed = await list({ category: 'docs' })
    expect([lapsed.claimable, lapsed.etag === first.etag]).toEqual([1, false])
  })
})
