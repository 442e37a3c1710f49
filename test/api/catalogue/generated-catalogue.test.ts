// Lists, filters, cursors and counts over a generated catalogue of some thousand jobs, against a plain model of the rules in memory.

import { beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { countLifecycle } from '../../../activities/catalogue/lists.ts'
import { storeReading } from '../../../activities/catalogue/reward-bank.ts'
import type { Database } from '../../../activities/database/database.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCataloguePages } from '../../../api/catalogue/pages.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { listJobs } from '../../../schemas/catalogue/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { fillCatalogue } from '../../bench/catalogue/bulk.ts'
import { addHistory } from '../../bench/history.ts'
import { testChain } from '../../support/api.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { useStarted } from '../../support/started.ts'
import { BASE_URL, NOW, openOwnDatabase } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'

const JOBS = 3_000
/** Covers a job of one USDC where no poster fee is due; the floor of the fee is too much for it. */
const BANK = { liquidRaw: 1_080_000n, posterFeeBps: 500, posterFeeFloorRaw: 90_000n }

const own = useStarted(openOwnDatabase, ({ close }) => close())
let database: Database
let url: string

const readJobs = () => database.rows.selectFrom('job').selectAll().execute()
const readSessions = () => database.rows.selectFrom('session').selectAll().execute()
let jobs: Awaited<ReturnType<typeof readJobs>>
let sessions: Awaited<ReturnType<typeof readSessions>>

beforeAll(async () => {
  ;({ database, url } = own)
  await fillCatalogue(url, { jobs: JOBS, now: NOW })
  await addHistory(url, { sessions: 2_000, wallets: 40, openIntents: 5, now: NOW })
  // Some expired claims had handed something in, which uses an attempt up; some claims have lapsed unseen; one job was delisted.
  await sql`update session set submitted_at = claimed_at where status = 'expired' and hashtext(session_id) % 3 = 0`.execute(database.rows)
  await sql`update session set claim_expires_at = ${new Date(NOW - 60_000)} where status = 'claimed' and hashtext(session_id) % 2 = 0`.execute(
    database.rows,
  )
  await sql`update job set delisted_at = ${new Date(NOW)} where id in (select id from job where lifecycle_status = 'open' order by id limit 7)`.execute(
    database.rows,
  )
  await sql`update job set stale_at = null where id in (select id from job where stale_at < ${new Date(NOW)} order by id limit 9)`.execute(
    database.rows,
  )
  await fillBank(database)
  jobs = await readJobs()
  sessions = await readSessions()
})

type Job = (typeof jobs)[number]

const isFresh = (job: Job): boolean => job.staleAt === null || job.staleAt > NOW
const isListed = (job: Job): boolean => job.lifecycleStatus === 'open' && job.delistedAt === null && isFresh(job)
const newestFirst = (left: Job, right: Job): number => right.listedAt - left.listedAt || (left.id < right.id ? -1 : 1)

const isFree = (job: Job): boolean => {
  const own = sessions.filter(({ jobId }) => jobId === job.id)
  const lapsed = ({ status, submission, claimExpiresAt }: (typeof own)[number]): boolean =>
    status === 'claimed' && submission === null && Math.floor(claimExpiresAt / 1000) < Math.floor(NOW / 1000)
  const attempts = own.filter(({ submittedAt, countsAsAttempt }) => submittedAt !== null && countsAsAttempt).length
  const limit = Number(job.definition.retryLimit)
  return own.every((session) => session.status === 'expired' || lapsed(session)) && (limit === 0 || attempts < limit)
}

const pages = () => {
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', REWARD_BANK_MAX_AGE_SECONDS: '600' })
  const clock = { now: () => NOW }
  const reads = {} as ApiDeps['reads']
  const evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads, identities: evmIdentities })
  const { list } = createCataloguePages({ database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings } as ApiDeps)
  return (query: Record<string, string>) => list(listJobs.query.parse(query), async () => undefined)
}

/** Ids of the whole list, page by page; pages that are not full go on as well. */
const walk = async (query: Record<string, string>): Promise<string[]> => {
  const list = pages()
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await list({ limit: '100', ...query, ...(cursor === null ? {} : { cursor }) })
    ids.push(...body.jobs.map(({ id }) => id))
    cursor = body.nextCursor
  } while (cursor !== null)
  return ids
}

const modelled = (matches: (job: Job) => boolean): string[] =>
  jobs
    .filter((job) => isListed(job) && matches(job))
    .sort(newestFirst)
    .map(({ id }) => id)

