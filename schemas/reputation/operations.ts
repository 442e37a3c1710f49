import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { DeliveryCountsShape } from '../deliveries/shapes.ts'
import { CapShape } from '../eligibility/shapes.ts'
import { TierStateShape } from '../locked-deposits/shapes.ts'
import { operation, PUBLIC, SIGNED_IN, WALLET } from '../operations/operation.ts'
import {
  Address,
  Amount,
  AssetAmount,
  Bytes32,
  FileBytes,
  IsoTime,
  listAnswer,
  listQuery,
  literal,
  nativeAccount,
  SESSION_EXAMPLE,
  SessionIdInput,
} from '../operations/values.ts'
import { PublicDeliveryShape } from '../sessions/delivery-shapes.ts'
import { BadgeLevel, BadgeShape, CreditInterestShape, SignerShape, StandingShape, scoreMembers } from './shapes.ts'

const badges = ['Badges'] as const
const account = ['Account'] as const

export const listBadges = operation('listBadges', 'GET /badges', {
  fromReplica: true,
  summary: 'Badges earned by approved work, newest first.',
  tags: badges,
  auth: PUBLIC,
  rate: 'badges_list',
  query: z.object(listQuery(100, 500)),
  responses: {
    200: z.object({
      badges: z.array(
        z.object({
          sessionId: z.string(),
          jobId: z.string(),
          worker: Address,
          nativeAccount,
          kind: literal('badge'),
          issuedAt: IsoTime,
          level: BadgeLevel,
          category: z.string(),
          signers: z.array(SignerShape),
          evidenceHash: Bytes32,
          blockRef: Bytes32.describe('Id of the job in the escrow contract.'),
          canonicalUrl: z.url(),
          badge: BadgeShape,
          delivery: PublicDeliveryShape.optional().describe(
            'Not part of the signed badge. Present where a pull request or proposal was paid.',
          ),
        }),
      ),
      ...listAnswer,
    }),
  },
  cache: 'public, max-age=30',
  tool: { name: 'listBadges', directory: true, sets: ['poster'] },
  examples: { query: { limit: '10' } },
})

export const getBadge = operation('getBadge', 'GET /badges/:sessionId', {
  summary: 'Agent Badge v1 of a session, signed.',
  description: 'A session that may still be approved has `badge_not_ready`; one that ended otherwise has `badge_not_earned`.',
  tags: badges,
  auth: PUBLIC,
  params: z.object({ sessionId: SessionIdInput }),
  responses: { 200: BadgeShape },
  hasPage: true,
  errors: ['session_not_found', 'badge_not_ready', 'badge_not_earned'],
  cache: 'public, max-age=60',
  tool: { name: 'getAgentBadge', directory: true, sets: ['worker'] },
  examples: { params: { sessionId: 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
})

export const getBadgePicture = operation('getBadgePicture', 'GET /badges/:sessionId/picture.svg', {
  summary: 'Picture of a badge: 1200 × 630, as SVG.',
  tags: badges,
  auth: PUBLIC,
  params: z.object({ sessionId: SessionIdInput }),
  responses: { 200: z.string() },
  produces: 'image/svg+xml; charset=utf-8',
  errors: ['session_not_found', 'badge_not_ready', 'badge_not_earned'],
  cache: 'public, max-age=60',
  examples: { params: { sessionId: SESSION_EXAMPLE } },
})

export const getBadgeImage = operation('getBadgeImage', 'GET /badges/:sessionId/picture.png', {
  summary: 'The same picture as PNG, for links on other pages, which many sites show as PNG alone.',
  tags: badges,
  auth: PUBLIC,
  buildRate: 'badge_images',
  params: z.object({ sessionId: SessionIdInput }),
  responses: { 200: FileBytes },
  produces: 'image/png',
  errors: ['session_not_found', 'badge_not_ready', 'badge_not_earned', 'too_many_waits'],
  cache: 'public, max-age=60',
  examples: { params: { sessionId: SESSION_EXAMPLE } },
})

const CapState = CapShape.extend({
  components: z
    .object({ base: Amount, deposit: Amount.describe('What a vested deposit adds.') })
    .optional()
    .describe('Parts of the cap, where a deposit can raise it.'),
  active: z.boolean().optional().describe('Whether the cap applies yet.'),
  settledJobs: z.int().optional().describe('Settled jobs of the wallet.'),
  activatesAtSettledJobs: z.int().optional().describe('Settled jobs from which the cap applies.'),
}).meta({ id: 'CapState', description: 'A cap of a wallet.' })

export const getMe = operation('getMe', 'GET /me', {
  summary: 'Own worker summary: tier, progress, caps, account position.',
  tags: account,
  auth: WALLET,
  action: 'read_own_worker_summary',
  capability: ['account:read', 'reputation:read'],
  responses: {
    200: z.object({
      wallet: Address,
      subject: z.string(),
      claimTier: z.enum(TIERS),
      scoringVersion: z.int(),
      progression: z.object({
        tier: z.enum(TIERS),
        badges: z.array(
          z.object({ sessionId: z.string(), jobId: z.string(), category: z.string(), level: BadgeLevel, badgeUrl: z.string() }),
        ),
        effectiveCaps: z.object({
          perJobMax: CapState.describe('Cap on the reward of one external job.'),
          rolling24h: CapState.describe('Cap on the rewards of the work of 24 hours.'),
          concurrent: CapState.describe('Cap on the rewards of open work.'),
        }),
        justChanged: z
          .object({ field: z.string(), from: z.unknown(), to: z.unknown() })
          .nullable()
          .describe('Cap that a request changed; null on a read.'),
        raises: z.array(z.object({ action: z.enum(['keep_completing', 'deposit']), effect: z.string() })).describe('What raises the caps.'),
        creditInterest: CreditInterestShape,
      }),
      accountPosition: z.object({
        liquid: AssetAmount.nullable().describe('Null while the chain cannot be read.'),
        jobStakeLocked: AssetAmount.nullable().describe('Stakes, fees and bonds of open work; null while the chain cannot be read.'),
        available: z.boolean().optional().describe('Whether the balances could be read.'),
        reason: z.string().optional(),
      }),
      lockedDeposits: TierStateShape,
      directory: z.object({ publicProfileOptIn: z.boolean(), currentActivityOptIn: z.boolean() }),
      standing: StandingShape,
    }),
  },
})

export const getReputation = operation('getReputation', 'GET /reputation', {
  summary: 'Current scores and tier of the wallet.',
  tags: account,
  ...SIGNED_IN,
  capability: 'reputation:read',
  responses: {
    200: z.object({
      wallet: Address,
      ...scoreMembers,
      deliveries: DeliveryCountsShape,
      events: z.object({ count: z.int(), lastAt: IsoTime.nullable().describe('Null without an event.') }).describe('Ledger of the scores.'),
    }),
  },
  tool: { name: 'getReputation', directory: true, sets: ['worker'] },
})
