import { z } from 'zod'
import { ConsentRequestShape, SubmitShape } from '../locked-deposits/shapes.ts'
import { Address, Amount, Bytes32, ChainIdValue, IsoTime, literal } from '../operations/values.ts'
import { IDLE_CONSENT_STATUSES } from './record.ts'

const product = literal('idle-balance allocation')

const IdleConsentShape = z
  .object({ status: z.enum(IDLE_CONSENT_STATUSES), termsHash: Bytes32.optional(), consentExpiresAt: IsoTime.optional() })
  .meta({ id: 'IdleConsent', description: 'Where the consent of the wallet stands.' })

/** Every answer while the product is off. */
export const IdleUnavailableShape = z
  .object({
    schemaVersion: z.literal(1),
    available: z.literal(false),
    reason: z.literal('route_not_live'),
    product,
    endpoints: z.object({ status: z.string() }),
  })
  .meta({ id: 'IdleAllocationUnavailable', description: 'The operator offers no idle-balance allocation now.' })

const IdlePathsShape = z
  .object({ status: z.string(), quote: z.string(), consent: z.string(), revoke: z.string() })
  .meta({ id: 'IdleAllocationRoutes', description: 'Routes of idle-balance allocation.' })

export const IdleProductShape = z
  .object({ status: z.enum(['available', 'flag_off']), enabled: z.boolean(), product, endpoints: IdlePathsShape })
  .meta({ id: 'IdleAllocationProduct', description: 'The product of idle-balance allocation.' })

export const IdleStatusShape = z
  .object({
    schemaVersion: z.literal(1),
    available: z.literal(true),
    product,
    endpoints: IdlePathsShape,
    consent: IdleConsentShape,
    /** What the operator moved to the pool for the wallet by the recorded movements, less what came back. */
    movements: z.object({ allocated: Amount, recalled: Amount }),
  })
  .meta({ id: 'IdleAllocation', description: 'Idle-balance allocation of the wallet.' })

const IdleTermsShape = z
  .strictObject({
    schemaVersion: z.literal(1),
    wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    product,
    amountBasis: z.string(),
    asset: z.object({ symbol: z.string(), address: Address, decimals: z.int(), chainId: ChainIdValue }),
    venue: z.object({
      route: z.literal('deposit_pool_v2').describe('How the balance gets there.'),
      depositPool: Address,
      downstream: z.enum(['pool buffer', 'configured external venue']),
    }),
    venueDisclosure: z.string(),
    fundsMovement: z.string(),
    returnTerms: z.string(),
    consentNonce: z.string(),
    issuedAt: IsoTime,
    quoteExpiresAt: IsoTime,
    consentExpiresAt: IsoTime,
  })
  .meta({ id: 'IdleTerms', description: 'Terms of idle-balance allocation, which the wallet consents to unchanged.' })

export const IdleQuoteShape = z
  .object({
    schemaVersion: z.literal(1),
    available: z.literal(true),
    product,
    terms: IdleTermsShape,
    termsHash: Bytes32,
    consent: ConsentRequestShape,
    revocation: z.object({
      immediateForFutureAllocation: z.literal(true),
      unwindsExistingPosition: z.literal(false),
      submit: SubmitShape,
    }),
  })
  .meta({ id: 'IdleQuote', description: 'Terms of idle-balance allocation with everything that the wallet signs.' })

export const IdleConsentedShape = z
  .object({ created: z.boolean(), consent: IdleConsentShape })
  .meta({ id: 'IdleConsented', description: 'The consent that was given.' })

export const IdleRevokedShape = z
  .union([
    z.object({ revoked: z.literal(true), consent: IdleConsentShape }),
    z.object({ revoked: z.literal(false), reason: z.literal('idle_balance_consent_missing') }),
  ])
  .meta({ id: 'IdleRevoked', description: 'Whether a consent was revoked.' })
