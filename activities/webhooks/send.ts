import type { GuardedFetch, OutboundAnswer } from '../outbound/guarded-fetch.ts'
import type { NewDelivery, WebhookRow } from './records.ts'
import { endpointSecret, signMessage } from './signature.ts'

/** Time limit of one delivery. */
const TIMEOUT_MS = 10_000
/** Part of an answer that is read. Only its length is kept: an address may be that of another's server. */
const ANSWER_BYTES = 1_024

/** An event as a receiver gets it. */
export interface WebhookMessage {
  /** Header `webhook-id`. */
  id: string
  topic: string
  body: string
}

type Result = Pick<NewDelivery, 'outcome' | 'httpStatus' | 'failure' | 'detail' | 'answerBytes'>

const resultOf = (answer: OutboundAnswer): Result => {
  if (!answer.ok) {
    // A cut answer is never too large, and none is decoded.
    const failure = answer.failure === 'too_large' || answer.failure === 'encoding' ? 'network' : answer.failure
    const detail = failure === 'redirected' ? 'redirects are not followed' : answer.detail
    return { outcome: 'failed', httpStatus: null, failure, detail, answerBytes: null }
  }
  const { status, body } = answer
  const common = { httpStatus: status, answerBytes: body.length }
  if (status >= 200 && status < 300) return { ...common, outcome: 'delivered', failure: null, detail: null }
  return { ...common, outcome: 'failed', failure: 'status', detail: `HTTP ${status}` }
}

/** Creates a function that sends a signed message once and never throws. `configured` is the secret of the key of the endpoint. */
export const createMessageSender =
  ({ fetch, now }: { fetch: GuardedFetch; now: () => number }) =>
  async (
    { id: endpointId, url, keyId }: Pick<WebhookRow, 'id' | 'url' | 'keyId'>,
    configured: string,
    { id, topic, body }: WebhookMessage,
  ): Promise<NewDelivery> => {
    const sentAt = now()
    const timestamp = Math.floor(sentAt / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'agent-work-service-webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage(endpointSecret(configured, endpointId), { id, timestamp, body }),
      'webhook-key-id': keyId,
    }
    const began = performance.now()
    const answer = await fetch({ url, headers, body, timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, cut: true, redirects: 0 })
    return { eventId: id, topic, sentAt, durationMs: Math.round(performance.now() - began), ...resultOf(answer) }
  }
