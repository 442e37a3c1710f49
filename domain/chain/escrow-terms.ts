/** Payout modes in the order of the escrow's enumeration. */
export const PAYOUT_MODES = ['single', 'milestone'] as const
export type PayoutMode = (typeof PAYOUT_MODES)[number]

/** What the creation of an escrow job fixed for good. */
export interface EscrowTerms {
  specHash: string
  payoutMode: PayoutMode
  /** Symbol of the chain file's asset; another one by its address, lower case. */
  asset: string
  /** Base units. */
  rewardRaw: bigint
  /** Seconds from a claim to its expiry. */
  claimTtlSeconds: bigint
}
