import { describe, expect, test } from '@jest/globals'
import { deleteExpired } from '../../../api/housekeeping.ts'
import { createRateLimits } from '../../../api/http/rate-limits.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { type Api, accounts, tokenOf } from '../../support/api.ts'
import { useApis } from '../support/started.ts'

const DAY_MS = 86_400_000

const { start } = useApis()

const ask = (api: Api, headers = {}) => api.call('/auth/nonce', { body: { wallet: accounts.worker.address }, headers })
/** API in an unused window, in which a client may ask for `limit` nonces. */
const startLimited = (limit: number, settings: Record<string, string> = {}): Promise<Api> =>
  start({ now: nextWindow(), settings: { RATE_LIMITS: JSON.stringify({ auth_nonce: { limit } }), ...settings } })
/** The beginning of an unused window. */
let window = Date.parse('2027-01-01T00:00:00.000Z')
const nextWindow = (): number => {
  window += 600_000
  return window
}

const LIMITS = `auth_nonce 10/60 ip, auth_verify 10/60 ip, auth_refresh 6/60 wallet, agents_list 120/60 ip, agents_read 240/60 ip,
events 30/60 wallet, events_poll 120/60 wallet, webhooks 30/60 wallet, tools_messages 240/60 wallet, tools_anonymous 60/60 ip, tools_authenticated 300/60 wallet,
admin_jobs 60/60 wallet, verifier_run 120/60 wallet, jobs_claim 30/60 wallet, jobs_submit 60/60 wallet, jobs_validate 120/60 ip,
jobs_build 240/60 wallet, quotes 60/60 wallet, postings 30/60 wallet, rehearsals 10/60 wallet, content_write 30/60 wallet, shares 30/60 wallet, badges_list 120/60 ip,
badge_images 30/60 ip, oauth_authorize 30/60 ip, oauth_documents 10/60 ip, oauth_pages 60/60 ip, oauth_register 10/60 ip, oauth_token 120/60 ip, verification_quotes 60/60 ip`

