import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Rows } from '../../activities/database/database.ts'
import { readEventRange } from '../../activities/events/feed.ts'
import { findKey } from '../../activities/http/idempotency.ts'
import { nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import {
  deleteWebhook,
  findDelivery,
  findWebhook,
  insertWebhook,
  latestDeliveries,
  listDeliveries,
  listWebhooks,
  listWebhooksOf,
  lockWebhook,
  lockWebhooksOf,
  MAX_WEBHOOKS,
  updateWebhook,
  type WebhookRow,
} from '../../activities/webhooks/records.ts'
import { endpointSecret, signingKeyId } from '../../activities/webhooks/signature.ts'
import { webhookStart } from '../../activities/webhooks/start.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { TOPICS } from '../../domain/events/topics.ts'
import { deliveryView, webhookOverview, webhookView } from '../../domain/webhooks/view.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import * as webhookOperations from '../../schemas/webhooks/operations.ts'
import { webhookTest, webhookWorkflowId } from '../../schemas/webhooks/process.ts'
import type { ApiDeps } from '../deps.ts'
import { createUnconfiguredHandlers } from '../http/answers.ts'
import { keyedRequest, withIdempotentTransaction, withProcessKey } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { invalidRequest } from '../http/problem.ts'

const Position = z.object({ createdAt: InstantKey, id: TextKey })

type Change = Pick<Input<typeof webhookOperations.pauseWebhook>, 'params' | 'caller' | 'request'>

/** Throws 400 `invalid_request` for a topic that no event has. */
const assertTopics = (topics: readonly string[]): void => {
  const unknown = topics.flatMap((topic, place) => (Object.hasOwn(TOPICS, topic) ? [] : [place]))
  if (unknown.length > 0)
    throw invalidRequest(unknown.map((place) => ({ pointer: `/topics/${place}`, rule: 'enum', message: 'is no topic of events' })))
}

/** Webhook endpoints of wallets. */
export const createWebhookHandlers = (deps: ApiDeps): HandlersOf<typeof webhookOperations> => {
  const { settings, database, clock, checkAddress, engine } = deps
  if (!settings.WEBHOOKS) return createUnconfiguredHandlers(webhookOperations, () => Promise.reject(new ServiceError('webhooks_off')))
  const secrets = new Map(settings.WEBHOOK_SECRETS.map((configured) => [signingKeyId(configured), configured]))
  const [newestKeyId] = secrets.keys()

  const assertOwned = (endpoint: WebhookRow | null, wallet: string): WebhookRow => {
    if (endpoint?.wallet !== wallet) throw new ServiceError('webhook_not_found')
    return endpoint
  }

  const viewOf = async (rows: Rows, endpoint: WebhookRow) => webhookView(endpoint, await listDeliveries(rows, [endpoint.id]))

  const assertReachable = async (url: string): Promise<void> => {
    const fault = await checkAddress(url)
    if (fault !== null) throw new ServiceError('webhook_address_refused', { details: { reason: fault } })
  }

  /** Changes an own endpoint in one transaction and answers it. */
  const change = (input: Change, values: () => Parameters<typeof updateWebhook>[2]) =>
    withIdempotentTransaction(deps, input, async (rows) => {
      const { id, version } = assertOwned(await lockWebhook(rows, input.params.id), input.caller.wallet)
      await updateWebhook(rows, id, { ...values(), version: version + 1 })
      return { status: 200 as const, body: await viewOf(rows, assertOwned(await findWebhook(rows, id), input.caller.wallet)) }
    })

  return {
    createWebhook: async (input) => {
      const { caller, body } = input
      const { wallet } = caller
      assertTopics(body.topics)
      if (newestKeyId === undefined) throw new ServiceError('webhooks_off')
      const keyed = keyedRequest(deps, input)
      const known = keyed === null ? null : await findKey(database.rows, keyed.scope)
      if (known === null) await assertReachable(body.url)
      const answer = await withIdempotentTransaction(deps, input, async (rows) => {
        await lockWebhooksOf(rows, wallet)
        if ((await listWebhooksOf(rows, wallet)).length >= MAX_WEBHOOKS) throw new ServiceError('webhook_limit_reached')
        const id = `wh_${randomBytes(16).toString('hex')}`
        const { newest: position } = await readEventRange(rows, clock.now())
        const sessionId = body.sessionId === undefined ? null : (normaliseSessionId(body.sessionId) ?? body.sessionId)
        const topics = [...new Set(body.topics)]
        await insertWebhook(rows, {
          id,
          wallet,
          topics,
          sessionId,
          position,
          url: new URL(body.url).href,
          keyId: newestKeyId,
          createdAt: clock.now(),
        })
        return { status: 201 as const, body: await viewOf(rows, assertOwned(await findWebhook(rows, id), wallet)) }
      })
      // A stored answer has no secret.
      const configured = secrets.get(answer.body.keyId)
      if (configured === undefined) throw new ServiceError('webhooks_off')
      return { ...answer, body: { ...answer.body, secret: endpointSecret(configured, answer.body.id) } }
    },

    listWebhooks: async ({ caller: { wallet } }) => {
      const endpoints = await listWebhooksOf(database.rows, wallet)
      const ids = endpoints.map(({ id }) => id)
      const deliveries = Map.groupBy(await listDeliveries(database.rows, ids), ({ endpointId }) => endpointId)
      return { status: 200, body: { webhooks: endpoints.map((endpoint) => webhookView(endpoint, deliveries.get(endpoint.id) ?? [])) } }
    },

    listAdminWebhooks: async ({ query }) => {
      const { state, wallet } = query
      const page = listPage({ ...query, operationId: 'listAdminWebhooks', filters: { state, wallet }, position: Position })
      const found = await listWebhooks(database.rows, { state, wallet }, { limit: page.readLimit, after: page.after })
      const { rows, ...envelope } = page.cut(found, ({ createdAt, id }) => ({ createdAt, id }))
      const wallets = [...new Set(rows.map((endpoint) => endpoint.wallet))]
      const ids = rows.map(({ id }) => id)
      const [accounts, last] = await Promise.all([nativeAccountViews(database.rows, wallets), latestDeliveries(database.rows, ids)])
      const webhooks = rows.map((endpoint) => webhookOverview(endpoint, last.get(endpoint.id) ?? null, accounts.get(endpoint.wallet)))
      return { status: 200, body: { webhooks, ...envelope } }
    },

    getWebhook: async ({ params: { id }, caller: { wallet } }) => ({
      status: 200,
      body: await viewOf(database.rows, assertOwned(await findWebhook(database.rows, id), wallet)),
    }),

    testWebhook: (input) =>
      withProcessKey(deps, input, async (key) => {
        const { id, wallet } = assertOwned(await findWebhook(database.rows, input.params.id), input.caller.wallet)
        const requestId = await key.join(webhookWorkflowId(id), randomUUID())
        const update = { updateId: `test-${requestId}`, input: { requestId } }
        const outcome = await engine.updateOrStart(webhookTest, update, 'webhook', webhookStart({ v: 1, id }, wallet))
        const delivery = outcome.kind === 'done' ? await findDelivery(database.rows, id, outcome.value.number) : null
        if (delivery === null) throw new ServiceError('webhook_test_pending', { retryAfterSeconds: 2 })
        return { status: 200 as const, body: { delivery: deliveryView(delivery) } }
      }),

    pauseWebhook: (input) => change(input, () => ({ state: 'paused', pauseReason: 'paused_by_owner' })),

    resumeWebhook: (input) =>
      change(input, () => ({
        state: 'active' as const,
        pauseReason: null,
        failures: 0,
        failingSince: null,
        nextAttemptAt: null,
        wakeRequestedAt: clock.now(),
      })),

    deleteWebhook: (input) =>
      withIdempotentTransaction(deps, input, async (rows) => {
        const { id } = assertOwned(await lockWebhook(rows, input.params.id), input.caller.wallet)
        await deleteWebhook(rows, id)
        return { status: 200 as const, body: { id, deleted: true as const } }
      }),
  }
}
