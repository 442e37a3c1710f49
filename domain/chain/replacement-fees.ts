/** Fees of one transaction, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)

/** An eighth more, rounded up, and always more: nodes refuse a replacement whose caps rise by less than a tenth. */
const raised = (fee: bigint): bigint => fee + larger((fee + 7n) / 8n, 1n)

/** Fees of a replacement: at least 12.5 % above both caps of the old one, and at least what the chain asks now. */
export const replacementFees = (old: Fees, quote: Fees): Fees => {
  const maxPriorityFeePerGas = larger(raised(old.maxPriorityFeePerGas), quote.maxPriorityFeePerGas)
  const maxFeePerGas = larger(larger(raised(old.maxFeePerGas), quote.maxFeePerGas), maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas }
}
