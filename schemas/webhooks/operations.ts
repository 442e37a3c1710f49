import { z } from 'zod'
import { ADMIN, operation, SIGNED_IN, WALLET_ONLY } from '../operations/operation.ts'
import { AddressInput, IdempotencyKeyInput, listAnswer, listQuery, SessionIdInput } from '../operations/values.ts'
import { WEBHOOK_STATES } from './record.ts'
import {
  WebhookCreatedShape,
  WebhookDeliveryShape,
  WebhookIdInput,
  WebhookOverviewShape,
  WebhookShape,
  WebhookTopicsInput,
  WebhookUrlInput,
} from './shapes.ts'

const read = { tags: ['Events'], ...SIGNED_IN, capability: 'events:read' } as const
const change = { tags: ['Events'], auth: WALLET_ONLY, action: 'wallet_sign_in', capability: 'events:read', rate: 'webhooks' } as const
const params = z.object({ id: WebhookIdInput })
const body = z.strictObject({ idempotencyKey: IdempotencyKeyInput.optional() })
const examples = { params: { id: `wh_${'0'.repeat(32)}` } }
const changeOne = { ...change, params, body, errors: ['webhooks_off', 'webhook_not_found'], examples: { ...examples, body: {} } } as const

export const createWebhook = operation('createWebhook', 'POST /webhooks', {
  summary: 'Register an https endpoint that gets the events of the wallet.',
  description:
    'The service posts each event that is recorded from now on, in order and at least once. `webhook-id` is the id of the event, so a receiver drops repeats. The signature is `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. Any answer but 2xx within 10 seconds is a failure and is tried again; after 24 hours of failures the endpoint is paused.',
  ...change,
  idempotent: 'webhook_create',
  body: z.strictObject({
    url: WebhookUrlInput,
    topics: WebhookTopicsInput,
    sessionId: SessionIdInput.optional().describe('Deliver the events of this session only.'),
    idempotencyKey: IdempotencyKeyInput.optional(),
  }),
  responses: { 201: WebhookCreatedShape },
  errors: ['webhooks_off', 'webhook_limit_reached', 'webhook_address_refused'],
  examples: { body: { url: 'https://agent.example/events', topics: ['session.claimed', 'verification.resolved'] } },
})

export const listWebhooks = operation('listWebhooks', 'GET /webhooks', {
  summary: 'Webhook endpoints of the wallet with their state and last deliveries.',
  ...read,
  responses: { 200: z.object({ webhooks: z.array(WebhookShape) }) },
  errors: ['webhooks_off'],
})

export const listAdminWebhooks = operation('listAdminWebhooks', 'GET /admin/webhooks', {
  fromReplica: true,
  summary: 'Webhook endpoints of every wallet, newest first; of an address no part that can hold a secret.',
  ...ADMIN,
  tags: ['Operators'],
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    state: z.enum(WEBHOOK_STATES).optional(),
    wallet: AddressInput.optional(),
  }),
  responses: { 200: z.object({ webhooks: z.array(WebhookOverviewShape), ...listAnswer }) },
  errors: ['webhooks_off'],
  examples: { query: { state: 'paused' } },
})

export const getWebhook = operation('getWebhook', 'GET /webhooks/:id', {
  summary: 'One webhook endpoint of the wallet.',
  ...read,
  params,
  responses: { 200: WebhookShape },
  errors: ['webhooks_off', 'webhook_not_found'],
  examples,
})

export const testWebhook = operation('testWebhook', 'POST /webhooks/:id/test', {
  summary: 'Send a signed test event to a webhook endpoint now.',
  description:
    'The event has the topic `webhook.test`. It is also sent to a paused endpoint, and changes neither its state nor its position.',
  ...changeOne,
  idempotent: 'webhook_test',
  responses: { 200: z.object({ delivery: WebhookDeliveryShape }) },
  errors: [...changeOne.errors, 'webhook_test_pending', 'workflow_engine_unavailable', 'upstream_failure'],
})

export const pauseWebhook = operation('pauseWebhook', 'POST /webhooks/:id/pause', {
  summary: 'Stop the deliveries to a webhook endpoint; its position stays.',
  ...changeOne,
  idempotent: 'webhook_pause',
  responses: { 200: WebhookShape },
})

export const resumeWebhook = operation('resumeWebhook', 'POST /webhooks/:id/resume', {
  summary: 'Deliver every event after the position of a webhook endpoint, beginning now.',
  description: 'On an active endpoint it makes the next attempt at once.',
  ...changeOne,
  idempotent: 'webhook_resume',
  responses: { 200: WebhookShape },
})

export const deleteWebhook = operation('deleteWebhook', 'POST /webhooks/:id/delete', {
  summary: 'Delete a webhook endpoint with its deliveries.',
  ...changeOne,
  idempotent: 'webhook_delete',
  responses: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
})
