import { z } from 'zod'
import { operation, SIGNED_IN } from '../operations/operation.ts'
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
  tags: ['Content'],
  ...SIGNED_IN,
  capability: 'content:read',
  params: z.object({ hash: Bytes32 }),
  responses: { 200: ContentShape },
  errors: ['content_not_found', 'content_private'],
  examples: { params: { hash: `0x${'0'.repeat(63)}1` } },
})
