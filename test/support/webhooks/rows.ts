import type { Rows } from '../../../activities/database/database.ts'
import { insertWebhook, updateWebhook, type WebhookRow } from '../../../activities/webhooks/records.ts'
import { endpointSecret, signingKeyId } from '../../../activities/webhooks/signature.ts'

export const WEBHOOK_SECRET = 'webhook-secret-of-the-tests-0123456789'

let count = 0

/** Adds an endpoint of a wallet that gets every event of the records. Returns its id and secret. */
export const addWebhook = async (rows: Rows, wallet: string, url: string, change: Partial<WebhookRow> = {}) => {
  count += 1
  const id = `wh_${String(count).padStart(32, '0')}`
  const keyId = signingKeyId(WEBHOOK_SECRET)
  await insertWebhook(rows, { id, wallet, url, keyId, topics: [], sessionId: null, createdAt: Date.now(), position: 0n })
  if (Object.keys(change).length > 0) await updateWebhook(rows, id, change)
  return { id, secret: endpointSecret(WEBHOOK_SECRET, id) }
}
