import { z } from 'zod'
import { NO_DELEGATE, operation, WALLET_ONLY } from '../operations/operation.ts'
import { Bytes32, IdempotencyKeyInput, RequestAmount } from '../operations/values.ts'
import { LOCK_REFUSALS, TERM_TIERS } from './record.ts'
import { ConsentBody, ConsentNonceInput, LockConsentShape, LockExitShape, LockQuoteShape, publicProfileOptIn } from './shapes.ts'

const tags = ['Locked deposits'] as const
const change = { tags, auth: WALLET_ONLY, capability: 'account:allocate' } as const

const quoteMembers = { amount: RequestAmount.describe('What is locked, in base units.'), consentNonce: ConsentNonceInput }

export const quoteLockedDeposit = operation('quoteLockedDeposit', 'POST /locked-deposits/quote', {
  summary: 'Terms of a locked deposit with the exact message that the wallet signs.',
  description:
    'The quote is stored for ten minutes under `termsHash`; only stored terms can be consented to. No funds move. The checks run again at the consent.',
  tags,
  auth: NO_DELEGATE,
  action: 'quote_locked_deposit_before_consent',
  capability: 'account:read',
  earning: true,
  rate: 'quotes',
  body: z.discriminatedUnion('tier', [
    z.strictObject({ tier: z.enum(TERM_TIERS).exclude(['t90']), ...quoteMembers }),
    z.strictObject({ tier: z.literal('t90'), ...quoteMembers, publicProfileOptIn: publicProfileOptIn.optional() }),
  ]),
  responses: { 200: LockQuoteShape },
  errors: LOCK_REFUSALS,
  tool: { name: 'quoteLockedDeposit', directory: true, sets: ['savings'] },
  examples: { body: { tier: 't30', amount: '15000000', consentNonce: 'k3NVqOzB5QmW1xTj' } },
})

export const createLockedDeposit = operation('createLockedDeposit', 'POST /locked-deposits/consent', {
  summary: 'Locks a deposit by the signed consent to a quote; funds do not move.',
  description:
    'Send `terms` and `termsHash` of the quote unchanged, and the signature of its message (personal_sign). The lock has the id `termsHash`; the same consent again, without a key or under another one, answers the same lock with `created: false`, also after the quote expired.',
  ...change,
  action: 'create_signed_locked_deposit',
  earning: true,
  idempotent: 'locked_deposit_consent',
  body: ConsentBody,
  responses: { 201: LockConsentShape, 200: LockConsentShape },
  errors: [
    ...LOCK_REFUSALS,
    'locked_tier_quote_unknown',
    'locked_tier_terms_hash_mismatch',
    'locked_tier_consent_binding_mismatch',
    'locked_tier_consent_signer_mismatch',
    'locked_tier_quote_expired',
    'locked_tier_consent_pending',
    'workflow_engine_unavailable',
  ],
  tool: { name: 'createLockedDeposit', directory: false, sets: ['savings'], final: true },
  examples: {
    body: { terms: { schemaVersion: 1, tier: 't30' }, termsHash: `0x${'ab'.repeat(32)}`, consentSignature: `0x${'cd'.repeat(64)}1b` },
  },
})

export const exitLockedDeposit = operation('exitLockedDeposit', 'POST /locked-deposits/:id/exit', {
  summary: 'Leaves a locked deposit early: perks end at once, the amount is free after 48 hours.',
  description: 'No haircut and no fee. A second request while the lock exits answers the same entry.',
  ...change,
  action: 'request_locked_deposit_early_exit',
  idempotent: 'locked_deposit_exit',
  params: z.object({ id: Bytes32 }),
  body: z.strictObject({ idempotencyKey: IdempotencyKeyInput.optional() }),
  responses: { 200: LockExitShape },
  errors: ['locked_tier_not_found', 'locked_tier_already_released', 'locked_tier_consent_pending', 'workflow_engine_unavailable'],
  tool: { name: 'requestLockedDepositExit', directory: false, sets: ['savings'], final: true },
  examples: { params: { id: `0x${'ab'.repeat(32)}` }, body: {} },
})
