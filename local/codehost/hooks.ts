import { createHmac, randomUUID } from 'node:crypto'

export interface HookTarget {
  url: string
  secret: string
}

export interface Delivery {
  event: string
  body: unknown
  /** Id of the delivery; a repeated delivery has the same. */
  id?: string
  /** Sent instead of the right signature. */
  signature?: string
}

export const signatureOf = (secret: string, raw: string | Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`

/** Sends one event as the host does: signed over the bytes of its body. */
export const deliver = ({ url, secret }: HookTarget, { event, body, id = randomUUID(), signature }: Delivery): Promise<Response> => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url, {
    method: 'POST',
    body: raw,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': signature ?? signatureOf(secret, raw),
    },
  })
}

/** Body of a `pull_request` event with the members that the service reads; unique per change. */
export const pullRequestEvent = (
  repo: string,
  number: number,
  headSha: string,
  { repoId, updatedAt = new Date().toISOString() }: { repoId?: number; updatedAt?: string } = {},
) => ({
  action: 'synchronize',
  number,
  repository: { id: repoId, full_name: repo },
  pull_request: { number, head: { sha: headSha }, updated_at: updatedAt },
})
