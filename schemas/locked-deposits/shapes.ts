import { z } from 'zod'
import {
  Address,
  Amount,
  Bytes32,
  closedShape,
  DigitString,
  IdempotencyKeyInput,
  IsoTime,
  literal,
  OpenObject,
  part,
  RawAmount,
  shape,
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

const ChecksummedAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .describe('With its checksum (EIP-55).')

const yieldStatusText = z.string().describe('Whether locked capital earns anything now, and why not.')

/** What an early exit takes of the yield. */
const yieldShare = z.enum(['current_period', 'not_applicable']).describe('Share of the yield that is forfeited.')
const perksEnd = z.literal('immediate').describe('Perks end at once.')
const noLoss = Amount.describe('Always zero.')
const releaseAt = IsoTime.optional().describe('Instant at which an early exit frees the amount.')

/** Source: specification, "Locked deposit product". */
const ActivationGateShape = shape('ActivationGate', 'Whether locked capital may be placed, and what stands against it.', {
  open: z.boolean(),
  status: z.enum(['open', 'closed']),
  blockers: z.array(z.enum(GATE_BLOCKERS)),
  totalLocked: Amount.describe('Active locks of t30 and t90 of all wallets.'),
  minimumLocked: Amount.describe('What `totalLocked` must reach.'),
  projection: part('What the active locks of t30 and t90 would earn until the first of them ends.', {
    cycleDays: z.int().min(0).nullable().describe('Whole days until the first of these locks ends; null where they cannot be read.'),
    cycleSetBy: part('The lock that ends first; absent members where there is none.', {
      rule: z.literal('shortest_remaining_active_lock_term'),
      activeLockCount: z.int().min(0),
      shortestRemainingDays: z.int().min(0).nullable().describe('Equals `cycleDays`.'),
      lockId: Bytes32.optional(),
      expiresAt: IsoTime.optional(),
    }),
    projectedCycleYield: Amount.describe('What the locks would earn in the cycle at the measured rate, rounded down; zero without one.'),
    basis: z
      .object({
        observedPrincipal: Amount,
        observedYield: Amount,
        observedSeconds: DigitString,
        evidence: z.string().describe('Where the measurement can be read.'),
      })
      .nullable()
      .describe('Yield that an operator measured at the venue; null without a measurement.'),
  }),
  friction: part('What placing the capital costs, and what it must earn at least.', {
    cycleFriction: Amount.describe('Cost of one round trip to the venue.'),
    roundTripsPerTerm: z.int(),
    marginMultiple: z.int().describe('The yield must be this multiple of the cost.'),
    requiredProjectedYield: Amount.describe('Least projected yield at which the gate opens.'),
  }),
  override: z.literal('none').describe('No operator can open the gate.'),
  yieldStatusText,
})

const TierTermsShape = shape('TierTerms', 'What a tier gives, and what leaving it early costs.', {
  tier: z.enum(TERM_TIERS),
  product: literal('locked deposit'),
  termDays: z.int(),
  priorityRank: z.int().describe('Rank of the tier before a job opens to everyone; higher comes first, flex is 0.'),
  perks: z.array(z.string()),
  yield: z.string().describe('What a lock of the tier can earn.'),
  earlyExit: z.string().describe('What leaving early costs.'),
})

export const publicProfileOptIn = z.boolean().describe('Whether the directory may show the holder of a t90 lock as a committed depositor.')

/** Source: money, "Consent". */
const LockShape = shape('LockedDeposit', 'A locked deposit.', {
  id: Bytes32.describe('Hash of the consented terms.'),
  wallet: Address,
  tier: z.enum(TERM_TIERS),
  amount: Amount,
  lockedAt: IsoTime,
  termDays: z.int(),
  expiresAt: IsoTime,
  consentRef: Bytes32.describe('Equals `id`.'),
  status: z.enum(LOCK_STATUSES).describe('`exiting` waits for `releaseAt`.'),
  publicProfileOptIn,
  exitRequestedAt: IsoTime.optional(),
  exitReason: z.enum(EXIT_REASONS).optional(),
  releaseAt,
  forfeiture: z
    .object({ yieldShare, perks: perksEnd, principalHaircut: noLoss, penaltyFee: noLoss })
    .optional()
    .describe('What the early exit costs; absent without one.'),
  releasedAt: IsoTime.optional(),
  releaseReason: z.enum(RELEASE_REASONS).optional(),
})

export const TierStateShape = shape('TierState', 'Locked deposits of a wallet, and the tier that they give.', {
  enabledForNewLocks: z.boolean(),
  tier: z.enum(LOCK_TIERS).describe('Tier that counts: flex for a holder of t90 who owes anything, or whose debt cannot be read.'),
  contractualTier: z.enum(LOCK_TIERS).describe('Tier of the active lock with the longest term.'),
  priorityRank: z.int().min(0).describe('Rank of `tier` before a job opens to everyone; higher comes first, flex is 0.'),
  perksActive: z.boolean().describe('Whether `tier` has perks and the operator grants them.'),
  perksSuspendedReason: z.enum(PERK_SUSPENSIONS).optional().describe('Why a t90 lock counts as flex.'),
  creditReadStaleSeconds: z.int().min(0).optional().describe('Age of the last reading of the debt, where no newer one succeeded.'),
  locked: Amount.describe('Sum of the active locks.'),
  encumbered: Amount.describe('What active and exiting locks bind.'),
  activationGate: ActivationGateShape,
  yieldStatusText,
  entries: z.array(LockShape).max(LISTED_LOCKS_MAX).describe('Locks that bind the balance, then the newest released ones.'),
})

export const LockProductShape = shape('LockedDepositProduct', 'The product of locked deposits.', {
  status: z.enum(['available', 'flag_off']),
  enabled: z.boolean(),
  product: literal('locked deposit'),
  tiers: z.array(TierTermsShape),
  priority: z.string().describe('Order of the tiers before a job opens to everyone.'),
  activationGate: ActivationGateShape,
  yieldStatusText,
  endpoints: z.object({ quote: z.string(), consent: z.string(), earlyExit: z.string(), state: z.string() }),
})

const NavShape = shape('PoolNav', 'The deposit pool at the block of a quote.', {
  block: DigitString,
  asset: Address,
  totalAssets: Amount.describe('What all shares are worth together.'),
  totalShares: Amount,
  sharePrice: Amount.describe('Value of one whole share.'),
})

/** The terms of a quote; their members are exactly these. */
const LockTermsShape = closedShape('LockTerms', 'Terms of a locked deposit, which the wallet consents to unchanged.', {
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
  quoteExpiresAt: IsoTime.describe('Instant from which the quote cannot be consented to.'),
  forfeitTermsHash: Bytes32.describe('keccak256 of `earlyExitTerms`.'),
  earlyExitTerms: z.string().describe('What leaving early costs.'),
  riskSentence: z.string().describe('What a lock does not protect from.'),
  publicProfileOptIn,
  fundsMovement: z.literal('none').describe('A lock moves no funds.'),
  activationGate: ActivationGateShape,
  nav: NavShape,
})

/** Where a signature or a request is sent. */
export const SubmitShape = shape('Submit', 'Request that is sent next.', { method: z.literal('POST'), path: z.string() })

export const ConsentRequestShape = shape('ConsentRequest', 'The text that the wallet signs, and where it sends the signature.', {
  required: z.literal(true),
  method: z.literal('SIWE_EIP4361'),
  message: z.string().describe('Exact text that the wallet signs by personal_sign.'),
  submit: SubmitShape,
})

/** Answer of `POST /locked-deposits/quote`. */
export const LockQuoteShape = shape('LockQuote', 'Terms of a locked deposit with everything that the wallet signs.', {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  product: literal('locked deposit'),
  terms: LockTermsShape,
  termsHash: Bytes32.describe('keccak256 of the canonical JSON of `terms`.'),
  tierTerms: TierTermsShape,
  activationGate: ActivationGateShape,
  nav: NavShape,
  riskSentence: z.string().describe('Equals that of `terms`.'),
  balance: z.object({
    liquid: Amount,
    alreadyEncumbered: Amount.describe('What earlier locks bind.'),
    availableToLock: Amount,
  }),
  caps: z.object({
    perWallet: Amount.describe('Cap on the active locks of one wallet.'),
    lockedCohort: Amount.describe('Cap on the active locks of all wallets now.'),
    existingPoolHeadroom: Amount.describe('Assets that the deposit pool can still take.'),
    existingPoolPerAgentHeadroom: Amount.describe('Assets that the deposit pool can still take of this wallet.'),
  }),
  consent: ConsentRequestShape,
})

/** Nonce of a sign-in message: letters and digits only. */
export const ConsentNonceInput = z
  .string()
  .regex(/^[A-Za-z0-9]{8,128}$/, { error: 'must be 8 to 128 letters and digits, without hyphens' })
  .meta({ description: 'Nonce that the caller chooses for the message to sign.', examples: ['k3NVqOzB5QmW1xTj'] })

/** Signature over the exact message of a quote: 65 bytes of a wallet; 64 bytes, or 65 with a type first, of a native account. */
const ConsentSignatureInput = z
  .string()
  .regex(/^0x[0-9a-fA-F]{128}(?:[0-9a-fA-F]{2})?$/, { error: 'must be 0x and 128 or 130 hex digits' })
  .meta({ description: 'personal_sign of the message of the quote, 65 bytes; of a native account its sr25519 or ed25519 signature.' })

/** Body of a consent: the terms of a quote, compared byte for byte with the stored ones, and the signature of its message. */
export const ConsentBody = closedShape('ConsentBody', 'Terms of a quote, unchanged, with the signature of its message.', {
  terms: OpenObject.describe('Terms of the quote, unchanged.'),
  termsHash: Bytes32,
  consentSignature: ConsentSignatureInput,
  idempotencyKey: IdempotencyKeyInput.optional(),
})

/** Whether a consent is new. */
export const created = z.boolean().describe('Whether this request, or another under its idempotency key, made it.')

export const LockConsentShape = z
  .object({ schemaVersion: z.literal(1), created, entry: LockShape, tierState: TierStateShape })
  .meta({ id: 'LockConsent', description: 'The lock that a consent made.' })

export const LockExitShape = shape('LockExit', 'The early exit of a lock, and what it costs.', {
  entry: LockShape,
  consequence: z.object({
    tier: z.literal('flex').describe('Tier that the lock counts for from now on.'),
    perks: perksEnd,
    yieldShare,
    principal: Amount.describe('Amount that the lock gives back.'),
    releaseAt,
    principalHaircut: noLoss,
    penaltyFee: noLoss,
  }),
})
