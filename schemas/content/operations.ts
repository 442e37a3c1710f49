import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import { Bytes32, IsoTime, OpenObject } from '../operations/values.ts'

/** A stored blob. Source: http, "Content". */
const ContentShape = z
  .object({
    hash: Bytes32,
    contentType: z.string(),
    ownerWallet: z.string(),
    verdict: z.enum(['pass', 'fail']).nullable(),
    createdAt: IsoTime,
    publishedAt: IsoTime.optional(),
    autoPublicAt: IsoTime,
    visibility: z.enum(['public', 'owner_only']),
    payload: OpenObject,
    contentURI: z.url(),
    autoDisclosureEvent: z.object({ emitted: z.boolean(), reason: z.string() }),
  })
  .meta({ id: 'Content', description: 'A stored text by its hash.' })

export const getContent = operation('getContent', 'GET /content/:hash', {
  summary: 'A stored blob by the SHA-256 of its canonical JSON.',
  description: 'Anyone reads a public blob, such as the rationale of a verdict that is on chain; its owner and admins read a private one.',
  tags: ['Content'],
  auth: 'optional',
  capability: 'content:read',
  params: z.object({ hash: Bytes32 }),
  responses: { 200: ContentShape },
  errors: ['content_not_found', 'content_private', 'missing_token'],
  examples: { params: { hash: `0x${'0'.repeat(63)}1` } },
})
