import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import {
  BadgeAmount,
  Bytes32,
  closedShape,
  DigitString,
  DocumentSignatureShape,
  literal,
  OpenObject,
  SignedTime,
  shape,
} from '../operations/values.ts'
import { StatedResolutionShape, VerdictItemShape } from '../sessions/shapes.ts'

const anyAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** Verifier mode of a badge. */
export const BadgeMode = z
  .enum(['benchmark', 'deterministic', 'human_fallback'])
  .describe('How the work was judged; `human_fallback` unless a handler of the service decided.')

/** Level of a badge. */
export const BadgeLevel = z.int().describe('1 for a single payout, 2 for a job with milestones.')

/** Current scores of a wallet. */
export const scoreMembers = {
  skill: z.int().min(0).describe('Points that decide the tier: more with each approval, fewer with each rejection and lost dispute.'),
  reliability: z.int().min(0).describe('Points of the same events, where a rejection or a lost dispute costs more.'),
  economic: z.union([z.int().min(0), DigitString]).describe('Whole units of the rewards of approved work; digits beyond 2^53.'),
  tier: z.enum(TIERS),
  scoringVersion: z.int(),
}

export const SignerShape = closedShape('BadgeSigner', 'Participant of a badge or a receipt.', {
  role: z.enum(['operator', 'verifier', 'worker']),
  wallet: anyAddress,
  at: SignedTime.describe('Instant of the listing, the submission or the decision.'),
  status: z.enum(['posted', 'signed', 'submitted']),
})
export type BadgeSigner = z.infer<typeof SignerShape>

/** Agent Badge v1. Source: specification, "Agent badge metadata". The root is open, `service` is closed. */
export const BadgeShape = shape('AgentBadge', 'Agent Badge v1: a signed statement of approved work.', {
  name: z.string().max(140),
  description: z.string().max(1024),
  image: z.url().optional().describe('Public address of the picture of the badge, a PNG.'),
  external_url: z.url().describe('Public address of the badge.'),
  attributes: z.array(z.strictObject({ trait_type: z.string(), value: z.unknown() })).describe('Traits in the form of token metadata.'),
  service: z.strictObject({
    schemaVersion: literal('v1'),
    jobId: z.string(),
    chainJobId: Bytes32,
    sessionId: z.string(),
    category: z.string(),
    level: BadgeLevel.min(1).max(255),
    verifierMode: BadgeMode,
    reward: BadgeAmount.describe('Paid to the worker.'),
    claimStake: BadgeAmount.describe('Locked stake; zero where it was waived.'),
    evidenceHash: Bytes32.describe('keccak256 of the canonical submission.'),
    completedAt: SignedTime.describe('Instant of the decision that was paid.'),
    worker: anyAddress,
    poster: anyAddress.describe('Zero where it is not known.'),
    verifier: anyAddress.describe('Zero where it is not known.'),
    metadataURI: z.url().optional(),
  }),
  resolution: StatedResolutionShape,
  items: z.array(VerdictItemShape).min(1).describe('Checks of the decision that was paid; none is unmet.'),
  signers: z.array(SignerShape).optional(),
  lineage: OpenObject.optional().describe('Work that this work continues, or that continues it.'),
  signature: DocumentSignatureShape.optional(),
})
export type BadgeService = z.infer<typeof BadgeShape>['service']

export const CreditInterestShape = z
  .object({ eligible: z.boolean(), registered: z.boolean() })
  .meta({ id: 'CreditInterest', description: 'Whether a wallet may register interest in credit, and whether it has.' })

export const StandingShape = shape('Standing', 'What a wallet keeps whatever it withdraws.', {
  claimTier: z.enum(TIERS),
  badges: z.int().min(0),
  waiverSlotsRemaining: z.int().min(0).nullable().describe('Further claims without stake and fee; null while the chain cannot be read.'),
  creditInterest: CreditInterestShape,
  persists: z.boolean(),
  statement: z.string(),
})
