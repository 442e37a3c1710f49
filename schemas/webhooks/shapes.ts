import { z } from 'zod'
import { Address, DigitString, IsoTime, nativeAccount, part, shape } from '../operations/values.ts'
import { WEBHOOK_FAILURES, WEBHOOK_OUTCOMES, WEBHOOK_PAUSE_REASONS, WEBHOOK_STATES } from './record.ts'

/** Topics of an endpoint at most. */
const MAX_TOPICS = 100

export const WebhookIdInput = z
  .string()
  .regex(/^wh_[0-9a-f]{32}$/, { error: 'must be the id of a webhook endpoint' })
  .meta({ examples: [`wh_${'0'.repeat(32)}`] })

export const WebhookUrlInput = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[\x21-\x7e]+$/, { error: 'must be an https address' })
  .describe('Public https address that gets the events.')

export const WebhookTopicsInput = z
  .array(z.string().regex(/^[a-z_]{1,40}\.[a-z_]{1,60}$/, { error: 'must be a topic of events' }))
  .max(MAX_TOPICS)
  .default([])
  .describe('Topics to deliver; without any, all of them.')

export const WebhookDeliveryShape = shape('WebhookDelivery', 'One attempt to deliver an event to a webhook endpoint.', {
  number: z.int().describe('Number of the delivery, from 1.'),
  eventId: z.string().describe('Header `webhook-id`: the id of the event.'),
  topic: z.string(),
  sentAt: IsoTime,
  durationMs: z.int().describe('Milliseconds until the answer.'),
  outcome: z.enum(WEBHOOK_OUTCOMES),
  httpStatus: z.int().nullable().describe('Status of the answer; null without one.'),
  failure: z.enum(WEBHOOK_FAILURES).nullable().describe('Null for a delivered event.'),
  detail: z.string().nullable(),
  answerBytes: z.int().nullable().describe('Length of the answer; 1024 for a longer one, null without an answer.'),
})

export const WebhookShape = shape('Webhook', 'A webhook endpoint with its last 20 deliveries, newest first.', {
  id: z.string(),
  url: z.string(),
  topics: z.array(z.string()).describe('Topics to deliver; empty for all.'),
  sessionId: z.string().nullable().describe('Session whose events alone are delivered; null for those of all.'),
  keyId: z.string().describe('Header `webhook-key-id` of its deliveries.'),
  state: z.enum(WEBHOOK_STATES),
  pauseReason: z.enum(WEBHOOK_PAUSE_REASONS).nullable().describe('Null while it is active.'),
  createdAt: IsoTime,
  position: DigitString.describe('Id of the last event that was delivered, or that its filter left out.'),
  failures: z.int().describe('Failed attempts to deliver the next event.'),
  failingSince: IsoTime.nullable().describe('Instant of the first failed attempt since the last delivery; null without one.'),
  nextAttemptAt: IsoTime.nullable().describe('Null if no attempt waits.'),
  deliveries: z.array(WebhookDeliveryShape).describe('Last 20, newest first.'),
})

export type WebhookDelivery = z.input<typeof WebhookDeliveryShape>
export type Webhook = z.input<typeof WebhookShape>

export const WebhookCreatedShape = WebhookShape.extend({
  secret: z.string().describe('The key of the HMAC is what follows `whsec_`, decoded from base64.'),
}).meta({
  id: 'WebhookCreated',
  description: 'A new webhook endpoint with its secret, which no other answer shows.',
})

export const WebhookOverviewShape = shape('WebhookOverview', 'A webhook endpoint of any wallet, for operators.', {
  id: z.string(),
  wallet: Address,
  nativeAccount,
  address: z.string().describe('Scheme, host and the first segment of the path; `…` stands for further segments.'),
  topics: z.array(z.string()).describe('Topics to deliver; empty for all.'),
  sessionId: z.string().nullable().describe('Session whose events alone are delivered; null for those of all.'),
  state: z.enum(WEBHOOK_STATES),
  pauseReason: z.enum(WEBHOOK_PAUSE_REASONS).nullable().describe('Null while it is active.'),
  createdAt: IsoTime,
  position: DigitString.describe('Id of the last event that was delivered, or that its filter left out.'),
  failures: z.int().describe('Failed attempts to deliver the next event.'),
  failingSince: IsoTime.nullable().describe('Instant of the first failed attempt since the last delivery; null without one.'),
  nextAttemptAt: IsoTime.nullable().describe('Null if no attempt waits.'),
  lastDelivery: part('Last attempt; null before the first.', {
    sentAt: IsoTime,
    durationMs: z.int().describe('Milliseconds until the answer.'),
    outcome: z.enum(WEBHOOK_OUTCOMES),
    httpStatus: z.int().nullable().describe('Status of the answer; null without one.'),
    failure: z.enum(WEBHOOK_FAILURES).nullable().describe('Null for a delivered event.'),
  }).nullable(),
})
export type WebhookOverview = z.input<typeof WebhookOverviewShape>
