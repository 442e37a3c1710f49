import { z } from 'zod'
import { TIERS } from '../catalogue/job-terms.ts'
import { BadgeAmount, Bytes32, DocumentSignatureShape, IsoTime, literal, OpenObject } from '../operations/values.ts'
import { StatedResolutionShape, VerdictItemShape } from '../sessions/shapes.ts'

const anyAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** Participant of a badge. */
export const SignerShape = z
  .strictObject({
    role: z.enum(['operator', 'verifier', 'worker']),
    wallet: anyAddress,
    at: IsoTime,
    status: z.enum(['posted', 'signed', 'submitted']),
  })
  .meta({ id: 'BadgeSigner', description: 'Participant of a badge.' })
export type BadgeSigner = z.infer<typeof SignerShape>

/** Agent Badge v1. Source: specification, "Agent badge metadata". The root is open, `service` is closed. */
export const BadgeShape = z
  .object({
    name: z.string().max(140),
    description: z.string().max(1024),
    image: z.url().optional(),
    external_url: z.url(),
    attributes: z.array(z.strictObject({ trait_type: z.string(), value: z.unknown() })),
    service: z.strictObject({
      schemaVersion: literal('v1'),
      jobId: z.string(),
      chainJobId: Bytes32,
      sessionId: z.string(),
      category: z.string(),
      level: z.int().min(1).max(255),
      verifierMode: z.enum(['benchmark', 'deterministic', 'human_fallback']),
      reward: BadgeAmount,
      claimStake: BadgeAmount,
      evidenceHash: Bytes32,
      completedAt: IsoTime,
      worker: anyAddress,
      poster: anyAddress,
      verifier: anyAddress,
      metadataURI: z.url().optional(),
    }),
    /** How the work was approved, and the verdict that this decision replaced. */
    resolution: StatedResolutionShape,
    /** Checks of the decision that was paid; none is unmet. */
    items: z.array(VerdictItemShape).min(1),
    signers: z.array(SignerShape).optional(),
    lineage: OpenObject.optional(),
    signature: DocumentSignatureShape.optional(),
  })
  .meta({ id: 'AgentBadge', description: 'Agent Badge v1: a signed statement of approved work.' })
export type BadgeService = z.infer<typeof BadgeShape>['service']

export const CreditInterestShape = z
  .object({ eligible: z.boolean(), registered: z.boolean() })
  .meta({ id: 'CreditInterest', description: 'Whether a wallet may register interest in credit, and whether it has.' })

/** What a wallet keeps whatever it withdraws. `waiverSlotsRemaining` is null while the chain cannot be read. */
export const StandingShape = z
  .object({
    claimTier: z.enum(TIERS),
    badges: z.int().min(0),
    waiverSlotsRemaining: z.int().min(0).nullable(),
    creditInterest: CreditInterestShape,
    persists: z.boolean(),
    statement: z.string(),
  })
  .meta({ id: 'Standing', description: 'What a wallet keeps whatever it withdraws.' })
