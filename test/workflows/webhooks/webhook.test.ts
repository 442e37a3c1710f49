import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { emit } from '../../../activities/events/outbox.ts'
import { relayEvents } from '../../../activities/events/relay.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createMessageSender } from '../../../activities/temporal/send.ts'
import { createWebhookSteps } from '../../../activities/webhooks/deliver.ts'
import { findWebhook, listDeliveries, updateWebhook } from '../../../activities/webhooks/records.ts'
import { createWebhookWaker } from '../../../activities/webhooks/wake.ts'
import { webhookProgress, webhookTest, webhookWorkflowId } from '../../../schemas/webhooks/process.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'
import { addWebhook, WEBHOOK_SECRET } from '../../support/webhooks/rows.ts'
import { HOUR, MINUTE, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const WALLET = `0x${'1'.repeat(40)}`
const engine = useEngine()

let server: TestDatabase
let database: Database
let receiver: Receiver
let wake: () => Promise<void>

beforeAll(async () => {
  server = await createTestDatabase()
  database = openDatabase({ url: server.url })
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await database.close()
  await server.drop()
})
beforeEach(async () => {
  receiver.answerWith()
  receiver.received.length = 0
  await database.rows.deleteFrom('webhook_endpoint').execute()
  await database.rows.deleteFrom('event').execute()
  const clock = { now: () => engine.now() }
  const fetch = createGuardedFetch({ allowedHosts: [receiver.host] })
  const settings = { WEBHOOKS: true, WEBHOOK_SECRETS: [WEBHOOK_SECRET] }
  engine.service.play({ ...createWebhookSteps({ settings, database, clock, fetch }) })
  wake = createWebhookWaker({ send: createMessageSender(engine.client), database, clock })
  await wake()
})

const write = async (count = 1): Promise<void> => {
  for (let place = 0; place < count; place += 1)
    await emit(database.rows, { topic: 'session.claimed', wallets: [WALLET], at: engine.now(), data: {} })
  while ((await relayEvents(database)) > 0);
}
const add = async (): Promise<{ id: string; handle: WorkflowHandle }> => {
  const { id } = await addWebhook(database.rows, WALLET, receiver.url)
  return { id, handle: engine.client.workflow.getHandle(webhookWorkflowId(id)) }
}
const stateOf = async (handle: WorkflowHandle): Promise<string | undefined> =>
  (await handle.query(webhookProgress).catch(() => null))?.state
const deliveryOf = async (id: string) => (await listDeliveries(database.rows, [id]))[0]
const end = async ({ id, handle }: { id: string; handle: WorkflowHandle }): Promise<void> => {
  await database.rows.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
  await handle.terminate().catch(() => undefined)
}

describe('the deliveries to an endpoint', () => {
  test('begin with its first event, and an idle endpoint costs neither a signal nor a step', async () => {
    const { id, handle } = await add()
    await wake()
    await expect(handle.describe()).rejects.toThrow()
    await write(3)
    await wake()
    await until(() => receiver.received.length === 3)
    await until(async () => (await stateOf(handle)) === 'waiting')
    const { historyLength } = await handle.describe()
    await wake()
    await wake()
    expect((await handle.describe()).historyLength).toBe(historyLength)
    await write(2)
    await wake()
    await until(() => receiver.received.length === 5)
    expect(receiver.ids()).toEqual(['1', '2', '3', '4', '5'])
    await end({ id, handle })
  })

  test('go on after 500 and after a redirect to a private address, at their times and in order', async () => {
    const { id, handle } = await add()
    receiver.answerWith((response) => response.writeHead(500).end())
    await write(2)
    await wake()
    await until(async () => (await stateOf(handle)) === 'retrying')
    expect(await deliveryOf(id)).toMatchObject({ failure: 'status', httpStatus: 500 })
    receiver.answerWith((response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end())
    await engine.move(6_000)
    await until(() => receiver.received.length === 2)
    await until(async () => (await deliveryOf(id))?.failure === 'redirected')
    receiver.answerWith()
    await engine.move(MINUTE)
    await until(() => receiver.received.length === 4)
    expect(receiver.ids()).toEqual(['1', '1', '1', '2'])
    await end({ id, handle })
  })

  test('are paused after 24 hours of failures, and a resumed endpoint gets every later event in order', async () => {
    const { id, handle } = await add()
    receiver.answerWith((response) => response.writeHead(503).end())
    await write(2)
    await wake()
    await until(async () => (await stateOf(handle)) === 'retrying')
    for (let tries = 1; ; tries += 1) {
      const endpoint = await findWebhook(database.rows, id)
      if (endpoint?.state === 'paused' || endpoint?.nextAttemptAt == null) break
      await engine.move(endpoint.nextAttemptAt - engine.now() + 1_000)
      await until(() => receiver.received.length > tries)
      await until(async () => {
        const { state, nextAttemptAt } = (await findWebhook(database.rows, id)) ?? {}
        return state === 'paused' || (nextAttemptAt ?? 0) > engine.now()
      })
    }
    expect(await handle.result()).toEqual({ state: 'paused' })
    const paused = await findWebhook(database.rows, id)
    expect(paused).toMatchObject({ state: 'paused', pauseReason: 'failed_for_24_hours', position: 0n })
    expect(engine.now() - (paused?.failingSince ?? 0)).toBeLessThan(25 * HOUR)
    await write(2)
    await wake()
    receiver.received.length = 0
    receiver.answerWith()
    const resumed = { state: 'active' as const, pauseReason: null, failures: 0, failingSince: null, nextAttemptAt: null }
    await updateWebhook(database.rows, id, { ...resumed, wakeRequestedAt: engine.now() })
    await wake()
    await until(() => receiver.received.length === 4)
    expect(receiver.ids()).toEqual(['1', '2', '3', '4'])
    await end({ id, handle })
  })

  test('wait for an endpoint that is slow, and a test event passes meanwhile', async () => {
    const { id, handle } = await add()
    const release = Promise.withResolvers<void>()
    receiver.answerWith((response, { event }) => {
      if (event.topic === 'webhook.test') response.end()
      else void release.promise.then(() => response.end())
    })
    await write(2)
    await wake()
    await until(() => receiver.received.length === 1)
    await handle.executeUpdate(webhookTest, { args: [{ requestId: 'r-1' }] })
    expect(receiver.ids()).toEqual(['1', 'test-r-1'])
    release.resolve()
    await until(() => receiver.received.length === 3)
    expect(receiver.ids()).toEqual(['1', 'test-r-1', '2'])
    await end({ id, handle })
  })

  test('end with a deleted endpoint, and its test is refused', async () => {
    const { id, handle } = await add()
    await write()
    await wake()
    await until(async () => (await stateOf(handle)) === 'waiting')
    await database.rows.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
    await expect(handle.executeUpdate(webhookTest, { args: [{ requestId: 'r-2' }] })).rejects.toMatchObject({
      cause: { type: 'webhook_not_found' },
    })
    await handle.signal('eventsRecorded')
    expect(await handle.result()).toEqual({ state: 'deleted' })
  })
})