describe('the limits of the table', () => {
  test('are those of the specification', () => {
    const limits = Object.entries(RATE_BUCKETS).map(([name, { limit, windowSeconds, key }]) => `${name} ${limit}/${windowSeconds} ${key}`)
    expect(limits.sort()).toEqual(LIMITS.split(/,\s/).sort())
  })

  test('count every operation that evaluates jobs for any wallet that signs in', () => {
    const evaluating = operationList.filter(
      ({ capability, id }) =>
        ['jobs:preflight', 'jobs:recommend'].includes(`${capability}`) || ['getJobDefinition', 'listJobs'].includes(id),
    )
    expect(evaluating.length).toBeGreaterThan(3)
    expect(evaluating.map(({ id, rate, buildRate }) => [id, rate ?? buildRate])).toEqual(evaluating.map(({ id }) => [id, 'jobs_build']))
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
    const resetAt = new Date(now + 45_000).toISOString()
    expect([status, body]).toMatchObject([429, { code: 'rate_limited', retryable: true, retryAfterSeconds: 45 }])
    expect(body.details).toEqual({ bucket: 'auth_nonce', limit: 10, remaining: 0, resetAt })
    expect(body.nextActions).toEqual([expect.objectContaining({ kind: 'wait', availableAt: resetAt })])
    const shown = ['retry-after', 'ratelimit', 'ratelimit-policy'].map((name) => headers.get(name))
    expect(shown).toEqual(['45', '"auth_nonce";r=0;t=45', '"auth_nonce";q=10;w=60'])
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

  test('count a caller without a wallet by its subject', async () => {
    const api = await start({ now: nextWindow(), settings: { RATE_LIMITS: '{"jobs_claim":{"limit":1}}' } })
    const count = createRateLimits(api.deps)
    const refused: boolean[] = []
    for (const subject of ['5Grw', '5Grw', '5FHn']) refused.push((await count('jobs_claim', { ip: '127.0.0.1', subject })).refusal !== null)
    expect(refused).toEqual([false, true, false])
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
    const api = await startLimited(1)
    const now = api.clock.now()
    for (let count = 0; count < 5; count += 1) await ask(api)
    const [row] = await api.deps.database.rows.selectFrom('rate_window').select('count').where('windowStart', '=', now).execute()
    expect(row?.count).toBe(2)
    api.clock.at = now + 60_000
    expect((await ask(api)).status).toBe(200)
  })

  test('take one statement at a time for one caller whose requests keep coming, however long it waits, and give each request its own place', async () => {
    const api = await start({ now: nextWindow() })
    const { database } = api.deps
    const count = createRateLimits(api.deps)
    const limitOf = async (ip: string): Promise<number> =>
      Number(/r=(\d+)/.exec((await count('agents_list', { ip, subject: undefined })).headers.ratelimit)?.[1])
    expect(await limitOf('1.1.1.1')).toBe(119)
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const holding = database.transaction(async (rows) => {
      await rows.selectFrom('rate_window').selectAll().where('key', '=', '1.1.1.1').forUpdate().execute()
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const burst: Promise<number>[] = []
    try {
      for (let wave = 1; wave <= 50; wave += 1) {
        burst.push(limitOf('1.1.1.1'), limitOf('1.1.1.1'))
        expect(await limitOf('2.2.2.2')).toBe(120 - wave)
        expect(database.pool()).toMatchObject({ waiting: 0 })
      }
      // That which holds the row, and the one that waits for it.
      expect(database.pool().inUse).toBe(2)
    } finally {
      held.resolve()
    }
    await holding
    expect((await Promise.all(burst)).sort((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_none, left) => 19 + left))
  })

  test('are counted before the body is read, and show in the metrics by bucket', async () => {
    const api = await start({
      now: nextWindow(),
      isLocal: true,
      settings: { OPEN_METRICS: 'true', RATE_LIMITS: '{"auth_nonce":{"limit":1}}' },
    })
    await ask(api)
    expect((await api.call('/auth/nonce', { raw: '{broken' })).status).toBe(429)
    expect((await api.call('/metrics')).text).toContain('rate_limit_rejections_total{bucket="auth_nonce"} 1')
  })
})

describe('the address of a client', () => {
  test('ignores entries that the caller adds on the left', async () => {
    const api = await startLimited(2, { TRUSTED_PROXIES: '1' })
    const statuses = []
    for (const forged of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      statuses.push((await ask(api, { 'x-forwarded-for': `${forged}, 9.9.9.9` })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await ask(api, { 'x-forwarded-for': '1.1.1.1, 8.8.8.8' })).status).toBe(200)
  })

  test('is the same however it is spelled', async () => {
    const api = await startLimited(2, { TRUSTED_PROXIES: '1' })
    for (const hops of [
      ['1.1.1.1', '1.1.1.1:80', '::ffff:1.1.1.1'],
      ['2001:db8::1', '2001:db8:0:0::2', '[2001:db8::3]:1'],
      ['unknown', '', 'x'.repeat(3_000)],
    ]) {
      const replies = await Promise.all(hops.map((hop) => ask(api, { 'x-forwarded-for': hop })))
      expect([hops, replies.map(({ status }) => status).sort()]).toEqual([hops, [200, 200, 429]])
    }
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

test('a bucket can have a window of its own, for which its count is kept', async () => {
  const now = Math.floor(nextWindow() / DAY_MS) * DAY_MS + DAY_MS
  const api = await start({ now, settings: { RATE_LIMITS: '{"auth_nonce":{"limit":1,"windowSeconds":86400}}' } })
  expect((await ask(api)).status).toBe(200)
  api.clock.at = now + DAY_MS / 2
  await deleteExpired(api.deps)
  expect((await ask(api)).status).toBe(429)
  api.clock.at = now + DAY_MS
  expect((await ask(api)).status).toBe(200)
})
