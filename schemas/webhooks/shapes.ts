import { z } from 'zod'
import { DigitString, IsoTime } from '../operations/values.ts'
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

export const WebhookDeliveryShape = z
  .object({
    number: z.int().describe('Number of the delivery, from 1.'),
    eventId: z.string(),
    topic: z.string().describe('Topic of the event.'),
    sentAt: IsoTime,
    durationMs: z.int(),
    outcome: z.enum(WEBHOOK_OUTCOMES),
    httpStatus: z.int().nullable(),
    failure: z.enum(WEBHOOK_FAILURES).nullable(),
    detail: z.string().nullable(),
    answer: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'One attempt to deliver an event to a webhook endpoint.' })

export const WebhookShape = z
  .object({
    id: z.string(),
    url: z.string().describe('Address that gets the events.'),
    topics: z.array(z.string()).describe('Topics to deliver; empty for all.'),
    sessionId: z.string().nullable(),
    keyId: z.string(),
    state: z.enum(WEBHOOK_STATES),
    pauseReason: z.enum(WEBHOOK_PAUSE_REASONS).nullable(),
    createdAt: IsoTime,
    position: DigitString.describe('Id of the last event that was delivered, or that its filter left out.'),
    failures: z.int().describe('Failed attempts to deliver the next event.'),
    failingSince: IsoTime.nullable(),
    nextAttemptAt: IsoTime.nullable(),
    deliveries: z.array(WebhookDeliveryShape),
  })
  .meta({ id: 'Webhook', description: 'A webhook endpoint with its last 20 deliveries, newest first.' })

export type WebhookDelivery = z.input<typeof WebhookDeliveryShape>
export type Webhook = z.input<typeof WebhookShape>

export const WebhookCreatedShape = WebhookShape.extend({ secret: z.string() }).meta({
  id: 'WebhookCreated',
  description: 'A new webhook endpoint with its secret, which no other answer shows.',
})
