import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCataloguePages } from '../../../api/catalogue/pages.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { listJobs } from '../../../schemas/catalogue/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { BASE_URL, NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSessionOf } from '../support/work-rows.ts'

const WORKER = `0x${'b2'.repeat(20)}`
const CLAIM_LAPSED = NOW + 3_602_000

const database = useDatabase()
beforeAll(async () => {
  await fillBank(database)
  const { jobId, jobSnapshot } = await listJob(database, 'claimed-for-an-hour')
  await addSessionOf(database, WORKER, jobId, NOW, { jobSnapshot })
})

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
  const evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads, identities: evmIdentities })
  const { list } = createCataloguePages({ database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings } as ApiDeps)
  return async (query: Record<string, string>) => {
    let built = 0
    const countBuild = async () => {
      built += 1
    }
    const { body, etag, serialised } = await list(listJobs.query.parse(query), countBuild)
    return {
      jobs: body.jobs,
      serialised,
      built,
      ids: body.jobs.map(({ id }) => id),
      nextCursor: body.nextCursor,
      filters: body.filters,
      claimable: body.inventory.claimableJobs,
      asOf: body.inventory.asOf,
      etag,
    }
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

describe('a page for a wallet without records', () => {
  const stranger = (digit: string) => ({ wallet: `0x${digit.repeat(40)}` })

  test('is kept for all of them, and is what each would get by itself', async () => {
    const list = pages()
    const first = await list(stranger('1'))
    expect(first).toMatchObject({ built: 1, jobs: [{ currentWalletCanClaim: false }] })
    const others = await Promise.all(['2', '3', '4'].map((digit) => list(stranger(digit))))
    for (const other of others) expect([other.built, other.serialised === first.serialised]).toEqual([0, true])
    // When its needs were checked follows from their age, which a busy machine adds to.
    const unaged = ({ verification, ...job }: Record<string, unknown>) => ({
      ...job,
      verification: { ...(verification as object), readiness: null },
    })
    expect((await pages()(stranger('5'))).jobs.map(unaged)).toEqual(first.jobs.map(unaged))
  })

  test('is kept for a second only, because budgets change with time', async () => {
    const list = pages()
    await list(stranger('1'))
    moveTo(NOW + 999)
    expect((await list(stranger('2'))).built).toBe(0)
    moveTo(NOW + 1_000)
    expect((await list(stranger('3'))).built).toBe(1)
  })

  test('is no page for a wallet with a session', async () => {
    const list = pages()
    const other = await list(stranger('1'))
    const own = await list({ wallet: WORKER })
    expect([own.built, own.jobs[0]?.reason]).toEqual([1, 'already_claimed_by_current_wallet'])
    expect(other.jobs[0]?.reason).toBe('claimed_by_other_wallet')
  })
})

describe('a filter', () => {
  beforeAll(async () => {
    // Bonds of 0.15 and 0.25 USDC; the waiver changes neither.
    await listJob(database, 'small', { rewardAmount: 1, category: 'governance' })
    await listJob(database, 'large', { rewardAmount: 2, category: 'governance' })
    await listJob(database, 'waived', { rewardAmount: 2, category: 'governance', onboardingWaiverEligible: true })
    await listJob(database, 'pro', { rewardAmount: 1, category: 'governance', tier: 'pro' })
    const { jobId, jobSnapshot } = await listJob(database, 'taken', { rewardAmount: 1, category: 'governance' })
    await addSessionOf(database, WORKER, jobId, NOW, { jobSnapshot })
  })
  const found = async (query: Record<string, string>) => (await pages()({ category: 'governance', ...query })).ids.sort()

  test.each([
    [{}, ['large', 'pro', 'small', 'taken', 'waived']],
    [{ waiverEligible: 'true' }, ['waived']],
    [{ waiverEligible: 'false' }, ['large', 'pro', 'small', 'taken']],
    [{ claimable: 'true' }, ['large', 'pro', 'small', 'waived']],
    [{ claimable: 'false' }, ['taken']],
    [{ claimable: 'true', wallet: `0x${'7'.repeat(40)}` }, ['large', 'small', 'waived']],
    [{ maxBond: '150000' }, ['pro', 'small', 'taken']],
    [{ maxBond: '149999' }, []],
    [{ maxBond: '250000', claimable: 'true', tier: 'starter' }, ['large', 'small', 'waived']],
    [{ maxBond: '250000', waiverEligible: 'true', format: 'compact' }, ['waived']],
  ])('by %j leaves %j', async (query, ids) => expect(await found(query)).toEqual(ids))

  test('for what can be claimed leaves the rows that say so', async () => {
    const wallet = `0x${'7'.repeat(40)}`
    for (const claimable of ['true', 'false'])
      for (const row of (await pages()({ category: 'governance', format: 'compact', wallet, claimable })).jobs)
        expect([row.id, row.claimable]).toEqual([row.id, claimable === 'true'])
  })

  test('is part of a cursor, and stands in the answer', async () => {
    const list = pages()
    const first = await list({ category: 'governance', maxBond: '250000', limit: '2' })
    const next = await list({ category: 'governance', maxBond: '250000', limit: '2', cursor: first.nextCursor ?? '' })
    expect([first.ids.length, next.ids.length, new Set([...first.ids, ...next.ids]).size]).toEqual([2, 2, 4])
    await expect(list({ category: 'governance', maxBond: '150000', cursor: first.nextCursor ?? '' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect((await list({ maxBond: '150000', claimable: 'true', waiverEligible: 'false' })).filters).toEqual({
      maxBond: '150000',
      claimable: true,
      waiverEligible: false,
    })
  })

  test.each(['-1', '0.15', '01', 'x'])('for a bond of %s is refused', (maxBond) => {
    expect(listJobs.query.safeParse({ maxBond }).success).toBe(false)
  })
})
