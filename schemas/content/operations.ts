import { z } from 'zod'
import { operation, SIGNED_IN } from '../operations/operation.ts'
import { Bytes32, IdempotencyKeyInput, IsoTime, OpenObject, part, shape } from '../operations/values.ts'
import { CONTENT_TYPES, DISCLOSURE_SKIPS } from './record.ts'

const AutoDisclosureShape = z
  .object({ emitted: z.boolean(), reason: z.string() })
  .meta({ id: 'AutoDisclosure', description: 'Chain event of a publication by itself.' })

/** A stored blob. Source: http, "Content". */
const ContentShape = shape('Content', 'A stored document by its hash.', {
  hash: Bytes32.describe('SHA-256 of the canonical JSON of `payload`.'),
  contentType: z.enum(CONTENT_TYPES),
  ownerWallet: z.string(),
  verdict: z.enum(['pass', 'fail']).nullable().describe('Of a submission that a verdict decided; else null.'),
  createdAt: IsoTime,
  publishedAt: IsoTime.optional(),
  autoPublicAt: IsoTime.nullable().describe(
    'Instant at which every wallet may read it, 180 days after its creation; null for the statement of a dispute, which stays with its parties.',
  ),
  visibility: z.enum(['public', 'owner_only']),
  payload: OpenObject,
  contentURI: z.url(),
  autoDisclosureEvent: AutoDisclosureShape.describe('No chain event: the service sends none when 180 days have passed.'),
})

const PublishedShape = ContentShape.extend({
  disclosureEvent: part('Chain event of this publication.', {
    emitted: z.boolean().describe('True for the request that published the content, once the event is mined.'),
    reason: z.enum(DISCLOSURE_SKIPS).nullable().describe('Why this answer shows no event; null where it does.'),
    txHash: Bytes32.optional(),
  }),
}).meta({ id: 'PublishedContent', description: 'A published document, and the chain event of its publication.' })

const params = z.object({ hash: Bytes32.describe('SHA-256 of the canonical JSON of the content.') })

export const getContent = operation('getContent', 'GET /content/:hash', {
  summary: 'A stored document by the SHA-256 of its canonical JSON.',
  description:
    'Every wallet reads public content: job definitions, approved work, published content, and any content after 180 days. Its owner and admins read private content.',
  tags: ['Content'],
  ...SIGNED_IN,
  capability: 'content:read',
  params,
  responses: { 200: ContentShape },
  errors: ['content_not_found'],
  examples: { params: { hash: `0x${'0'.repeat(63)}1` } },
})

export const publishContent = operation('publishContent', 'POST /content/:hash/publish', {
  summary: 'Makes own content public, for good.',
  description:
    'The first publication emits the event `Disclosed` on chain once. `chain_write_failed`: the chain has not taken it yet, and the service keeps trying. A repeat changes nothing.',
  tags: ['Content'],
  ...SIGNED_IN,
  capability: 'content:write',
  rate: 'content_write',
  idempotent: 'content_publish',
  params,
  body: z.strictObject({ idempotencyKey: IdempotencyKeyInput.optional() }),
  responses: { 200: PublishedShape },
  errors: ['content_not_found', 'content_publish_forbidden', 'content_publish_pending', 'workflow_engine_unavailable'],
  examples: { params: { hash: `0x${'0'.repeat(63)}1` }, body: {} },
})
