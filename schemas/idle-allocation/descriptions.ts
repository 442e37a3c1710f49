/** Members of idle-balance allocation. */
export const IDLE_ALLOCATION_MEMBERS = {
  movements: 'What was moved for the wallet.',
  recalled: 'What came back to keep the working capital of the wallet.',
  consentExpiresAt: 'End of the consent.',
  amountBasis: 'What counts as idle, and how much of it is moved.',
  venue: 'Where the balance goes.',
  downstream: 'Where the pool can place it.',
  venueDisclosure: 'What the pool does with it now.',
  returnTerms: 'How the wallet gets it back.',
  revocation: 'What revoking does.',
  immediateForFutureAllocation: 'Revoking stops new allocations at once.',
  unwindsExistingPosition: 'Whether revoking takes back what is allocated.',
  revoke: 'Route that ends the consent.',
  revoked: 'Whether a consent was revoked.',
} as const
