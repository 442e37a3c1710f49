import { webhookStart } from '../../activities/webhooks/start.ts'
import { webhookTest } from '../../schemas/webhooks/process.ts'
import type { EngineCalls, Outcome } from './calls.ts'

/** Calls of the API to the process of a webhook endpoint. */
export const createWebhookCalls = ({ updateOrStart }: EngineCalls) => ({
  /** Sends a test event to an endpoint of a wallet (lower case). Answers the number of the delivery. */
  testWebhook: (endpoint: { id: string; wallet: string }, requestId: string): Promise<Outcome<{ number: number }>> => {
    const update = { updateId: `test-${requestId}`, input: { requestId } }
    return updateOrStart(webhookTest, update, 'webhook', webhookStart({ v: 1, id: endpoint.id }, endpoint.wallet))
  },
})
