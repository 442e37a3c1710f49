import type { WebhookFailure, WebhookOutcome, WebhookPauseReason, WebhookState } from '../../schemas/webhooks/record.ts'
import type { Webhook, WebhookDelivery } from '../../schemas/webhooks/shapes.ts'
import { iso, isoOrNull } from '../common/instants.ts'

/** Instants in epoch ms. */
interface Delivery {
  number: number
  eventId: string
  topic: string
  sentAt: number
  durationMs: number
  outcome: WebhookOutcome
  httpStatus: number | null
  failure: WebhookFailure | null
  detail: string | null
  answer: string | null
}

interface Endpoint {
  id: string
  url: string
  topics: string[]
  sessionId: string | null
  keyId: string
  state: WebhookState
  pauseReason: WebhookPauseReason | null
  createdAt: number
  position: bigint
  failures: number
  failingSince: number | null
  nextAttemptAt: number | null
}

export const deliveryView = (delivery: Delivery): WebhookDelivery => {
  const { number, eventId, topic, sentAt, durationMs, outcome, httpStatus, failure, detail, answer } = delivery
  return { number, eventId, topic, sentAt: iso(sentAt), durationMs, outcome, httpStatus, failure, detail, answer }
}

export const webhookView = (endpoint: Endpoint, deliveries: readonly Delivery[]): Webhook => {
  const { id, url, topics, sessionId, keyId, state, pauseReason, createdAt, position, failures, failingSince, nextAttemptAt } = endpoint
  return {
    id,
    url,
    topics,
    sessionId,
    keyId,
    state,
    pauseReason,
    failures,
    createdAt: iso(createdAt),
    position: String(position),
    failingSince: isoOrNull(failingSince),
    nextAttemptAt: isoOrNull(nextAttemptAt),
    deliveries: deliveries.map(deliveryView),
  }
}
