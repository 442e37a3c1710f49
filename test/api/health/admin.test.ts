import { beforeAll, describe, expect, test } from '@jest/globals'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { emit } from '../../../activities/events/outbox.ts'
import { insertTemplate } from '../../../activities/lanes/templates.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createAdminStatus } from '../../../api/health/admin-status.ts'
import { createJobTimeline } from '../../../api/health/job-timeline.ts'
import { createHealthReader } from '../../../api/health/reader.ts'
import { aSession } from '../../domain/builders/session.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useApi } from '../support/started.ts'
import { addSessionOf } from '../support/work-rows.ts'

const wallet = accounts.worker.address.toLowerCase()
const evidence = {
  external: false,
  verifierMode: 'benchmark',
  claimTtlSeconds: 3600,
  assetDecimals: 6,
  submitFailedAt: null,
  claimFeeRetainedOnSuccess: false,
  gasRetentionSupported: true,
  gasRetainedRaw: '0',
  badgeSnapshot: aSession().badgeSnapshot,
}

const api = useApi({
  now: NOW,
  handlers: (common) => {
    const evaluations = createEvaluations({ ...common, reads: {} } as ApiDeps)
    const deps = { ...common, evaluations } as ApiDeps
    return {
      getAdminStatus: async () => ({ status: 200, body: await createAdminStatus(deps, createHealthReader(deps))() }),
      getJobTimeline: (input: never) => createJobTimeline(deps)(input),
    }
  },
})
let admin: string
beforeAll(async () => {
  const { database } = api.deps
  await fillBank(database)
  await Promise.all([listJob(database, 'watched-1'), listJob(database, 'other-1')])
  await addSessionOf(database, wallet, 'watched-1', NOW - 60_000, { evidence })
  const common = { wallets: [wallet], jobId: 'watched-1', data: {} }
  await database.transaction(async (rows) => {
    for (const [topic, at] of [
      ['session.claimed', NOW],
      ['escrow.job_claimed', NOW - 9_000],
      ['session.submitted', NOW + 1_000],
    ] as const)
      await emit(rows, { ...common, topic, at, correlationId: `request-${topic}` })
    await emit(rows, { ...common, topic: 'session.claimed', jobId: 'other-1', wallets: [], at: NOW })
  })
  admin = await tokenOf(api, accounts.admin)
})
const read = (path: string, token: string | undefined = admin) => api.call(path, { token })
const topicsOf = (body: { timeline: { topic: string }[] }): string[] => body.timeline.map(({ topic }) => topic)

describe('the timeline of a job', () => {
  const path = '/admin/jobs/timeline?jobId=watched-1'

  test('lists what was recorded in order of recording, with the sessions of the job', async () => {
    const { status, body } = await read(path)
    expect([status, topicsOf(body)]).toEqual([200, ['job.state', 'session.claimed', 'escrow.job_claimed', 'session.submitted']])
    expect(body.job.id).toBe('watched-1')
    expect(body.summary).toMatchObject({
      sessionCount: 1,
      activeSessionIds: [`watched-1:${accounts.worker.address}`],
      terminalSessionIds: [],
      eventCount: 4,
      eventBusGap: 3,
      latestSessionStatus: 'claimed',
      eventFilters: { topics: [], correlationId: null, wallet: null },
    })
    expect(body.lineage.sessionIds).toEqual([`watched-1:${accounts.worker.address}`])
    expect([body.limit, body.nextCursor]).toEqual([100, null])
  })

  test('begins with the listing of the job, also before its first claim', async () => {
    for (const jobId of ['watched-1', 'unclaimed-1']) {
      if (jobId === 'unclaimed-1') await listJob(api.deps.database, jobId)
      const { job, timeline, summary } = (await read(`/admin/jobs/timeline?jobId=${jobId}`)).body
      expect(timeline[0]).toMatchObject({ type: 'job_state', topic: 'job.state', at: job.listedAt, jobId, data: { state: 'listed' } })
      expect(summary.eventCount).toBe(timeline.length)
    }
    await api.deps.database.rows.deleteFrom('job').where('id', '=', 'unclaimed-1').execute()
  })

  test('is read page by page', async () => {
    for (const limit of [1, 2, 3, 4]) {
      const topics: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await read(`${path}&limit=${limit}${cursor}`)
        expect(body.timeline.length).toBeLessThanOrEqual(limit)
        topics.push(...topicsOf(body))
        if (body.nextCursor === null) break
        cursor = `&cursor=${body.nextCursor}`
      }
      expect([limit, topics]).toEqual([limit, ['job.state', 'session.claimed', 'escrow.job_claimed', 'session.submitted']])
    }
    const first = await read(`${path}&limit=2`)
    const elsewhere = await read(`/admin/jobs/timeline?jobId=other-1&limit=2&cursor=${first.body.nextCursor}`)
    expect(elsewhere.body.errors[0].pointer).toBe('query/cursor')
  })

  test.each([
    ['topics=job.state', ['job.state']],
    ['phases=listing', ['job.state']],
    ['topics=session.claimed,session.submitted', ['session.claimed', 'session.submitted']],
    ['correlationId=request-session.claimed', ['session.claimed']],
    ['severities=error', []],
    [`wallet=${accounts.worker.address}`, ['session.claimed', 'escrow.job_claimed', 'session.submitted']],
    [`wallet=${accounts.other.address}`, []],
    ['sources=chain&topics=escrow.job_claimed', ['escrow.job_claimed']],
  ])('is narrowed by %s', async (filter, topics) => {
    const { body } = await read(`${path}&${filter}`)
    expect([topicsOf(body), body.summary.eventCount]).toEqual([topics, topics.length])
  })

  test('is refused for an unknown job, a bad filter and another caller', async () => {
    expect((await read('/admin/jobs/timeline?jobId=no-such-job')).body.code).toBe('job_not_found')
    expect((await read('/admin/jobs/timeline')).body.errors[0].pointer).toBe('query/jobId')
    for (const bad of ['topics=a%00b', 'correlationId=%00', 'limit=251', 'wallet=me', 'severities=,'])
      expect([bad, (await read(`${path}&${bad}`)).status]).toEqual([bad, 400])
    expect((await read(path, await tokenOf(api, accounts.worker))).body.code).toBe('missing_role')
    expect((await api.call(path)).status).toBe(401)
  })
})