describe('a generated catalogue', () => {
  test('is unchanged when it is filled again, and gets missing jobs', async () => {
    expect(await fillCatalogue(url, { jobs: JOBS, now: NOW + 1 })).toBe(0)
    expect(jobs).toHaveLength(JOBS)
    for (const { id, definition, specHash, chainJobId: onChain } of jobs.slice(0, 50))
      expect([specHash, onChain]).toEqual([keccakOf(definition), chainJobId(id)])
  })

  test('holds every tier, category, mode and lifecycle status, and several sources', () => {
    const spread = (of: (job: Job) => string) => new Set(jobs.map(of)).size
    expect([spread(({ tier }) => tier), spread(({ category }) => category), spread(({ verifierMode }) => verifierMode)]).toEqual([3, 7, 4])
    expect(spread(({ sourceGroup }) => sourceGroup)).toBeGreaterThan(8)
    expect(spread(({ lifecycleStatus }) => lifecycleStatus)).toBe(3)
    expect(jobs.filter((job) => !isFresh(job)).length).toBeGreaterThan(30)
  })
})

describe('the list', () => {
  test.each<[string, Record<string, string>, (job: Job) => boolean]>([
    ['without a filter', {}, () => true],
    ['of a category', { category: 'Coding' }, ({ category }) => category === 'coding'],
    ['of a tier', { tier: 'elite' }, ({ tier }) => tier === 'elite'],
    ['of a mode', { verifierMode: 'deterministic' }, ({ verifierMode }) => verifierMode === 'deterministic'],
    ['of a source', { source: 'wiki' }, ({ sourceGroup }) => sourceGroup === 'wikipedia'],
    [
      'of a category, a tier and a mode',
      { category: 'docs', tier: 'starter', verifierMode: 'benchmark' },
      ({ category, tier, verifierMode }) => category === 'docs' && tier === 'starter' && verifierMode === 'benchmark',
    ],
    ['of what is claimable', { state: 'claimable' }, isFree],
    ['of what is claimable in a tier', { state: 'claimable', tier: 'pro' }, (job) => job.tier === 'pro' && isFree(job)],
  ])('%s shows each job once, in order, over all pages', async (_name, query, matches) => {
    const expected = modelled(matches)
    expect(expected.length).toBeGreaterThan(50)
    expect(await walk(query)).toEqual(expected)
  })

  test('with a limit of 7 has the same jobs', async () => {
    const query = { source: 'osv', tier: 'starter' }
    expect(await walk({ ...query, limit: '7' })).toEqual(await walk(query))
  })
})

describe('the counts', () => {
  const covered = ({ rewardRaw, waiverEligible }: Job): boolean => {
    const share = (rewardRaw * BigInt(BANK.posterFeeBps)) / 10_000n
    const fee = waiverEligible ? 0n : share > BANK.posterFeeFloorRaw ? share : BANK.posterFeeFloorRaw
    return rewardRaw + fee <= BANK.liquidRaw
  }

  test('are those of the jobs that are free and that the bank covers', async () => {
    await storeReading(database.rows, { asset: 'USDC', ...BANK, stakeBps: 1_000, feeBps: 200, minFeeRaw: 50_000n, blockNumber: 2n })
    const { body } = await pages()({})
    const listed = jobs.filter(isListed)
    const claimable = listed.filter((job) => covered(job) && isFree(job))
    expect(claimable.length).toBeLessThan(listed.filter(isFree).length)
    expect(body.inventory).toEqual({
      claimableJobs: claimable.length,
      waiverEligibleJobs: listed.filter(({ waiverEligible }) => waiverEligible).length,
      waiverEligibleClaimableJobs: claimable.filter(({ waiverEligible }) => waiverEligible).length,
      asOf: new Date(NOW).toISOString(),
    })
    await fillBank(database)
  })

  test('of the lifecycle are those of the jobs', async () => {
    const count = (matches: (job: Job) => boolean) => jobs.filter(matches).length
    expect(await countLifecycle(database.rows, NOW)).toEqual({
      total: JOBS,
      open: count((job) => job.lifecycleStatus === 'open' && isFresh(job)),
      stale: count((job) => job.lifecycleStatus === 'open' && !isFresh(job)),
      paused: count(({ lifecycleStatus }) => lifecycleStatus === 'paused'),
      archived: count(({ lifecycleStatus }) => lifecycleStatus === 'archived'),
    })
  })
})

describe('a cached page', () => {
  test('is sent as the bytes of its body, made once', async () => {
    const list = pages()
    const first = await list({ limit: '5' })
    const again = await list({ limit: '5' })
    expect(first.serialised?.toString()).toBe(JSON.stringify(first.body))
    expect(again.serialised).toBe(first.serialised)
  })

  test('is built once for concurrent requests', async () => {
    const list = pages()
    const answers = await Promise.all(Array.from({ length: 40 }, () => list({ limit: '9' })))
    expect(new Set(answers.map(({ serialised }) => serialised)).size).toBe(1)
  })

  test('shows a job listed by another process at once', async () => {
    const [mine, other] = [pages(), pages()]
    for (let round = 0; round < 15; round += 1) {
      const early = [mine({ category: 'coding' }), other({ category: 'coding' })]
      const { jobId } = await listJob(database, `just-listed-${round}`)
      const late = await Promise.all([mine({ category: 'coding' }), other({ category: 'coding' })])
      for (const { body } of late) expect(body.jobs.map(({ id }) => id)).toContain(jobId)
      await Promise.all(early)
    }
  })
})
