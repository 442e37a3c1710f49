import type { SignedTransfer, UncollectableReason } from '../../schemas/paid-verification/record.ts'

/** Less time than this before the end of an authorisation is too little to have a transaction mined, seconds. */
const CAPTURE_MARGIN_SECONDS = 60

/** What became of the nonce of an authorisation on the chain. */
export interface NonceUse {
  /** Whether the same transaction moved exactly the price from payer to payee. */
  kind: 'paid' | 'used_elsewhere' | 'cancelled'
  txHash: string
  /** Blocks on top of it. */
  confirmations: number
}

/** The chain at one block. */
export interface CaptureFacts {
  /** Time of the block, epoch seconds. */
  blockTime: number
  /** Time of the newest block that is deep enough to count, epoch seconds. */
  finalTime: number
  use: NonceUse | null
  balanceRaw: bigint
  /** A transaction of ours without an outcome. */
  isSending: boolean
  /** Whether the authorisation may have left the service: until its end, each party that has it can send it. */
  hasLeft: boolean
}

export type CaptureDecision =
  | { kind: 'captured'; txHash: string }
  | { kind: 'uncollectable'; reason: UncollectableReason }
  /** The outcome is not known, or not deep enough. */
  | { kind: 'wait' }
  | { kind: 'send' }

const endOf = ({ kind, txHash }: NonceUse): CaptureDecision => {
  if (kind === 'paid') return { kind: 'captured', txHash }
  return { kind: 'uncollectable', reason: kind }
}

/**
 * What follows for a payment that is owed. The log of its nonce decides, also in the transaction of another sender. Without one it is given up only where it
 * is certain that nothing was paid: its end lies deep enough, or it has never left the service and its payer holds too little. Source: rulings on payments.
 */
export const decideCapture = (
  { amountRaw, validBefore }: Pick<SignedTransfer, 'amountRaw' | 'validBefore'>,
  { blockTime, finalTime, use, balanceRaw, isSending, hasLeft }: CaptureFacts,
  confirmations: number,
): CaptureDecision => {
  if (use !== null) return use.confirmations < confirmations ? { kind: 'wait' } : endOf(use)
  if (isSending) return { kind: 'wait' }
  const isShort = balanceRaw < BigInt(amountRaw)
  if (!isShort && blockTime <= validBefore - CAPTURE_MARGIN_SECONDS) return { kind: 'send' }
  if (finalTime >= validBefore) return { kind: 'uncollectable', reason: isShort ? 'insufficient_funds' : 'expired' }
  return isShort && !hasLeft ? { kind: 'uncollectable', reason: 'insufficient_funds' } : { kind: 'wait' }
}
