import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { deleteExpired } from '../../../api/housekeeping.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { type Api, type ApiOptions, accounts, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

const DAY_MS = 86_400_000

let database: TestDatabase
const started: Api[] = []
const start = async (options: Omit<ApiOptions, 'databaseUrl'> = {}): Promise<Api> => {
  const api = await startApi({ databaseUrl: database.url, ...options })
  started.push(api)
  return api
}

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((api) => api.close()))
})
afterAll(() => database.drop())

const ask = (api: Api, headers = {}) => api.call('/auth/nonce', { body: { wallet: accounts.worker.address }, headers })
/** The beginning of an unused window. */
let window = Date.parse('2027-01-01T00:00:00.000Z')
const nextWindow = (): number => {
  window += 600_000
  return window
}

describe('the limits of the table', () => {
  test('are the specified ones', () => {
    const shown = Object.fromEntries(
      Object.entries(RATE_BUCKETS).map(([name, { limit, windowSeconds, key }]) => [name, [limit, windowSeconds, key]]),
    )
    expect(shown).toEqual({
      auth_nonce: [10, 60, 'ip'],
      auth_verify: [10, 60, 'ip'],
      auth_refresh: [6, 60, 'wallet'],
      agents_list: [120, 60, 'ip'],
      agents_read: [240, 60, 'ip'],
      events: [30, 60, 'wallet'],
      events_poll: [120, 60, 'wallet'],
      webhooks: [30, 60, 'wallet'],
      tools_anonymous: [60, 60, 'ip'],
      tools_authenticated: [300, 60, 'wallet'],
      admin_jobs: [60, 60, 'wallet'],
      verifier_run: [120, 60, 'wallet'],
      jobs_claim: [30, 60, 'wallet'],
      jobs_submit: [60, 60, 'wallet'],
      jobs_validate: [120, 60, 'ip'],
      jobs_build: [240, 60, 'wallet'],
      quotes: [60, 60, 'wallet'],
      content_write: [30, 60, 'wallet'],
      shares: [30, 60, 'wallet'],
      badges_list: [120, 60, 'ip'],
    })
  })

  test.each(
    operationList
      .filter(
        ({ capability, id }) =>
          capability === 'jobs:preflight' || capability === 'jobs:recommend' || id === 'getJobDefinition' || id === 'listJobs',
      )
      .map((spec) => [spec.id, spec] as const),
  )('count %s, which evaluates jobs for any wallet that signs in', (_id, { rate, buildRate }) => {
    expect(rate ?? buildRate).toBe('jobs_build')
  })

  test('refuse the eleventh nonce of a minute and say how long to wait', async () => {
    const now = nextWindow() + 15_000
    const api = await start({ now })
    for (let count = 1; count <= 10; count++) {
      const { status, headers } = await ask(api)
      expect([status, headers.get('ratelimit')]).toEqual([200, `"auth_nonce";r=${10 - count};t=45`])
      expect(headers.get('ratelimit-policy')).toBe('"auth_nonce";q=10;w=60')
    }
    const { status, body, headers } = await ask(api)
    expect([status, body.code, body.retryable, body.retryAfterSeconds, headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      true,
      45,
      '45',
    ])
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual(['"auth_nonce";r=0;t=45', '"auth_nonce";q=10;w=60'])
    const resetAt = new Date(now + 45_000).toISOString()
    expect(body.details).toEqual({ bucket: 'auth_nonce', limit: 10, remaining: 0, resetAt })
    expect(body.nextActions).toEqual([expect.objectContaining({ kind: 'wait', availableAt: resetAt })])
    api.clock.at = now + 45_000
    expect((await ask(api)).status).toBe(200)
  })

  test('hold exactly over two processes with one database', async () => {
    const now = nextWindow()
    const apis = await Promise.all([start({ now }), start({ now })])
    const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => ask(apis[index % 2] as Api)))
    const counted = Object.groupBy(replies, ({ status, body }) => (status === 200 ? 'ok' : `${status} ${body.code}`))
    expect(Object.fromEntries(Object.entries(counted).map(([answer, all]) => [answer, all?.length]))).toEqual({
      ok: 10,
      '429 rate_limited': 50,
    })
  })

  test('count a wallet, not its address, once it has signed in', async () => {
    const api = await start({
      now: nextWindow(),
      handlers: { claimJob: async () => ({ status: 202, body: null }) },
      settings: { NODE_ENV: 'production', RATE_LIMITS: '{"jobs_claim":{"limit":2}}' },
    })
    const [worker, other] = [await tokenOf(api, accounts.worker), await tokenOf(api, accounts.other)]
    const claim = async (token: string) => (await api.call('/jobs/claim', { body: { jobId: 'a' }, token })).status
    expect([await claim(worker), await claim(worker), await claim(worker), await claim(other)]).toEqual([202, 202, 429, 202])
  })

  test('count an answer that had to be built, where its operation says so', async () => {
    const built = ['first', 'second', 'third']
    const listJobs = async ({ request }: { request: { countBuild(): Promise<void> } }) => {
      if (built.shift() !== undefined) await request.countBuild()
      return { status: 200, body: {} }
    }
    const settings = { NODE_ENV: 'production', RATE_LIMITS: '{"jobs_build":{"limit":2}}' }
    const api = await start({ now: nextWindow(), handlers: { listJobs }, settings })
    const replies = [await api.call('/jobs'), await api.call('/jobs'), await api.call('/jobs'), await api.call('/jobs')]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 200])
    expect(replies.map(({ headers }) => headers.get('ratelimit'))).toEqual([
      ...[1, 0, 0].map((left) => `"jobs_build";r=${left};t=60`),
      null,
    ])
  })

  test('refuse again without a statement, until the window ends', async () => {
    const now = nextWindow()
    const api = await start({ now, settings: { RATE_LIMITS: '{"auth_nonce":{"limit":1}}' } })
    for (let count = 0; count < 5; count += 1) await ask(api)
    const [row] = await api.deps.database.rows.selectFrom('rate_window').select('count').where('windowStart', '=', now).execute()
    expect(row?.count).toBe(2)
    api.clock.at = now + 60_000
    expect((await ask(api)).status).toBe(200)
  })

  test('can be set per bucket, window included', async () => {
    const now = nextWindow()
    const api = await start({ now, settings: { RATE_LIMITS: '{"auth_nonce":{"limit":1,"windowSeconds":10}}' } })
    expect([(await ask(api)).status, (await ask(api)).status]).toEqual([200, 429])
    api.clock.at = now + 10_000
    expect((await ask(api)).status).toBe(200)
  })

  test('are counted before the body is read', async () => {
    const api = await start({ now: nextWindow(), settings: { RATE_LIMITS: '{"auth_nonce":{"limit":1}}' } })
    await ask(api)
    expect((await api.call('/auth/nonce', { raw: '{broken' })).status).toBe(429)
  })

  test('show in the metrics by bucket', async () => {
    const api = await start({
      now: nextWindow(),
      isLocal: true,
      settings: { OPEN_METRICS: 'true', RATE_LIMITS: '{"auth_nonce":{"limit":1}}' },
    })
    await ask(api)
    await ask(api)
    expect((await api.call('/metrics')).text).toContain('rate_limit_rejections_total{bucket="auth_nonce"} 1')
  })
})

