import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Client } from '@temporalio/client'
import type { Database } from '../../../activities/database/database.ts'
import { emit, type NewEvent } from '../../../activities/events/outbox.ts'
import { relayEvents } from '../../../activities/events/relay.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createMessageSender } from '../../../activities/temporal/send.ts'
import { createWebhookSteps } from '../../../activities/webhooks/deliver.ts'
import { findWebhook, listDeliveries, updateWebhook, type WebhookRow } from '../../../activities/webhooks/records.ts'
import { createWebhookWaker } from '../../../activities/webhooks/wake.ts'
import { deliveryView } from '../../../domain/webhooks/view.ts'
import { eventually } from '../../support/eventually.ts'
import { isSigned, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'
import { addWebhook, WEBHOOK_SECRET } from '../../support/webhooks/rows.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const WALLET = `0x${'1'.repeat(40)}`
const OTHER = `0x${'2'.repeat(40)}`
const HOUR = 3_600_000

const own = useOwnDatabase()
let database: Database
let receiver: Receiver
let now = Date.now()
const clock = { now: () => now }

beforeAll(async () => {
  database = own.database()
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  receiver.answerWith()
  receiver.received.length = 0
  await database.rows.deleteFrom('webhook_endpoint').execute()
  await database.rows.deleteFrom('event').execute()
})

type Steps = Parameters<typeof createWebhookSteps>[0]
const stepsWith = ({ settings, ...parts }: Partial<Omit<Steps, 'settings'>> & { settings?: Partial<Steps['settings']> } = {}) =>
  createWebhookSteps({
    settings: { WEBHOOKS: true, WEBHOOK_SECRETS: [WEBHOOK_SECRET], ...settings },
    database,
    clock,
    fetch: createGuardedFetch({ allowedHosts: [receiver.host] }),
    ...parts,
  })
const deliver = (id: string, parts?: Parameters<typeof stepsWith>[0]) => stepsWith(parts).deliverEvents({ id })
const write = async (...events: Partial<NewEvent>[]): Promise<void> => {
  const whole = events.map((event): NewEvent => ({ topic: 'session.claimed', wallets: [WALLET], at: now, data: {}, ...event }))
  await database.transaction((rows) => emit(rows, ...whole))
  while ((await relayEvents(database)) > 0);
}
const add = (change: Partial<WebhookRow> = {}, url = receiver.url) => addWebhook(database.rows, WALLET, url, change)
const endpointOf = async (id: string): Promise<WebhookRow> => {
  const found = await findWebhook(database.rows, id)
  if (found === null) throw new Error('the endpoint is gone')
  return found
}
const deliveriesOf = (id: string) => listDeliveries(database.rows, [id])

describe('a round of deliveries', () => {
  test('posts the events of the wallet in order, signed, and records each with its position', async () => {
    const { id, secret } = await add()
    await write({ data: { place: 1 } }, { wallets: [OTHER] }, { wallets: [OTHER, WALLET], data: { place: 2 } })
    expect(await deliver(id)).toEqual({ state: 'waiting', dueAt: null, details: 'Every event is delivered.' })
    expect(receiver.ids()).toEqual(['1', '3'])
    const [first] = receiver.received
    expect(first?.event).toMatchObject({ id: '1', topic: 'session.claimed', wallets: [WALLET], data: { place: 1 } })
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    expect(receiver.received.some((one) => isSigned(one, 'whsec_AAAA'))).toBe(false)
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-key-id': expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(await endpointOf(id)).toMatchObject({ position: 3n, isWaiting: true, failures: 0 })
    expect(await deliveriesOf(id)).toMatchObject([
      { number: 2, eventId: '3', outcome: 'delivered', httpStatus: 200, answerBytes: 9 },
      { number: 1, eventId: '1', outcome: 'delivered', httpStatus: 200, failure: null },
    ])
  })

  test('leaves out other topics and sessions, and moves its position past them', async () => {
    const { id } = await add({ topics: ['session.submitted'], sessionId: 'job:mine' })
    await write(
      { topic: 'session.submitted', sessionId: 'job:mine' },
      { sessionId: 'job:mine' },
      { topic: 'session.submitted', sessionId: 'x' },
    )
    await deliver(id)
    expect(receiver.ids()).toEqual(['1'])
    expect(await endpointOf(id)).toMatchObject({ position: 3n })
  })

  test('keeps the last 20 deliveries', async () => {
    const { id } = await add()
    await write(...Array.from({ length: 25 }, () => ({})))
    await deliver(id)
    expect(receiver.ids()).toEqual(Array.from({ length: 25 }, (_, place) => String(place + 1)))
    expect((await deliveriesOf(id)).map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, place) => 25 - place))
  })

  test('stops at a failure, and delivers the same event first when it is due', async () => {
    const { id } = await add()
    await write({}, {})
    receiver.answerWith((response) => response.writeHead(500).end('broken'))
    const dueAt = new Date(now + 5_000).toISOString()
    expect(await deliver(id)).toMatchObject({ state: 'retrying', dueAt })
    expect(await deliveriesOf(id)).toMatchObject([
      { outcome: 'failed', failure: 'status', httpStatus: 500, detail: 'HTTP 500', answerBytes: 6 },
    ])
    expect(await deliver(id)).toMatchObject({ state: 'retrying', dueAt })
    expect(receiver.ids()).toEqual(['1'])
    now += 5_000
    expect(await deliver(id)).toMatchObject({ state: 'retrying', dueAt: new Date(now + 30_000).toISOString() })
    expect(await endpointOf(id)).toMatchObject({ failures: 2, position: 0n })
    receiver.answerWith()
    now += 30_000
    await deliver(id)
    expect(receiver.ids()).toEqual(['1', '1', '1', '2'])
    expect(await endpointOf(id)).toMatchObject({ failures: 0, failingSince: null, nextAttemptAt: null, position: 2n })
  })

  test.each<[string, (response: ServerResponse) => unknown, object]>([
    ['a redirect', (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(), { failure: 'redirected' }],
    ['an answer that breaks off', (response) => response.destroy(), { failure: 'network' }],
    ['no answer in time', () => undefined, { failure: 'timeout', detail: 'no answer within 200 ms' }],
  ])('counts %s as a failure, and gives an endpoint ten seconds', async (_name, play, failed) => {
    const { id } = await add()
    await write({})
    receiver.answerWith(play)
    const guarded = createGuardedFetch({ allowedHosts: [receiver.host] })
    const limits: number[] = []
    const fetch: typeof guarded = (request) => {
      limits.push(request.timeoutMs)
      return guarded({ ...request, timeoutMs: 200 })
    }
    expect(await deliver(id, { fetch })).toMatchObject({ state: 'retrying' })
    expect(limits).toEqual([10_000])
    expect(await deliveriesOf(id)).toMatchObject([{ outcome: 'failed', httpStatus: null, ...failed }])
  })

  test('counts an address that is not public as a failure and sends nothing', async () => {
    const { id } = await add()
    await write({})
    await deliver(id, { fetch: createGuardedFetch({ allowedHosts: [] }) })
    expect(await deliveriesOf(id)).toMatchObject([{ outcome: 'failed', failure: 'refused' }])
    expect(receiver.received).toEqual([])
  })

  test.each([
    ['an approval', 200, 'secret of the server', 20],
    ['a refusal', 403, 'secret of the server', 20],
    ['a long answer, up to one KiB', 200, `\0secret${'x'.repeat(5_000)}`, 1_024],
  ])('keeps status and length of %s, and nothing of what it says', async (_what, status, answer, answerBytes) => {
    const { id } = await add()
    await write({})
    receiver.answerWith((response) => response.writeHead(status, 'secret reason', { 'x-header': 'secret' }).end(answer))
    await deliver(id)
    const deliveries = await deliveriesOf(id)
    expect(deliveries).toMatchObject([{ httpStatus: status, answerBytes }])
    expect(JSON.stringify(deliveries.map(deliveryView))).not.toContain('secret')
  })

  test('pauses an endpoint after 24 hours of failures, and delivers every later event in order once it is resumed', async () => {
    const { id } = await add()
    receiver.answerWith((response) => response.writeHead(503).end())
    await write({}, {})
    await deliver(id)
    now += 24 * HOUR
    expect(await deliver(id)).toMatchObject({ state: 'paused' })
    expect(await endpointOf(id)).toMatchObject({ state: 'paused', pauseReason: 'failed_for_24_hours', position: 0n })
    await write({})
    receiver.received.length = 0
    receiver.answerWith()
    expect(await deliver(id)).toMatchObject({ state: 'paused' })
    await updateWebhook(database.rows, id, { state: 'active', pauseReason: null, failures: 0, failingSince: null, nextAttemptAt: null })
    await deliver(id)
    expect(receiver.ids()).toEqual(['1', '2', '3'])
  })

  test('sends nothing for an endpoint that is paused or deleted, without its key, or with webhooks off', async () => {
    const { id } = await add({ state: 'paused', pauseReason: 'paused_by_owner' })
    await write({})
    expect(await deliver(id)).toMatchObject({ state: 'paused' })
    expect(await deliver('wh_none')).toMatchObject({ state: 'deleted' })
    await updateWebhook(database.rows, id, { state: 'active', pauseReason: null })
    expect(await deliver(id, { settings: { WEBHOOKS: false } })).toMatchObject({ state: 'paused' })
    expect(await endpointOf(id)).toMatchObject({ state: 'active' })
    expect(await deliver(id, { settings: { WEBHOOK_SECRETS: ['x'.repeat(32)] } })).toMatchObject({ state: 'paused' })
    expect(await endpointOf(id)).toMatchObject({ state: 'paused', pauseReason: 'signing_key_removed' })
    expect(receiver.received).toEqual([])
  })

  test('records an event that was delivered while the owner paused the endpoint', async () => {
    const { id } = await add()
    await write({}, {})
    receiver.answerWith((response) => {
      void updateWebhook(database.rows, id, { state: 'paused', pauseReason: 'paused_by_owner' }).then(() => response.end())
    })
    expect(await deliver(id)).toMatchObject({ state: 'paused' })
    expect(receiver.ids()).toEqual(['1'])
    expect(await endpointOf(id)).toMatchObject({ state: 'paused', position: 1n })
  })

  test('counts no failure for an event that another round has delivered meanwhile', async () => {
    const { id } = await add()
    await write({})
    const delivered = Promise.withResolvers<void>()
    receiver.answerWith((response) => {
      if (receiver.received.length > 1) response.end()
      else void delivered.promise.then(() => response.writeHead(500).end())
    })
    const lost = deliver(id)
    await eventually('a delivery arrives', () => receiver.received.length > 0)
    expect(await deliver(id)).toMatchObject({ state: 'waiting' })
    delivered.resolve()
    expect(await lost).toMatchObject({ state: 'waiting' })
    expect(receiver.ids()).toEqual(['1', '1'])
    expect(await endpointOf(id)).toMatchObject({ position: 1n, failures: 0, nextAttemptAt: null })
  })

  test('waits while too many deliveries are open', async () => {
    const { id } = await add()
    const { id: second } = await add()
    await write({})
    const release = Promise.withResolvers<void>()
    receiver.answerWith((response) => void release.promise.then(() => response.end()))
    const steps = stepsWith({ maxOpen: 1 })
    const first = steps.deliverEvents({ id })
    expect(await steps.deliverEvents({ id: second })).toMatchObject({ state: 'retrying', dueAt: new Date(now + 1_000).toISOString() })
    release.resolve()
    expect(await first).toMatchObject({ state: 'waiting' })
    expect(await steps.deliverEvents({ id: second })).toMatchObject({ state: 'waiting' })
  })
})

