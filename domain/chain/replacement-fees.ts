import { maxRaw } from '../common/money.ts'

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