describe('the address of a client', () => {
  test('ignores entries that the caller adds on the left', async () => {
    const api = await start({ now: nextWindow(), settings: { TRUSTED_PROXIES: '1', RATE_LIMITS: '{"auth_nonce":{"limit":2}}' } })
    const statuses = []
    for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      statuses.push((await ask(api, { 'x-forwarded-for': `${forged}, 9.9.9.9` })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await ask(api, { 'x-forwarded-for': '1.1.1.1, 8.8.8.8' })).status).toBe(200)
  })

  test('is the same however it is spelled', async () => {
    const api = await start({ now: nextWindow(), settings: { TRUSTED_PROXIES: '1', RATE_LIMITS: '{"auth_nonce":{"limit":2}}' } })
    const from = async (hops: string[]) => Promise.all(hops.map(async (hop) => (await ask(api, { 'x-forwarded-for': hop })).status))
    expect((await from(['1.1.1.1', '1.1.1.1:80', '::ffff:1.1.1.1'])).sort()).toEqual([200, 200, 429])
    expect((await from(['2001:db8::1', '2001:db8:0:0::2', '[2001:db8::3]:1'])).sort()).toEqual([200, 200, 429])
    expect((await from(['unknown', '', 'x'.repeat(3_000)])).sort()).toEqual([200, 200, 429])
  })
})

test('old rate windows are deleted, the current one is kept', async () => {
  const now = nextWindow()
  const api = await start({ now })
  await ask(api)
  const count = async () =>
    (await api.deps.database.rows.selectFrom('rate_window').select('count').where('windowStart', '=', now).execute()).length
  await deleteExpired(api.deps)
  expect(await count()).toBe(1)
  api.clock.at = now + 3_700_000
  await deleteExpired(api.deps)
  expect(await count()).toBe(0)
})

test('a count is kept as long as its configured window', async () => {
  const now = Math.floor(nextWindow() / DAY_MS) * DAY_MS + DAY_MS
  const api = await start({ now, settings: { RATE_LIMITS: '{"auth_nonce":{"limit":1,"windowSeconds":86400}}' } })
  expect((await ask(api)).status).toBe(200)
  api.clock.at = now + DAY_MS / 2
  await deleteExpired(api.deps)
  expect((await ask(api)).status).toBe(429)
})