describe('a test event', () => {
  test('reaches a paused endpoint, signed, and leaves state and position', async () => {
    const { id, secret } = await add({ state: 'paused', pauseReason: 'paused_by_owner' })
    receiver.answerWith((response) => response.writeHead(404).end())
    expect(await stepsWith().deliverTestEvent({ id, requestId: 'r-1' })).toEqual({ number: 1 })
    expect(receiver.received[0]).toMatchObject({
      id: 'test-r-1',
      event: { topic: 'webhook.test', wallet: WALLET, data: { webhookId: id } },
    })
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    expect(await deliveriesOf(id)).toMatchObject([{ topic: 'webhook.test', outcome: 'failed', httpStatus: 404 }])
    expect(await endpointOf(id)).toMatchObject({ state: 'paused', position: 0n, failures: 0 })
  })

  test('of a deleted endpoint is refused', async () => {
    await expect(stepsWith().deliverTestEvent({ id: 'wh_none', requestId: 'r-1' })).rejects.toMatchObject({ code: 'webhook_not_found' })
  })
})

describe('the waker', () => {
  /** A waker with the ids of the processes that it signalled. */
  const wakerOf = () => {
    const signalled: string[] = []
    let isDown = false
    const signalWithStart = async (_type: string, { workflowId }: { workflowId: string }) => {
      if (isDown) throw new Error('the engine is down')
      signalled.push(workflowId.replace('webhook/', ''))
    }
    const client = { workflow: { signalWithStart } } as unknown as Client
    return {
      wake: createWebhookWaker({ send: createMessageSender(client), database, clock }),
      signalled,
      setDown: (down: boolean): void => {
        isDown = down
      },
    }
  }

  test('at its start wakes the endpoints for which something waits', async () => {
    const [{ id }, { id: idle }] = [await add(), await add({ topics: ['session.expired'] })]
    await write({})
    const { wake, signalled } = wakerOf()
    await wake()
    expect(signalled).toEqual([id])
    expect(signalled).not.toContain(idle)
  })

  test('wakes waiting endpoints that a new event is for, and neither busy nor paused ones', async () => {
    const { wake, signalled } = wakerOf()
    await wake()
    const { id } = await add({ topics: ['session.claimed'] })
    await add({ isWaiting: false })
    await add({ state: 'paused', pauseReason: 'paused_by_owner' })
    await add({ topics: ['session.expired'] })
    await addWebhook(database.rows, OTHER, receiver.url)
    await write({})
    await wake()
    await wake()
    expect(signalled).toEqual([id])
  })

  test('signals again what the engine refused', async () => {
    const { wake, signalled, setDown } = wakerOf()
    await wake()
    const { id } = await add()
    await write({})
    setDown(true)
    await expect(wake()).rejects.toThrow('the engine is down')
    setDown(false)
    await wake()
    expect(signalled).toEqual([id])
  })

  test('wakes a resumed endpoint once', async () => {
    const { wake, signalled } = wakerOf()
    await wake()
    const { id } = await add({ isWaiting: false, wakeRequestedAt: now })
    await wake()
    await wake()
    expect(signalled).toEqual([id])
    expect(await endpointOf(id)).toMatchObject({ wakeRequestedAt: null })
  })
})
