import { z } from 'zod'
import {
  Address,
  Amount,
  Bytes32,
  DigitString,
  IdempotencyKeyInput,
  IsoTime,
  literal,
  OpenObject,
  RawAmount,
} from '../operations/values.ts'
import {
  EXIT_REASONS,
  GATE_BLOCKERS,
  LISTED_LOCKS_MAX,
  LOCK_STATUSES,
  LOCK_TIERS,
  PERK_SUSPENSIONS,
  RELEASE_REASONS,
  TERM_TIERS,
} from './record.ts'

const ChecksummedAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** Source: specification, "Locked deposit product". */
const ActivationGateShape = z
  .object({
    open: z.boolean(),
    status: z.enum(['open', 'closed']),
    blockers: z.array(z.enum(GATE_BLOCKERS)),
    totalLocked: Amount,
    minimumLocked: Amount,
    projection: z.object({
      cycleDays: z.int().min(0).nullable(),
      cycleSetBy: z.object({
        rule: z.literal('shortest_remaining_active_lock_term'),
        activeLockCount: z.int().min(0),
        shortestRemainingDays: z.int().min(0).nullable(),
        lockId: Bytes32.optional(),
        expiresAt: IsoTime.optional(),
      }),
      projectedCycleYield: Amount,
      basis: z.object({ observedPrincipal: Amount, observedYield: Amount, observedSeconds: DigitString, evidence: z.string() }).nullable(),
    }),
    friction: z.object({ cycleFriction: Amount, roundTripsPerTerm: z.int(), marginMultiple: z.int(), requiredProjectedYield: Amount }),
    override: z.literal('none'),
    yieldStatusText: z.string(),
  })
  .meta({ id: 'ActivationGate', description: 'Whether locked capital may be placed, and what stands against it.' })

const TierTermsShape = z
  .object({
    tier: z.enum(TERM_TIERS),
    product: literal('locked deposit'),
    termDays: z.int(),
    priorityRank: z.int(),
    perks: z.array(z.string()),
    yield: z.string(),
    earlyExit: z.string(),
  })
  .meta({ id: 'TierTerms', description: 'What a tier gives, and what leaving it early costs.' })

/** Source: money, "Consent". */
const LockShape = z
  .object({
    id: Bytes32,
    wallet: Address,
    tier: z.enum(TERM_TIERS),
    amount: Amount,
    lockedAt: IsoTime,
    termDays: z.int(),
    expiresAt: IsoTime,
    consentRef: Bytes32,
    status: z.enum(LOCK_STATUSES),
    publicProfileOptIn: z.boolean(),
    exitRequestedAt: IsoTime.optional(),
    exitReason: z.enum(EXIT_REASONS).optional(),
    releaseAt: IsoTime.optional(),
    forfeiture: z
      .object({
        yieldShare: z.enum(['current_period', 'not_applicable']),
        perks: z.literal('immediate'),
        principalHaircut: Amount,
        penaltyFee: Amount,
      })
      .optional(),
    releasedAt: IsoTime.optional(),
    releaseReason: z.enum(RELEASE_REASONS).optional(),
  })
  .meta({ id: 'LockedDeposit', description: 'A locked deposit.' })

export const TierStateShape = z
  .object({
    enabledForNewLocks: z.boolean(),
    tier: z.enum(LOCK_TIERS),
    contractualTier: z.enum(LOCK_TIERS),
    priorityRank: z.int().min(0),
    perksActive: z.boolean(),
    perksSuspendedReason: z.enum(PERK_SUSPENSIONS).optional(),
    creditReadStaleSeconds: z.int().min(0).optional(),
    locked: Amount,
    encumbered: Amount,
    activationGate: ActivationGateShape,
    yieldStatusText: z.string(),
    entries: z.array(LockShape).max(LISTED_LOCKS_MAX),
  })
  .meta({ id: 'TierState', description: 'Locked deposits of a wallet, and the tier that they give.' })

export const LockProductShape = z
  .object({
    status: z.enum(['available', 'flag_off']),
    enabled: z.boolean(),
    product: literal('locked deposit'),
    tiers: z.array(TierTermsShape),
    priority: z.string(),
    activationGate: ActivationGateShape,
    yieldStatusText: z.string(),
    endpoints: z.object({ quote: z.string(), consent: z.string(), earlyExit: z.string(), state: z.string() }),
  })
  .meta({ id: 'LockedDepositProduct', description: 'The product of locked deposits.' })

