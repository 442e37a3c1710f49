/** States of a webhook endpoint. A paused one keeps its position and gets nothing. */
export const WEBHOOK_STATES = ['active', 'paused'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** Why an endpoint is paused: by its owner, after 24 hours of failures, or because the service no longer has its key. */
export const WEBHOOK_PAUSE_REASONS = ['paused_by_owner', 'failed_for_24_hours', 'signing_key_removed'] as const
export type WebhookPauseReason = (typeof WEBHOOK_PAUSE_REASONS)[number]

/** Outcome of one delivery. */
export const WEBHOOK_OUTCOMES = ['delivered', 'failed'] as const
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number]

/** Reasons of a failed delivery: `status` for an answer that is not 2xx, else why there was no answer. */
export const WEBHOOK_FAILURES = ['status', 'refused', 'timeout', 'network', 'redirected'] as const
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number]
