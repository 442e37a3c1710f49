import { z } from 'zod'
import { ConsentBody, ConsentNonceInput } from '../locked-deposits/shapes.ts'
import { NO_DELEGATE, operation, SIGNED_IN, WALLET_ONLY } from '../operations/operation.ts'
import { IdempotencyKeyInput } from '../operations/values.ts'
import { IdleConsentedShape, IdleQuoteShape, IdleRevokedShape, IdleStatusShape, IdleUnavailableShape } from './shapes.ts'

const own = { tags: ['Account'], ...SIGNED_IN, capability: 'account:read' } as const
const change = { ...own, auth: WALLET_ONLY, capability: 'account:allocate' } as const

export const getIdleAllocation = operation('getIdleAllocation', 'GET /account/idle-allocation', {
  summary: 'Whether idle balance of the wallet is lent to the pool, and by which consent.',
  description: 'While the operator offers no idle-balance allocation, every route of it answers `available: false`.',
  ...own,
  responses: { 200: z.union([IdleStatusShape, IdleUnavailableShape]) },
})

export const quoteIdleAllocation = operation('quoteIdleAllocation', 'POST /account/idle-allocation/quote', {
  summary: 'Terms of idle-balance allocation with the exact message that the wallet signs.',
  description: 'The quote is stored for ten minutes under `termsHash`; only stored terms can be consented to.',
  ...own,
  auth: NO_DELEGATE,
  earning: true,
  rate: 'quotes',
  body: z.strictObject({ consentNonce: ConsentNonceInput }),
  responses: { 200: z.union([IdleQuoteShape, IdleUnavailableShape]) },
  errors: ['idle_balance_venue_state_unavailable'],
  examples: { body: { consentNonce: 'k3NVqOzB5QmW1xTj' } },
})

export const consentToIdleAllocation = operation('consentToIdleAllocation', 'POST /account/idle-allocation/consent', {
  summary: 'Lets the operator lend idle balance of the wallet to the pool for 90 days.',
  description:
    'Send `terms` and `termsHash` of the quote unchanged, and the signature of its message (personal_sign). A new consent replaces the one before it; a revoked one never becomes active again.',
  ...change,
  earning: true,
  idempotent: 'idle_allocation_consent',
  body: ConsentBody,
  responses: { 201: IdleConsentedShape, 200: IdleConsentedShape },
  errors: [
    'route_not_live',
    'idle_balance_consent_quote_unknown',
    'idle_balance_consent_terms_hash_mismatch',
    'idle_balance_consent_binding_mismatch',
    'idle_balance_consent_signer_mismatch',
    'idle_balance_consent_quote_expired',
    'idle_balance_consent_revoked',
    'idle_balance_consent_expired',
    'idle_balance_consent_pending',
    'workflow_engine_unavailable',
  ],
  examples: {
    body: {
      terms: { schemaVersion: 1, product: 'idle-balance allocation' },
      termsHash: `0x${'ab'.repeat(32)}`,
      consentSignature: `0x${'cd'.repeat(64)}1b`,
    },
  },
})

export const revokeIdleAllocation = operation('revokeIdleAllocation', 'POST /account/idle-allocation/revoke', {
  summary: 'Ends the consent at once; what is lent stays until the wallet recalls it, and the answer says how much and where.',
  ...change,
  idempotent: 'idle_allocation_revoke',
  body: z.strictObject({ idempotencyKey: IdempotencyKeyInput.optional() }),
  responses: { 200: z.union([IdleRevokedShape, IdleUnavailableShape]) },
  errors: ['idle_balance_consent_pending', 'workflow_engine_unavailable'],
  examples: { body: {} },
})
