import { z } from 'zod'
import { ConsentRequestShape, created, SubmitShape } from '../locked-deposits/shapes.ts'
import { Address, Amount, Bytes32, ChainIdValue, closedShape, IsoTime, literal, part, shape } from '../operations/values.ts'
import { PlaceShape } from '../strategies/shapes.ts'
import { IDLE_CONSENT_STATUSES } from './record.ts'

const product = literal('idle-balance allocation')

const IdleConsentShape = shape('IdleConsent', 'Where the consent of the wallet stands.', {
  status: z.enum(IDLE_CONSENT_STATUSES).describe('`invalid` where the terms name another pool, asset or chain than the service has now.'),
  termsHash: Bytes32.optional(),
  consentExpiresAt: IsoTime.optional(),
})

/** Every answer while the product is off. */
export const IdleUnavailableShape = shape('IdleAllocationUnavailable', 'The operator offers no idle-balance allocation now.', {
  schemaVersion: z.literal(1),
  available: z.literal(false),
  reason: z.literal('route_not_live'),
  product,
  endpoints: z.object({ status: z.string() }),
})

const IdlePathsShape = z
  .object({ status: z.string(), quote: z.string(), consent: z.string(), revoke: z.string(), recall: z.string() })
  .meta({ id: 'IdleAllocationRoutes', description: 'Routes of idle-balance allocation.' })

export const IdleProductShape = z
  .object({ status: z.enum(['available', 'flag_off']), enabled: z.boolean(), product, endpoints: IdlePathsShape })
  .meta({ id: 'IdleAllocationProduct', description: 'The product of idle-balance allocation.' })

export const IdleStatusShape = shape('IdleAllocation', 'Idle-balance allocation of the wallet.', {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  product,
  endpoints: IdlePathsShape,
  consent: IdleConsentShape,
  movements: part('Sums of what the operator moved for the wallet.', {
    allocated: Amount,
    recalled: Amount.describe('What came back from the pool to keep the working capital of the wallet.'),
  }),
})

const IdleTermsShape = closedShape('IdleTerms', 'Terms of idle-balance allocation, which the wallet consents to unchanged.', {
  schemaVersion: z.literal(1),
  wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  product,
  amountBasis: z.string().describe('What counts as idle, and how much of it is moved.'),
  asset: z.object({ symbol: z.string(), address: Address, decimals: z.int(), chainId: ChainIdValue }),
  venue: z.object({
    route: z.literal('deposit_pool_v2').describe('How the balance gets there.'),
    depositPool: Address,
    downstream: z.enum(['pool buffer', 'configured external venue']).describe('Where the pool can place it.'),
  }),
  venueDisclosure: z.string().describe('What the pool does with it now, and the risk.'),
  fundsMovement: z.string().describe('Who moves the balance, by which calls.'),
  returnTerms: z.string().describe('How the wallet gets it back.'),
  consentNonce: z.string(),
  issuedAt: IsoTime,
  quoteExpiresAt: IsoTime.describe('Instant from which the quote cannot be consented to.'),
  consentExpiresAt: IsoTime,
})

export const IdleQuoteShape = shape('IdleQuote', 'Terms of idle-balance allocation with everything that the wallet signs.', {
  schemaVersion: z.literal(1),
  available: z.literal(true),
  product,
  terms: IdleTermsShape,
  termsHash: Bytes32.describe('keccak256 of the canonical JSON of `terms`.'),
  consent: ConsentRequestShape,
  revocation: z.object({
    immediateForFutureAllocation: z.literal(true).describe('Revoking stops new allocations at once.'),
    unwindsExistingPosition: z.literal(false).describe('What is allocated stays until the wallet takes it back.'),
    submit: SubmitShape,
  }),
})

export const IdleConsentedShape = shape('IdleConsented', 'The consent that was given.', { created, consent: IdleConsentShape })

const stillLent = z
  .array(PlaceShape)
  .nullable()
  .describe('Balance that stays in strategies until the wallet recalls it, and how; null while the chain cannot be read.')

export const IdleRevokedShape = z
  .union([
    z.object({ revoked: z.literal(true), consent: IdleConsentShape, stillLent }),
    z.object({ revoked: z.literal(false), reason: z.literal('idle_balance_consent_missing'), stillLent }),
  ])
  .meta({ id: 'IdleRevoked', description: 'Whether a consent was revoked.' })
