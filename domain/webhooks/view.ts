import type { Tables } from '../../schemas/entities/tables.ts'
import type { Webhook, WebhookDelivery, WebhookOverview } from '../../schemas/webhooks/shapes.ts'
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

/** Labels of a host that tell whose it is. Those before them can be a secret, as can every part of a path. */
const OWNER_LABELS = 2

/** Of an address what can hold no secret: its protocol, and the end of its host with the port. */
const shownAddress = (url: string): string => {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const labels = hostname.split('.')
  const isNumeric = /^[\d.]+$|^\[/.test(hostname)
  const owner = isNumeric || labels.length <= OWNER_LABELS ? hostname : `….${labels.slice(-OWNER_LABELS).join('.')}`
  return `${protocol}//${owner}${port && `:${port}`}/${pathname === '/' && search === '' ? '' : '…'}`
}

/** An endpoint as operators see it, without anything of its secret. */
export const webhookOverview = (
  endpoint: Endpoint & { wallet: string },
  last: Delivery | null,
  nativeAccount: WebhookOverview['nativeAccount'],
): WebhookOverview => ({
  ...pick(endpoint, 'id', 'wallet', 'topics', 'sessionId', 'state', 'pauseReason', 'failures'),
  ...(nativeAccount !== undefined && { nativeAccount }),
  address: shownAddress(endpoint.url),
  createdAt: iso(endpoint.createdAt),
  position: String(endpoint.position),
  failingSince: isoOrNull(endpoint.failingSince),
  nextAttemptAt: isoOrNull(endpoint.nextAttemptAt),
  lastDelivery: last && { ...pick(last, 'durationMs', 'outcome', 'httpStatus', 'failure'), sentAt: iso(last.sentAt) },
})
