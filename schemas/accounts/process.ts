import type { ErrorCode } from '../errors.ts'
import type { GasGrantReason } from './record.ts'

/** Workflow id of the gas grant of a wallet; one for its lifetime. */
export const gasGrantWorkflowId = (wallet: string): string => `gas-grant/${wallet}`

/** The withdrawal that asks for the grant, as it was built. */
export interface GasGrantInput {
  v: 1
  /** Lower case. */
  wallet: string
  /** Decimal digits, base units. */
  amountRaw: string
  destination: string
  /** Liquid balance at which the withdrawal was built; decimal digits, base units. */
  liquidRaw: string
  requestId: string
}

/** Codes of a transfer that was not sent because it would not reach the wallet. The reservation stays: a later request sends it. */
export const UNSENT_CODES: readonly string[] = ['native_account_mapping_required', 'native_mapping_mismatch'] satisfies ErrorCode[]

/** A grant that is reserved or was granted, or why there is none. */
export type GasGrantReservation = { kind: 'reserved' | 'granted' } | { kind: 'refused'; reason: GasGrantReason }

export interface GasGrantActivities {
  /** Reads the wallet's grant and its account again, and reserves a grant of the UTC day. A repeat finds its own reservation. */
  reserveGasGrant(input: GasGrantInput): Promise<GasGrantReservation>
  /** Sends the reserved transfer at most once and records its outcome. Refuses for good when the wallet refused it: it is never decided again. */
  sendGasGrant(input: { wallet: string }): Promise<{ txHash: string }>
}
