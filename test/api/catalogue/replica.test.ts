import { beforeAll, describe, expect, test } from '@jest/globals'
import { touchCatalogue } from '../../../activities/catalogue/jobs.ts'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCataloguePages } from '../../../api/catalogue/pages.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createHandlers } from '../../../api/handlers.ts'
import { listJobs } from '../../../schemas/catalogue/operations.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { accounts, startApi, testChain, tokenOf } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { startReplicated } from '../../support/postgres/replica.ts'
import { useStarted } from '../../support/started.ts'
import { BASE_URL, NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { addSessionOf } from '../support/work-rows.ts'

const WORKER = `0x${'b2'.repeat(20)}`
const servers = useStarted(startReplicated, ({ stop }) => stop())
const opened = useStarted(
  async () => {
    const database = openDatabase({ url: servers.url, replicaUrl: servers.replicaUrl, poolSize: 4 })
    return { database, close: () => database.close() }
  },
  ({ close }) => close(),
)
beforeAll(() => fillBank(opened.database))

/** Lists as an API answers them, and where they were read. */
const openLists = (database: Database) => {
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', REWARD_BANK_MAX_AGE_SECONDS: '600' })
  const clock = { now: () => NOW }
  const reads = {} as ApiDeps['reads']
  const evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads, identities: evmIdentities })
  const { list } = createCataloguePages({ database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings } as ApiDeps)
  return async (query: Record<string, string> = {}): Promise<string[]> => {
    const { body } = await list(listJobs.query.parse({ state: 'claimable', limit: '100', ...query }), async () => undefined)
    return body.jobs.map(({ id }) => id)
  }
}
const use = () => opened.database.replica() ?? { replicaReads: 0, primaryReads: 0 }
let jobs = 0
const snapshots = new Map<string, Record<string, unknown>>()
const offer = async (): Promise<string> => {
  const { jobId, jobSnapshot } = await listJob(opened.database, `offered-${++jobs}`)
  snapshots.set(jobId, jobSnapshot)
  await opened.database.transaction(touchCatalogue)
  return jobId
}
/** Claims a job as a claim writes its record. */
const claim = async (jobId: string): Promise<void> => {
  await addSessionOf(opened.database, WORKER, jobId, NOW, { jobSnapshot: snapshots.get(jobId) ?? {} })
  await opened.database.transaction(touchCatalogue)
}

describe('every operation that reads from the replica', () => {
  const marked = operationList.filter(({ fromReplica }) => fromReplica === true)

  test('is a list', () => {
    expect(marked.length).toBeGreaterThan(15)
    for (const { method, query } of marked)
      expect([method, Object.keys(query?.shape ?? {})]).toEqual(['GET', expect.arrayContaining(['cursor', 'limit'])])
  })

  test('writes nothing there: its answer comes from the replica', async () => {
    const api = await startApi({
      databaseUrl: servers.url,
      settings: {
        DATABASE_REPLICA_URL: servers.replicaUrl,
        VERIFIER_WALLETS: accounts.admin.address,
        WEBHOOKS: 'true',
        WEBHOOK_SECRETS: 'x'.repeat(32),
      },
      handlers: (deps) => {
        const reads = { operator: null } as unknown as ApiDeps['reads']
        return createHandlers({ ...deps, reads, engine: {}, evaluations: createEvaluations({ ...deps, reads }) } as unknown as ApiDeps)
      },
    })
    const [token, listed] = [await tokenOf(api, accounts.admin), await offer()]
    const failed: unknown[] = []
    for (const { id, path } of marked) {
      const before = api.deps.database.replica()?.replicaReads ?? 0
      const filled = path.replace(':day', '2026-01-01') + (id === 'getJobTimeline' ? `?jobId=${listed}` : '')
      let reply = { status: 0, body: {} as unknown }
      await eventually(`the replica answers ${id}`, async () => {
        reply = await api.call(filled, { token })
        return reply.status >= 500 || reply.status === 401 || (api.deps.database.replica()?.replicaReads ?? 0) > before
      })
      if (reply.status >= 500 || reply.status === 401) failed.push([id, reply.status, reply.body])
    }
    await api.close()
    expect(failed).toEqual([])
  })
})

describe('a list', () => {
  test('is read from a replica that has what the primary has', async () => {
    const list = openLists(opened.database)
    const jobId = await offer()
    await eventually('the replica answers', async () => {
      await offer()
      expect(await list()).toContain(jobId)
      return use().replicaReads > 2
    })
  })

  test('never shows a claimed job as free, to its claimant or to another, whenever the replica lags', async () => {
    const list = openLists(opened.database)
    const before = use()
    const offered = await Promise.all(Array.from({ length: 12 }, offer))
    for (const [index, jobId] of offered.entries()) {
      expect(await list()).toContain(jobId)
      await servers.lag(index % 3 !== 0)
      await claim(jobId)
      const shown = await Promise.all([list(), list({ wallet: WORKER }), list({ wallet: `0x${'c3'.repeat(20)}` })])
      for (const ids of shown) expect(ids).not.toContain(jobId)
      if (index % 3 === 2) await servers.lag(false)
    }
    await servers.lag(false)
    expect(use().primaryReads).toBeGreaterThan(before.primaryReads)
  })

  test('is read from the replica again when it has caught up', async () => {
    const list = openLists(opened.database)
    await servers.lag(true)
    await offer()
    await list()
    await servers.lag(false)
    const before = use()
    await eventually('the replica answers again', async () => {
      await offer()
      await list()
      return use().replicaReads > before.replicaReads
    })
  })
})

test('a replica that is down costs no list its answer, and is not asked each time', async () => {
  const list = openLists(opened.database)
  await servers.stopReplica()
  const before = use()
  for (let times = 0; times < 5; times += 1) {
    const jobId = await offer()
    expect(await list()).toContain(jobId)
  }
  expect(use()).toMatchObject({ replicaReads: before.replicaReads, primaryReads: before.primaryReads + 5 })
})
