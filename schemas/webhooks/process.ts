import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'

/** Workflow id of a webhook endpoint. */
export const webhookWorkflowId = (id: string): string => `webhook/${id}`

/** Start arguments of the deliveries to an endpoint. */
export interface WebhookInput {
  v: 1
  id: string
}

/**
 * Where the deliveries to an endpoint stand. `delivering`: more events wait. `retrying`: the next attempt is due at `dueAt`. `waiting`: every
 * event is delivered. `paused` and `deleted` end the process.
 */
export interface WebhookProgress {
  state: 'delivering' | 'retrying' | 'waiting' | 'paused' | 'deleted'
  /** ISO 8601; null except for `retrying`. */
  dueAt: string | null
  details: string
}

export interface WebhookActivities {
  /** Delivers the next events in order, and records each delivery with the new position. A repeat may deliver an event again. */
  deliverEvents(input: { id: string }): Promise<WebhookProgress>
  /** Sends a test event and answers the number of the delivery. Throws 404 `webhook_not_found` for a deleted endpoint. */
  deliverTestEvent(input: { id: string; requestId: string }): Promise<{ number: number }>
}

/** New events wait for the endpoint, or its owner resumed it. */
export const eventsRecorded = defineSignal('eventsRecorded')

/** Resolves when the test event was sent, whatever the endpoint answered. */
export const webhookTest = defineUpdate<{ number: number }, [{ requestId: string }]>('test')

/** Where the deliveries stand; null before the first. */
export const webhookProgress = defineQuery<WebhookProgress | null>('webhookProgress')
