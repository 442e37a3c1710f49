import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { emit, type NewEvent } from '../../../activities/events/outbox.ts'
import { relayEvents } from '../../../activities/events/relay.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createWebhookSteps } from '../../../activities/webhooks/deliver.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createWebhookHandlers } from '../../../api/webhooks/handlers.ts'
import type { WebhookInput } from '../../../schemas/webhooks/process.ts'
import { type ApiOptions, accounts, makePem, type Reply, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { useStarted } from '../../support/started.ts'
import { isSigned, startReceiver } from '../../support/webhooks/receiver.ts'
import { WEBHOOK_SECRET } from '../../support/webhooks/rows.ts'

const WORKER = accounts.worker.address.toLowerCase()
const UNKNOWN = `wh_${'0'.repeat(32)}`
const CHANGES = ['test', 'pause', 'resume', 'delete']

let tokens: Record<'worker' | 'other', string>
let isEngineSlow = false

const startProcesses = async () => {
  const [{ url: databaseUrl, drop }, receiver] = await Promise.all([createTestDatabase(), startReceiver()])
  const fetch = createGuardedFetch({ allowedHosts: [receiver.host] })
  /** The API on deliveries of its own in the place of the engine. */
  const handlers: ApiOptions['handlers'] = (deps) => {
    const { deliverTestEvent } = createWebhookSteps({ ...deps, fetch })
    const updateOrStart = async (
      _update: unknown,
      { input }: { input: { requestId: string } },
      _type: string,
      start: { args: [WebhookInput] },
    ) => (isEngineSlow ? { kind: 'pending' } : { kind: 'done', value: await deliverTestEvent({ id: start.args[0].id, ...input }) })
    return { ...createWebhookHandlers({ ...deps, engine: { updateOrStart } } as unknown as ApiDeps) }
  }
  const settings = {
    JWT_KEY: makePem(),
    LOCAL_CALLER_HOSTS: receiver.host,
    CODEHOST_API_URL: 'http://127.0.0.1:9',
    WIKIPEDIA_API_URL: 'http://127.0.0.1:19/{language}',
    RATE_LIMITS: '{"webhooks":{"limit":9999}}',
  }
  const api = await startApi({ databaseUrl, handlers, settings: { ...settings, WEBHOOKS: 'true', WEBHOOK_SECRETS: WEBHOOK_SECRET } })
  return { ...api, receiver, fetch, drop, off: await startApi({ databaseUrl, handlers, settings }) }
}
/** An API with webhooks, and `off` without them. */
const api = useStarted(startProcesses, async ({ close, off, receiver, drop }) => {
  await Promise.all([close(), off.close()])
  await receiver.close()
  await drop()
})
beforeAll(async () => {
  tokens = { worker: await tokenOf(api, accounts.worker), other: await tokenOf(api, accounts.other) }
})
beforeEach(async () => {
  isEngineSlow = false
  await api.deps.database.rows.deleteFrom('webhook_endpoint').execute()
})

const post = (path: string, body: object = {}, { token = tokens.worker, key }: { token?: string; key?: string } = {}): Promise<Reply> =>
  api.call(path, { body, token, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
const get = (path: string, token = tokens.worker): Promise<Reply> => api.call(path, { token })
const create = async (body: object = {}): Promise<Reply['body']> => {
  const reply = await post('/webhooks', { url: api.receiver.url, ...body })
  expect(reply.status).toBe(201)
  return reply.body
}
const write = async (event: Partial<NewEvent> = {}): Promise<void> => {
  const { database } = api.deps
  await emit(database.rows, { topic: 'session.claimed', wallets: [WORKER], at: Date.now(), data: {}, ...event })
  while ((await relayEvents(database)) > 0);
}
const deliver = (id: string) => createWebhookSteps({ ...api.deps, fetch: api.fetch }).deliverEvents({ id })

describe('an endpoint', () => {
  test('is created with a secret that no other answer shows, and gets the events from then on', async () => {
    await write()
    const { secret, ...created } = await create({
      topics: ['session.claimed', 'session.claimed'],
      sessionId: `job:${accounts.worker.address}`,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(created).toMatchObject({
      id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
      url: api.receiver.url,
      topics: ['session.claimed'],
      state: 'active',
      sessionId: `job:${accounts.worker.address}`,
      pauseReason: null,
      failures: 0,
      deliveries: [],
    })
    expect((await get(`/webhooks/${created.id}`)).body).toEqual(created)
    expect((await get('/webhooks')).body).toEqual({ webhooks: [created] })
    api.receiver.received.length = 0
    await write({ sessionId: `job:${accounts.worker.address}`, data: { new: true } })
    await deliver(created.id)
    expect(api.receiver.received.map(({ event }) => event.data)).toEqual([{ new: true }])
    expect(api.receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    const { body: shown } = await get(`/webhooks/${created.id}`)
    expect(shown.deliveries).toMatchObject([{ number: 1, topic: 'session.claimed', outcome: 'delivered', httpStatus: 200 }])
    expect(shown.position).toBe(shown.deliveries[0].eventId)
  })

  test('is one of ten at most of a wallet, also when they are created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => post('/webhooks', { url: api.receiver.url })))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('webhook_limit_reached')
    expect((await post('/webhooks', { url: api.receiver.url }, { token: tokens.other })).status).toBe(201)
  })

  test('is created once for a key, with the same secret for each repeat, and the stored answer has none', async () => {
    const body = { url: api.receiver.url }
    const [first, second] = [await post('/webhooks', body, { key: 'k-1' }), await post('/webhooks', body, { key: 'k-1' })]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const other = await post('/webhooks', { ...body, topics: ['session.claimed'] }, { key: 'k-1' })
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    const stored = await api.deps.database.rows.selectFrom('idempotency_key').selectAll().where('key', '=', 'k-1').execute()
    expect(JSON.stringify(stored)).not.toContain('whsec_')
    expect((await get('/webhooks')).body.webhooks).toHaveLength(1)
  })

  test('is paused, resumed and deleted, and keeps its position meanwhile', async () => {
    const { id } = await create()
    expect(await post(`/webhooks/${id}/pause`)).toMatchObject({ status: 200, body: { state: 'paused', pauseReason: 'paused_by_owner' } })
    await write()
    api.receiver.received.length = 0
    await deliver(id)
    expect(api.receiver.received).toEqual([])
    expect(await post(`/webhooks/${id}/resume`)).toMatchObject({ status: 200, body: { state: 'active', pauseReason: null } })
    await deliver(id)
    expect(api.receiver.received).toHaveLength(1)
    expect(await post(`/webhooks/${id}/delete`, {}, { key: 'k-2' })).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect(await post(`/webhooks/${id}/delete`, {}, { key: 'k-2' })).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect(await post(`/webhooks/${id}/delete`)).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } })
    expect((await get('/webhooks')).body.webhooks).toEqual([])
  })

  test('gets a test event, whatever it answers, once for a key', async () => {
    const { id, secret } = await create()
    api.receiver.received.length = 0
    const tested = await post(`/webhooks/${id}/test`, {}, { key: 'k-3' })
    expect(tested).toMatchObject({ status: 200, body: { delivery: { topic: 'webhook.test', outcome: 'delivered', answerBytes: 9 } } })
    expect((await post(`/webhooks/${id}/test`, {}, { key: 'k-3' })).body).toEqual(tested.body)
    expect(api.receiver.received).toHaveLength(1)
    expect(api.receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    isEngineSlow = true
    expect(await post(`/webhooks/${id}/test`)).toMatchObject({ status: 503, body: { code: 'webhook_test_pending', retryable: true } })
  })
})

describe('a request that is refused', () => {
  const URL = 'https://agent.example/'
  const tooMany = Array.from({ length: 101 }, () => 'session.claimed')
  test.each<[string, object, string]>([
    ['no address', {}, '/url'],
    ['another scheme', { url: 'ftp://agent.example/' }, '/url'],
    ['a blank in the address', { url: 'https://agent.example/a b' }, '/url'],
    ['a long address', { url: `https://agent.example/${'x'.repeat(2_000)}` }, '/url'],
    ['an unknown topic', { url: URL, topics: ['session.claimed', 'session.nonsense'] }, '/topics/1'],
    ['a name of an object’s own', { url: URL, topics: ['constructor'] }, '/topics/0'],
    ['topics that are no list', { url: URL, topics: 'session.claimed' }, '/topics'],
    ['too many topics', { url: URL, topics: tooMany }, '/topics'],
    ['a session that is no text', { url: URL, sessionId: 7 }, '/sessionId'],
  ])('with %s is 400', async (_name, body, pointer) => {
    const reply = await post('/webhooks', body)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  })

  test.each([
    ['http://agent.example/'],
    ['https://127.0.0.1/'],
    ['https://10.0.0.1/'],
    ['https://[::1]/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://user:word@93.184.216.34/'],
    ['https://93.184.216.34:8443/'],
    ['https://no-such-host.invalid/'],
    ['https://168.63.129.16/machine'],
    ['https://[2606:4700::5efe:7f00:1]/'],
    ['http://127.0.0.1:9/the-code-host-of-the-operator'],
    ['http://127.0.0.1:19/the-encyclopedia-of-the-operator'],
  ])('for %s is 422, and nothing is stored', async (url) => {
    expect(await post('/webhooks', { url })).toMatchObject({ status: 422, body: { code: 'webhook_address_refused' } })
    expect((await get('/webhooks')).body.webhooks).toEqual([])
  })

  test('for an endpoint of another wallet equals that for an unknown one', async () => {
    const { id } = await create()
    for (const path of ['', ...CHANGES.map((change) => `/${change}`)]) {
      const ask = (endpoint: string) =>
        path === '' ? get(`/webhooks/${endpoint}`, tokens.other) : post(`/webhooks/${endpoint}${path}`, {}, { token: tokens.other })
      const [foreign, unknown] = [await ask(id), await ask(UNKNOWN)]
      expect(foreign).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } })
      const { requestId: _one, ...left } = foreign.body
      const { requestId: _two, ...right } = unknown.body
      expect({ ...left, instance: '' }).toEqual({ ...right, instance: '' })
    }
    expect((await get('/webhooks', tokens.other)).body.webhooks).toEqual([])
    expect((await get(`/webhooks/${id}`)).body.state).toBe('active')
  })

  test('for an id of another form is 400, and without a token 401', async () => {
    expect((await get('/webhooks/none')).status).toBe(400)
    expect((await api.call('/webhooks')).status).toBe(401)
    expect((await api.call('/webhooks', { body: { url: api.receiver.url } })).status).toBe(401)
  })

  test('for lack of the switch is 409 on every route', async () => {
    const { id } = await create()
    const call = (path: string, body?: object) => api.off.call(path, { token: tokens.worker, ...(body && { body }) })
    const replies = [
      ...[await call('/webhooks'), await call(`/webhooks/${id}`), await call('/webhooks', { url: api.receiver.url })],
      ...(await Promise.all(CHANGES.map((change) => call(`/webhooks/${id}/${change}`, {})))),
    ]
    expect(replies.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(7).fill('409 webhooks_off'))
  })
})
