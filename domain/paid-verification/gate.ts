import type { PaymentRequirements } from '../../schemas/paid-verification/payment.ts'
import type { UncollectableReason } from '../../schemas/paid-verification/record.ts'
import type { Hex } from '../common/hashes.ts'
import { paymentRefused } from './payment-refusals.ts'
import type { PresentedPayment } from './presented-payment.ts'
import { DEMANDED_MARGIN_SECONDS, MOST_EXCESS_SECONDS } from './requirements.ts'

/** Runs of a payer that may be unpaid at a time: those that are not over, and those whose payment it withdrew. */
export const MAX_UNPAID = 3

/**
 * Reasons of an uncollectable run that its payer caused. An authorisation that expired while its payer held the price may be the fault of the service: it
 * blocks no payer.
 */
export const WITHDRAWN = ['cancelled', 'used_elsewhere', 'insufficient_funds'] as const satisfies UncollectableReason[]

/** What a payer has not paid. */
export interface Unpaid {
  readonly open: number
  readonly uncollectable: number
}

/** What the payment chain says of a payment, all at one block. A value that could not be read is null. */
export interface PaymentFacts {
  /** Time of that block, epoch seconds. */
  readonly blockTime: bigint | null
  /** Whether the token has executed or cancelled the authorisation. */
  readonly isNonceUsed: boolean | null
  /** Whether the token states the configured signing domain. */
  readonly isDomainConfirmed: boolean | null
  readonly balanceRaw: bigint | null
  /** Whether the payer has code: the token may then ask that code, not the signature. */
  readonly isContract: boolean | null
}

/** What a run of the request is bound to. */
export interface DemandedPayment {
  readonly requirement: PaymentRequirements
  readonly requestHash: Hex
  /** Longest run of the profile. */
  readonly timeoutSeconds: number
}

/** What is stored of a payment: the request that its run is bound to. */
export interface KnownPayment {
  readonly requestHash: string
}

/** Refuses a payment that its payer did not sign. `signer` is the account that the signature recovers to; null where it recovers to none. */
export const assertSignedByPayer = ({ from }: PresentedPayment, signer: string | null): void => {
  if (signer === null) throw paymentRefused('payment_signature_invalid', { reason: 'signature_not_recoverable' })
  if (signer.toLowerCase() !== from) throw paymentRefused('payment_payer_mismatch', { member: 'authorization.from' })
}

/**
 * Whether a payment repeats the one of a stored run. Price, time-out and payee of today do not matter: the run has its own. `known` is what is stored of
 * the nonce; `signer` as in `assertSignedByPayer`.
 */
export const isRepeatedPayment = (
  { from }: PresentedPayment,
  { known, requestHash, signer }: { known: KnownPayment | null; requestHash: Hex; signer: string | null },
): boolean => known?.requestHash === requestHash && signer?.toLowerCase() === from

/** Refuses a payment whose nonce pays for another request. Throws 409. */
export const assertUnused = (known: KnownPayment | null): void => {
  if (known !== null) throw paymentRefused('payment_authorization_reused', { member: 'authorization.nonce' })
}

/**
 * Refuses a payment that cannot be collected as the chain is now. Deadlines count by the time of the block.
 * Throws 503 for what cannot be read, 402 for every other refusal.
 */
export const assertCollectable = (payment: PresentedPayment, facts: PaymentFacts, timeoutSeconds: number): void => {
  const { blockTime, isNonceUsed, isDomainConfirmed, balanceRaw, isContract } = facts
  if (blockTime === null) throw paymentRefused('payment_nonce_state_unavailable', { reason: 'chain_not_readable' })
  if (payment.validAfter >= blockTime)
    throw paymentRefused('payment_authorization_not_yet_valid', {
      member: 'authorization.validAfter',
      facts: { blockTime: blockTime.toString() },
    })
  const required = blockTime + BigInt(timeoutSeconds + DEMANDED_MARGIN_SECONDS)
  if (payment.validBefore < required)
    throw paymentRefused('payment_authorization_expiry_margin_insufficient', {
      member: 'authorization.validBefore',
      facts: { blockTime: blockTime.toString(), requiredValidBefore: required.toString() },
    })
  const last = required + BigInt(MOST_EXCESS_SECONDS)
  if (payment.validBefore > last)
    throw paymentRefused('payment_authorization_invalid', {
      ...{ member: 'authorization.validBefore', reason: 'lasts_too_long' },
      facts: { blockTime: blockTime.toString(), lastValidBefore: last.toString() },
    })
  if (isNonceUsed === null) throw paymentRefused('payment_nonce_state_unavailable', { reason: 'nonce_state_not_readable' })
  if (isNonceUsed) throw paymentRefused('payment_authorization_used', { member: 'authorization.nonce' })
  if (isDomainConfirmed === null) throw paymentRefused('payment_domain_unavailable', { reason: 'domain_not_readable' })
  if (!isDomainConfirmed) throw paymentRefused('payment_domain_unavailable', { reason: 'domain_differs' })
  if (balanceRaw === null || isContract === null) throw paymentRefused('payment_nonce_state_unavailable', { reason: 'payer_not_readable' })
  if (isContract) throw paymentRefused('payment_signature_invalid', { reason: 'contract_wallet_not_supported' })
  if (balanceRaw < payment.value)
    throw paymentRefused('payment_insufficient_funds', { facts: { balance: balanceRaw.toString(), amount: payment.value.toString() } })
}

/** Refuses a payer with too many unpaid runs. The reason says whether the end of others helps. */
export const assertNotBlocked = ({ open, uncollectable }: Unpaid): void => {
  if (open + uncollectable < MAX_UNPAID) return
  const reason = uncollectable < MAX_UNPAID ? 'runs_not_over' : 'runs_not_collected'
  throw paymentRefused('payment_payer_blocked', { reason, facts: { open, uncollectable, limit: MAX_UNPAID } })
}

/** A payment that is taken: for a new run, or as the repeat of the one of a stored run. */
export interface AdmittedPayment {
  readonly payment: PresentedPayment
  readonly isRepeat: boolean
}
