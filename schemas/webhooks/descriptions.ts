/** Members of webhooks. */
export const WEBHOOK_MEMBERS = {
  webhooks: 'Webhook endpoints of the wallet.',
  keyId: 'Header `webhook-key-id` of its deliveries.',
  pauseReason: 'Why it is paused; null while it is active.',
  failingSince: 'Instant of the first of them.',
  nextAttemptAt: 'When the next attempt is due; null if none waits.',
  deliveries: 'Last deliveries, newest first.',
  delivery: 'The delivery of the test event.',
  eventId: 'Header `webhook-id`: the id of the event.',
  sentAt: 'When it was sent.',
  durationMs: 'Milliseconds until the answer.',
  httpStatus: 'HTTP status of the answer; null without one.',
  failure: 'Why it failed; null for a delivered event.',
  answer: 'First KiB of the answer.',
  secret: 'Key of the signatures: the HMAC key is what follows `whsec_`, decoded from base64.',
  deleted: 'Whether it was deleted.',
} as const
