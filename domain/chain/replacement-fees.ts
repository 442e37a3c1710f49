/** Fees of one transaction, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/** One eighth more, rounded up, at least 1 wei: nodes refuse a replacement whose caps rise by less than a tenth. */
const increaseFee = (fee: bigint): bigint => fee + larger((fee + 7n) / 8n, 1n)

/** Fees of a replacement in wei per gas: at least 12.5 % above both old caps, and at least the chain's current quote. */
export const replacementFees = (old: Fees, quote: Fees): Fees => {
  const maxPriorityFeePerGas = larger(increaseFee(old.maxPriorityFeePerGas), quote.maxPriorityFeePerGas)
  const maxFeePerGas = larger(larger(increaseFee(old.maxFeePerGas), quote.maxFeePerGas), maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas }
}
