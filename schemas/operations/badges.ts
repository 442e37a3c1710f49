import { z } from 'zod'
import { operation } from './operation.ts'
import { Address, AssetAmount, Bytes32, IsoTime, listAnswer, listQuery, OpenObject, SessionIdInput, word } from './shapes/values.ts'

const tags = ['Badges'] as const

const SignerShape = z.object({
  role: z.enum(['operator', 'verifier', 'worker']),
  wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  at: IsoTime,
  status: z.enum(['posted', 'signed', 'submitted']),
})

const anyAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** Agent Badge v1. Source: specification, "Agent badge metadata". The root is open, `service` is closed. */
export const BadgeShape = z.object({
  name: z.string().max(140),
  description: z.string().max(1024),
  image: z.url().optional(),
  external_url: z.url(),
  attributes: z.array(z.object({ trait_type: z.string(), value: z.unknown() })),
  service: z.strictObject({
    schemaVersion: word('v1'),
    jobId: z.string(),
    chainJobId: Bytes32,
    sessionId: z.string(),
    category: z.string(),
    level: z.int().min(1).max(255),
    verifierMode: z.enum(['benchmark', 'deterministic', 'human_fallback']),
    reward: AssetAmount,
    claimStake: AssetAmount,
    evidenceHash: Bytes32,
    completedAt: IsoTime,
    worker: anyAddress,
    poster: anyAddress,
    verifier: anyAddress,
    metadataURI: z.url().optional(),
  }),
  signers: z.array(SignerShape).optional(),
  lineage: OpenObject.optional(),
  signature: z.object({ alg: word('ES256'), kid: z.string(), sig: z.string(), signedAt: IsoTime }).optional(),
})

export const listBadges = operation({
  id: 'listBadges',
  method: 'GET',
  path: '/badges',
  summary: 'Badges earned by approved work, newest first.',
  tags,
  auth: 'none',
  query: z.object(listQuery(100, 500)),
  responses: {
    200: z.object({
      badges: z.array(
        z.object({
          sessionId: z.string(),
          jobId: z.string(),
          worker: Address,
          kind: word('badge'),
          issuedAt: IsoTime,
          level: z.int(),
          category: z.string(),
          signers: z.array(SignerShape),
          evidenceHash: Bytes32,
          blockRef: Bytes32,
          canonicalUrl: z.url(),
          badge: BadgeShape,
        }),
      ),
      ...listAnswer,
    }),
  },
  errors: [],
  cache: 'public, max-age=30',
  tool: { name: 'listBadges', directory: true },
})

export const getBadge = operation({
  id: 'getBadge',
  method: 'GET',
  path: '/badges/:sessionId',
  summary: 'Agent Badge v1 of a session, signed.',
  tags,
  auth: 'none',
  params: z.object({ sessionId: SessionIdInput }),
  responses: { 200: BadgeShape },
  errors: ['session_not_found', 'badge_not_ready'],
  cache: 'public, max-age=60',
  tool: { name: 'getAgentBadge', directory: true },
  examples: { params: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})
