/** Kind of a quote and of the consent to it; the consent's kind is also the content type of its record. */
const CONSENT_KINDS = ['locked_tier_consent_v1', 'idle_balance_allocation_consent_v1'] as const
export type ConsentKind = (typeof CONSENT_KINDS)[number]

/** JSON terms that a wallet consents to; their hash is keccak256 of the canonical JSON. */
export type Terms = Readonly<Record<string, unknown>>
