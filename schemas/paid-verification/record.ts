/**
 * Where a paid run stands: one state for work and money.
 * `authorized`: admitted, nothing done. `running`: its profile runs. `executed`: it has a result that stays hidden. `capturing`: the transaction that
 * takes the payment is recorded and maybe sent. Then one of three ends.
 */
export const RUN_STATES = ['authorized', 'running', 'executed', 'capturing', 'captured', 'not_billed', 'uncollectable'] as const
export type RunState = (typeof RUN_STATES)[number]

/** Work as callers see it. A result is hidden until its payment is decided. */
export const RUN_STATUSES = ['queued', 'running', 'executed', 'complete'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Money as callers see it. */
export const BILLING_STATUSES = ['authorized', 'capture_pending', 'captured', 'not_billed', 'uncollectable'] as const
export type BillingStatus = (typeof BILLING_STATUSES)[number]

/** Why a payment that was owed can never be taken. */
export type UncollectableReason = 'cancelled' | 'used_elsewhere' | 'insufficient_funds' | 'expired'

/** The transfer that a payer signed; amounts in base units, instants in epoch seconds by the time of blocks. */
export interface SignedTransfer {
  /** CAIP-2. */
  network: string
  /** Lower case. */
  asset: string
  payer: string
  payTo: string
  amountRaw: string
  validAfter: number
  validBefore: number
  /** 32 bytes hex, lower case. */
  nonce: string
}
