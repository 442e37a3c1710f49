import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import { Address, Bytes32, IsoTime, listAnswer, listQuery, SessionIdInput, word } from '../operations/values.ts'
import { BadgeShape, SignerShape } from './shapes.ts'

const tags = ['Badges'] as const

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
  examples: { query: { limit: '10' } },
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
