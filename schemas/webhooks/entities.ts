import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { WebhookFailure, WebhookOutcome, WebhookPauseReason, WebhookState } from './record.ts'

/** An endpoint of a wallet. Its secret is derived, not stored. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: p.text().primary(),
    /** Lower case. */
    wallet: p.text(),
    url: p.text(),
    /** Empty for every topic. */
    topics: p.json<string[]>(),
    sessionId: p.text().nullable(),
    /** Configured secret that its secret is derived from. */
    keyId: p.text(),
    state: p.text().$type<WebhookState>(),
    pauseReason: p.text().$type<WebhookPauseReason>().nullable(),
    createdAt: instant(),
    /** Number of the last event that was delivered or left out. */
    position: p.bigint(),
    /** Failed deliveries of the next event. */
    failures: p.integer(),
    failingSince: instant().nullable(),
    nextAttemptAt: instant().nullable(),
    /** Whether its process waits for new events. */
    isWaiting: p.boolean(),
    /** When its owner resumed it, until its process knows. */
    wakeRequestedAt: instant().nullable(),
    /** Recorded deliveries so far. */
    deliveryCount: p.integer(),
    /** Raised with each change by its owner. */
    version: p.integer(),
  },
})

/** One of the last deliveries to an endpoint. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  properties: {
    endpointId: p.text().primary(),
    number: p.integer().primary(),
    /** Value of the header `webhook-id`. */
    eventId: p.text(),
    topic: p.text(),
    sentAt: instant(),
    durationMs: p.integer(),
    outcome: p.text().$type<WebhookOutcome>(),
    /** HTTP status; null without an answer. */
    httpStatus: p.integer().nullable(),
    failure: p.text().$type<WebhookFailure>().nullable(),
    detail: p.text().nullable(),
    /** Length of the answer; 1,024 for a longer one. */
    answerBytes: p.integer().nullable(),
  },
})
