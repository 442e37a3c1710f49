import { createHash, createHmac } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'

/** Id of a configured secret. */
export const signingKeyId = (configured: string): string =>
  createHash('sha256').update(`webhook-key:${configured}`).digest('hex').slice(0, 16)

/** Secret of an endpoint, derived from a configured one. */
export const endpointSecret = (configured: string, endpointId: string): string =>
  SECRET_PREFIX + createHmac('sha256', configured).update(endpointId).digest('base64')

interface SignedMessage {
  id: string
  /** Epoch seconds. */
  timestamp: number
  body: string
}

/** Value of the header `webhook-signature`. Source: Standard Webhooks, "Signature scheme". */
export const signMessage = (secret: string, { id, timestamp, body }: SignedMessage): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