describe('the status for operators', () => {
  test('shows work, money at work, budgets, parts and refusals', async () => {
    await api.call('/auth/session')
    const { status, body } = await read('/admin/status')
    expect(status).toBe(200)
    expect(body.ops).toMatchObject({
      activeSessions: 1,
      activeWallets: 1,
      totalCapitalAtWork: { asset: 'USDC', raw: '2000000', decimals: 6 },
      topJobs: [{ jobId: 'watched-1', sessionCount: 1 }],
    })
    expect(body.ops.recentSessions).toHaveLength(1)
    expect(body.ops.recentEvents.length).toBeGreaterThan(3)
    expect(body.jobLifecycle).toMatchObject({ total: 2, open: 2 })
    expect(body.jobSpecHashIntegrity).toEqual({ checked: 2, drifted: 0, driftedJobs: [] })
    expect(body.maintenance.policy).toMatchObject({ enabled: true, settlementReady: true, risk: { defaultClaimStakeBps: 1000 } })
    expect(body.backgroundWorkflows.chainFollower).toMatchObject({ running: true, lastProgressAt: new Date(NOW).toISOString() })
    expect(body.catalogueLanes.find(({ lane }: { lane: string }) => lane === 'liveness').usedToday.raw).toBe('2000000')
    expect(body.authTelemetry.failures).toContainEqual({ code: 'missing_token', count: expect.any(Number) })
    expect(body.providerOperations.codehost.enabled).toBe(false)
  })

  test('names a job whose definition no longer matches its hash', async () => {
    const { rows } = api.deps.database
    await rows
      .updateTable('job')
      .set({ specHash: `0x${'00'.repeat(32)}` })
      .where('id', '=', 'other-1')
      .execute()
    expect((await read('/admin/status')).body.jobSpecHashIntegrity).toEqual({ checked: 2, drifted: 1, driftedJobs: ['other-1'] })
  })

  test('says that recurring jobs run, until a template waits for the workers longer than a minute', async () => {
    const { rows } = api.deps.database
    await insertTemplate(rows, 'watched-1', NOW - 60_000)
    expect((await read('/admin/status')).body.recurring).toEqual({ enabled: true, running: true })
    await insertTemplate(rows, 'other-1', NOW - 60_001)
    expect((await read('/admin/status')).body.recurring).toEqual({ enabled: true, running: false })
  })

  test('is for admins', async () => {
    expect((await read('/admin/status', await tokenOf(api, accounts.verifier))).body.code).toBe('missing_role')
  })
})

test('the gas sponsor reports that it is off', async () => {
  const health = await api.call('/gas/health')
  expect([health.status, health.body]).toEqual([200, { ok: true, backend: 'bundler', enabled: false, mode: 'disabled' }])
  expect(health.headers.get('cache-control')).toBe('public, max-age=30')
  expect((await api.call('/gas/capabilities')).body).toEqual({ enabled: false })
})

test('a rejection counts as ended in the timeline of its job when it can no longer be disputed', async () => {
  const { database } = api.deps
  await listJob(database, 'rejected-1')
  const rejected = { evidence, status: 'rejected', submittedAt: NOW, rejectedAt: NOW }
  const final = { ...rejected, runId: 'first run', rejectionFinalizedAt: NOW }
  const ended = await addSessionOf(database, accounts.other.address.toLowerCase(), 'rejected-1', NOW - 60_000, final)
  const disputable = await addSessionOf(database, wallet, 'rejected-1', NOW - 50_000, rejected)
  const { summary } = (await read('/admin/jobs/timeline?jobId=rejected-1')).body
  expect([summary.activeSessionIds, summary.terminalSessionIds]).toEqual([[disputable], [ended]])
})
