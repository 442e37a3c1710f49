/** Payout modes in the order of the escrow's enumeration. */
export const PAYOUT_MODES = ['single', 'milestone'] as const
export type PayoutMode = (typeof PAYOUT_MODES)[number]

/** Immutable terms of an escrow job. */
export interface EscrowTerms {
  specHash: string
  payoutMode: PayoutMode
  /** Symbol of an asset in the chain file; otherwise its lower-case address. */
  asset: string
  /** Base units. */
  rewardRaw: bigint
  /** Seconds from a claim to its expiry. */
  claimTtlSeconds: bigint
}
