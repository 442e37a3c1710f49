import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { trackedAmong } from '../../activities/deliveries/records.ts'
import { sessionsAwaiting } from '../../activities/pull-requests/records.ts'
import { claimWebhook, markProcessed, releaseWebhook } from '../../activities/pull-requests/webhook-deliveries.ts'
import { namedPullRequests, WAKING_EVENTS } from '../../domain/pull-requests/webhook-events.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf, RawRequest } from '../../schemas/operations/operation.ts'
import type * as codehostOperations from '../../schemas/pull-requests/operations.ts'
import type { ApiDeps } from '../deps.ts'
import { parseJson } from '../http/body.ts'
import { invalidRequest } from '../http/problem.ts'

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i
const DELIVERY = /^[A-Za-z0-9-]{1,100}$/

/** Compares the signature of the raw bytes in constant time. */
const isSigned = (secret: string, { bytes, headers }: RawRequest): boolean => {
  const [, signature] = SIGNATURE.exec(headers['x-hub-signature-256'] ?? '') ?? []
  if (signature === undefined) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), createHmac('sha256', secret).update(bytes).digest())
}

const deliveryOf = ({ headers }: RawRequest): string => {
  const id = headers['x-github-delivery'] ?? ''
  if (DELIVERY.test(id)) return id
  throw invalidRequest([{ pointer: 'header/x-github-delivery', rule: 'required', message: 'must name the delivery' }])
}

/** Names of a delivery for deduplication: its unsigned id and the digest of its signed body. No id has a colon. */
const deliveryNames = (deliveryId: string, { bytes }: RawRequest): string[] => [
  deliveryId,
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
]

const SIGN_BODY: NextAction = {
  kind: 'http',
  method: 'POST',
  path: '/codehost/events',
  description: 'Sign the raw body with the configured secret.',
}

/** The webhook of the code host. The signature proves the sender; the body is only a hint to read the pull request again. */
export const createPullRequestHandlers = ({ database, clock, settings, engine }: ApiDeps): HandlersOf<typeof codehostOperations> => {
  /** Signals the runs that wait for the named pull requests, or track them after their payment; returns how many. */
  const signalRuns = async (body: unknown, deliveryId: string): Promise<number> => {
    const named = namedPullRequests(body)
    const sessions = named === null ? [] : await sessionsAwaiting(database.rows, named)
    const paid = named === null ? [] : await trackedAmong(database.rows, named)
    const signalled = await Promise.all([
      ...sessions.map((sessionId) => engine.notifyPullRequestChanged(sessionId, deliveryId)),
      ...paid.map((sessionId) => engine.notifyDeliveryChanged(sessionId, deliveryId)),
    ])
    return signalled.filter(Boolean).length
  }

  return {
    receiveCodehostEvent: async ({ request: { raw } }) => {
      const { CODEHOST_HOOK_SECRET: secret } = settings
      if (secret === undefined) throw new ServiceError('not_found')
      if (raw === null || !isSigned(secret, raw))
        throw new ServiceError('bad_signature', {
          detail: 'The body is not signed with the secret of this hook.',
          nextActions: [SIGN_BODY],
        })
      const deliveryId = deliveryOf(raw)
      const body = parseJson(raw.bytes)
      // The signature does not cover the event kind: a body replayed under an ignored kind must not count as a duplicate later.
      if (!WAKING_EVENTS.has(raw.headers['x-github-event'] ?? '')) return { status: 202, body: { accepted: 0 } }
      const names = deliveryNames(deliveryId, raw)
      if (!(await claimWebhook(database, names, clock.now()))) return { status: 200, body: { duplicate: true } }
      try {
        const accepted = await signalRuns(body, deliveryId)
        await markProcessed(database.rows, names)
        return { status: 202, body: { accepted } }
      } catch (error) {
        await releaseWebhook(database.rows, names)
        throw error
      }
    },
  }
}
