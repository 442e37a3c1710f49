import type { Tables } from '../../schemas/entities/tables.ts'
import type { Webhook, WebhookDelivery } from '../../schemas/webhooks/shapes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { pick } from '../common/pick.ts'

type Delivery = Omit<Tables['webhook_delivery'], 'endpointId'>
type Endpoint = Omit<Tables['webhook_endpoint'], 'wallet' | 'isWaiting' | 'wakeRequestedAt' | 'deliveryCount' | 'version'>

export const deliveryView = (delivery: Delivery): WebhookDelivery => ({
  ...pick(delivery, 'number', 'eventId', 'topic', 'durationMs', 'outcome', 'httpStatus', 'failure', 'detail', 'answerBytes'),
  sentAt: iso(delivery.sentAt),
})

export const webhookView = (endpoint: Endpoint, deliveries: readonly Delivery[]): Webhook => ({
  ...pick(endpoint, 'id', 'url', 'topics', 'sessionId', 'keyId', 'state', 'pauseReason', 'failures'),
  createdAt: iso(endpoint.createdAt),
  position: String(endpoint.position),
  failingSince: isoOrNull(endpoint.failingSince),
  nextAttemptAt: isoOrNull(endpoint.nextAttemptAt),
  deliveries: deliveries.map(deliveryView),
})