const NavShape = z
  .object({ block: DigitString, asset: Address, totalAssets: Amount, totalShares: Amount, sharePrice: Amount })
  .meta({ id: 'PoolNav', description: 'The deposit pool at the block of a quote.' })

/** The terms of a quote; their members are exactly these. */
const LockTermsShape = z
  .strictObject({
    schemaVersion: z.literal(1),
    wallet: ChecksummedAddress,
    tier: z.enum(TERM_TIERS),
    amountRaw: RawAmount,
    asset: Address,
    assetSymbol: z.string(),
    assetDecimals: z.int(),
    termDays: z.int(),
    consentNonce: z.string(),
    issuedAt: IsoTime,
    quoteExpiresAt: IsoTime,
    forfeitTermsHash: Bytes32,
    earlyExitTerms: z.string(),
    riskSentence: z.string(),
    publicProfileOptIn: z.boolean(),
    fundsMovement: z.literal('none'),
    activationGate: ActivationGateShape,
    nav: NavShape,
  })
  .meta({ id: 'LockTerms', description: 'Terms of a locked deposit, which the wallet consents to unchanged.' })

/** Where a signature or a request is sent. */
export const SubmitShape = z
  .object({ method: z.literal('POST'), path: z.string() })
  .meta({ id: 'Submit', description: 'Request that is sent next.' })

export const ConsentRequestShape = z
  .object({
    required: z.literal(true),
    method: z.literal('SIWE_EIP4361'),
    message: z.string(),
    submit: SubmitShape,
  })
  .meta({ id: 'ConsentRequest', description: 'The text that the wallet signs, and where it sends the signature.' })

/** Answer of `POST /locked-deposits/quote`. */
export const LockQuoteShape = z
  .object({
    schemaVersion: z.literal(1),
    available: z.literal(true),
    product: literal('locked deposit'),
    terms: LockTermsShape,
    termsHash: Bytes32,
    tierTerms: TierTermsShape,
    activationGate: ActivationGateShape,
    nav: NavShape,
    riskSentence: z.string(),
    balance: z.object({ liquid: Amount, alreadyEncumbered: Amount, availableToLock: Amount }),
    caps: z.object({ perWallet: Amount, lockedCohort: Amount, existingPoolHeadroom: Amount, existingPoolPerAgentHeadroom: Amount }),
    consent: ConsentRequestShape,
  })
  .meta({ id: 'LockQuote', description: 'Terms of a locked deposit with everything that the wallet signs.' })

/** Nonce of a sign-in message: letters and digits only. */
export const ConsentNonceInput = z
  .string()
  .regex(/^[A-Za-z0-9]{8,128}$/, { error: 'must be 8 to 128 letters and digits, without hyphens' })
  .meta({ examples: ['k3NVqOzB5QmW1xTj'] })

/** Signature of 65 bytes over the exact message of a quote. */
const ConsentSignatureInput = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, { error: 'must be 0x and 130 hex digits (65 bytes)' })
  .meta({ description: 'personal_sign of the message of the quote, 65 bytes.' })

/** Body of a consent: the terms of a quote, compared byte for byte with the stored ones, and the signature of its message. */
export const ConsentBody = z
  .strictObject({
    terms: OpenObject,
    termsHash: Bytes32,
    consentSignature: ConsentSignatureInput,
    idempotencyKey: IdempotencyKeyInput.optional(),
  })
  .meta({ id: 'ConsentBody', description: 'Terms of a quote, unchanged, with the signature of its message.' })

export const LockConsentShape = z
  .object({ schemaVersion: z.literal(1), created: z.boolean(), entry: LockShape, tierState: TierStateShape })
  .meta({ id: 'LockConsent', description: 'The lock that a consent made.' })

export const LockExitShape = z
  .object({
    entry: LockShape,
    consequence: z.object({
      tier: z.literal('flex'),
      perks: z.literal('immediate'),
      yieldShare: z.enum(['current_period', 'not_applicable']),
      principal: Amount,
      releaseAt: IsoTime.optional(),
      principalHaircut: Amount,
      penaltyFee: Amount,
    }),
  })
  .meta({ id: 'LockExit', description: 'The early exit of a lock, and what it costs.' })
