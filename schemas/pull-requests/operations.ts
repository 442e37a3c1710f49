import { z } from 'zod'
import { operation, PUBLIC } from '../operations/operation.ts'

/** Body limit of webhooks, larger than the general limit. */
const HOOK_LIMIT_BYTES = 1024 * 1024

export const receiveCodehostEvent = operation('receiveCodehostEvent', 'POST /codehost/events', {
  summary: 'Webhook of the code host: a pull request may have changed.',
  description:
    'Signed by the code host over the raw body (`x-hub-signature-256`). It only signals the workflows that wait for the pull request; they read the code host themselves. A repeated delivery (`x-github-delivery`) or body has no effect. Without a configured secret this route does not exist.',
  tags: ['Verification'],
  auth: PUBLIC,
  rawBody: {
    limitBytes: HOOK_LIMIT_BYTES,
    headers: {
      'x-github-event': 'Kind of the event.',
      'x-github-delivery': 'Id of the delivery.',
      'x-hub-signature-256': 'HMAC of the raw body with the shared secret: `sha256=` and hex digits.',
    },
  },
  responses: {
    200: z.object({ duplicate: z.literal(true).describe('The delivery was processed before.') }),
    202: z.object({ accepted: z.int().min(0).describe('Number of workflows that got the signal.') }),
  },
  errors: ['not_found', 'bad_signature', 'invalid_request', 'workflow_engine_unavailable'],
  examples: {
    body: {
      action: 'synchronize',
      number: 7,
      repository: { full_name: 'acme/tool' },
      pull_request: { number: 7, head: { sha: '8f2c1d0e9b7a6543210fedcba9876543210fedcb' }, updated_at: '2026-01-02T03:04:05Z' },
    },
  },
})
