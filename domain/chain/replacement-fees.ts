import { maxRaw, minRaw } from '../common/money.ts'

/** Fees of one transaction, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** One eighth more, rounded up, at least 1 wei: nodes refuse a replacement whose caps rise by less than a tenth. */
const increaseFee = (fee: bigint): bigint => fee + maxRaw((fee + 7n) / 8n, 1n)

/** Fees of a replacement in wei per gas: at least 12.5 % above both old caps, and at least the chain's current quote. */
export const replacementFees = (old: Fees, quote: Fees): Fees => {
  const maxPriorityFeePerGas = maxRaw(increaseFee(old.maxPriorityFeePerGas), quote.maxPriorityFeePerGas)
  const maxFeePerGas = maxRaw(maxRaw(increaseFee(old.maxFeePerGas), quote.maxFeePerGas), maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/** Whether base fee and tip exceed the price: the transaction may wait until the fee falls. */
export const isOutgrown = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees, baseFee: bigint): boolean =>
  baseFee + maxPriorityFeePerGas > maxFeePerGas

/** What a raise of fees begins with. */
interface RaiseFacts {
  /** Fees of the first signature and of the newest one. */
  first: Fees
  newest: Fees
  quote: Fees
  /** Base fee of the newest block, wei per gas. */
  baseFee: bigint
  /** Cap of the operator, as a multiple of the first price. */
  factor: number
}

/** Fees of a replacement within the cap; null if the chain would not take, or a node refuse, what the cap allows. */
export const raisedFees = ({ first, newest, quote, baseFee, factor }: RaiseFacts): Fees | null => {
  const maxPriorityFeePerGas = increaseFee(newest.maxPriorityFeePerGas)
  const maxFeePerGas = minRaw(replacementFees(newest, quote).maxFeePerGas, first.maxFeePerGas * BigInt(factor))
  const isEnough = maxFeePerGas >= increaseFee(newest.maxFeePerGas) && !isOutgrown({ maxFeePerGas, maxPriorityFeePerGas }, baseFee)
  return isEnough ? { maxFeePerGas, maxPriorityFeePerGas } : null
}
