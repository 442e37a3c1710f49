import { iso } from '../../domain/common/instants.ts'
import { eventEnvelope } from '../../domain/event-stream/envelope.ts'
import { endpointFilter } from '../../domain/webhooks/filter.ts'
import { nextAttemptAt } from '../../domain/webhooks/schedule.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { WebhookActivities, WebhookProgress } from '../../schemas/webhooks/process.ts'
import type { WebhookPauseReason } from '../../schemas/webhooks/record.ts'
import type { RecordDeps } from '../database/database.ts'
import { type NumberedEvent, readEventRange, readEventsAfter } from '../events/feed.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { findWebhook, insertDelivery, lockWebhook, type NewDelivery, updateWebhook, type WebhookRow } from './records.ts'
import { createMessageSender } from './send.ts'
import { signingKeyId } from './signature.ts'

/** Time after which an activity begins no other delivery. */
const ROUND_MS = 20_000
/** Deliveries of a process at a time. Other activities need the rest of its slots. */
const MAX_OPEN = 30
/** Pause of a process that found no free delivery. */
const BUSY_MS = 1_000
const TEST_TOPIC = 'webhook.test'

export interface WebhookDeps extends RecordDeps {
  settings: Pick<Settings, 'WEBHOOKS' | 'WEBHOOK_SECRETS'>
  fetch: GuardedFetch
  /** Deliveries at a time; the default protects other activities. */
  maxOpen?: number
}

const progress = (state: WebhookProgress['state'], details: string, dueAt: number | null = null): WebhookProgress => ({
  state,
  dueAt: dueAt === null ? null : iso(dueAt),
  details,
})

/** Deliveries of events to the endpoints of wallets. */
export const createWebhookSteps = ({ settings, database, clock, fetch, maxOpen = MAX_OPEN }: WebhookDeps): WebhookActivities => {
  const send = createMessageSender({ fetch, now: clock.now })
  const secrets = new Map(settings.WEBHOOK_SECRETS.map((configured) => [signingKeyId(configured), configured]))
  let open = 0

  /** The next event of an endpoint; null, and the endpoint marked as waiting, without one. */
  const findNext = async (endpoint: WebhookRow): Promise<NumberedEvent | null> => {
    const { id, position, isWaiting } = endpoint
    const { rows } = database
    const filter = endpointFilter(endpoint)
    const { newest } = await readEventRange(rows, clock.now())
    const [found] = await readEventsAfter(rows, filter, position, 1)
    if (found !== undefined) {
      if (isWaiting) await updateWebhook(rows, id, { isWaiting: false })
      return found
    }
    await rows
      .updateTable('webhook_endpoint')
      .set({ isWaiting: true, position: newest })
      .where('id', '=', id)
      .where('position', '=', position)
      .execute()
    // An event that was numbered before the mark sent no signal.
    const [late] = await readEventsAfter(rows, filter, newest, 1)
    if (late !== undefined) await updateWebhook(rows, id, { isWaiting: false })
    return late ?? null
  }

  /** Records a delivery together with the new position, or with the time of the next attempt. */
  const record = (id: string, seq: bigint, delivery: NewDelivery): Promise<void> =>
    database.transaction(async (rows) => {
      const endpoint = await lockWebhook(rows, id)
      if (endpoint === null) return
      await insertDelivery(rows, endpoint, delivery)
      // Another activity delivered the event already.
      if (endpoint.position >= seq) return
      if (delivery.outcome === 'delivered')
        return updateWebhook(rows, id, { position: seq, failures: 0, failingSince: null, nextAttemptAt: null })
      const failures = endpoint.failures + 1
      const failingSince = endpoint.failingSince ?? delivery.sentAt
      const next = nextAttemptAt(failures, failingSince, clock.now())
      const isEnded = endpoint.state === 'active' && next === null
      const ending = isEnded && ({ state: 'paused', pauseReason: 'failed_for_24_hours' } as const)
      await updateWebhook(rows, id, { failures, failingSince, nextAttemptAt: next, ...ending })
    })

  const pause = (id: string, pauseReason: WebhookPauseReason): Promise<void> =>
    database.transaction(async (rows) => {
      const endpoint = await lockWebhook(rows, id)
      if (endpoint?.state === 'active') await updateWebhook(rows, id, { state: 'paused', pauseReason })
    })

  /** Delivers the next event of an endpoint; null when it was delivered. */
  const deliverNext = async (id: string): Promise<WebhookProgress | null> => {
    const endpoint = await findWebhook(database.rows, id)
    if (endpoint === null) return progress('deleted', 'The endpoint was deleted.')
    const { state, pauseReason, nextAttemptAt: dueAt, failures, url } = endpoint
    if (!settings.WEBHOOKS) return progress('paused', 'Webhooks are off.')
    if (state === 'paused') return progress('paused', `Paused: ${pauseReason}.`)
    if (dueAt !== null && dueAt > clock.now()) return progress('retrying', `${failures} failed attempts at ${url}.`, dueAt)
    const configured = secrets.get(endpoint.keyId)
    if (configured === undefined) {
      await pause(id, 'signing_key_removed')
      return progress('paused', 'Paused: signing_key_removed.')
    }
    const event = await findNext(endpoint)
    if (event === null) return progress('waiting', 'Every event is delivered.')
    const envelope = eventEnvelope(event)
    const message = { id: envelope.id, topic: envelope.topic, body: JSON.stringify(envelope) }
    await record(id, event.seq, await send(endpoint, configured, message))
    return null
  }

  return {
    deliverEvents: async ({ id }) => {
      if (open >= maxOpen) return progress('retrying', 'Waits for other deliveries.', clock.now() + BUSY_MS)
      open += 1
      try {
        const began = performance.now()
        while (performance.now() - began < ROUND_MS) {
          const ended = await deliverNext(id)
          if (ended !== null) return ended
        }
        return progress('delivering', 'More events may wait.')
      } finally {
        open -= 1
      }
    },

    deliverTestEvent: async ({ id, requestId }) => {
      const endpoint = await findWebhook(database.rows, id)
      if (endpoint === null) throw new ServiceError('webhook_not_found')
      const configured = secrets.get(endpoint.keyId)
      if (configured === undefined) throw new ServiceError('webhooks_off', { reason: 'signing_key_removed' })
      const testId = `test-${requestId}`
      const { wallet } = endpoint
      const timestamp = iso(clock.now())
      const body = JSON.stringify({ id: testId, topic: TEST_TOPIC, type: 'webhook_test', wallet, timestamp, data: { webhookId: id } })
      const delivery = await send(endpoint, configured, { id: testId, topic: TEST_TOPIC, body })
      const number = await database.transaction(async (rows) => {
        const locked = await lockWebhook(rows, id)
        if (locked === null) throw new ServiceError('webhook_not_found')
        return insertDelivery(rows, locked, delivery)
      })
      return { number }
    },
  }
}
