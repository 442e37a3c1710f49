/** Members of work receipts. */
export const RECEIPT_MEMBERS = {
  receipts: 'Receipts, newest first.',
  receiptId: 'SHA-256 of the receipt without id, address, signers and signature.',
  receiptType: 'Kind of the receipt.',
  amounts: 'Amounts of the settlement; null when the worker was paid nothing.',
  providerClass: 'Who runs the worker, as far as the service knows.',
  specSource: 'Whether the terms were compared with the chain at the claim.',
  posterClass: 'Who posted the job: the operator or an external poster.',
  protocolFeeBps: 'Protocol fee in basis points.',
  gasRetentionBps: 'Part of the payment that was kept for gas, in basis points.',
  policyTags: 'Conditions of the work: waived bond, gas paid by the operator, who decided if not a verifier.',
  workerConsequence: 'What the outcome cost the worker.',
  topics: 'Topics of the event.',
  binding: 'What binds the event to its block.',
  verified: 'Whether the evidence hash is the hash of the stored submission.',
  attestation: 'What the receipt states and what it does not.',
  retiredAt: 'Instant after which the key signs nothing; null for the current key.',
} as const
