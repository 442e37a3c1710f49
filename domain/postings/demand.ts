import { ERRORS, type ErrorCode } from '../../schemas/errors.ts'

/** What became of a request for a draft. Source: money, "External posting". */
export type DemandOutcome =
  | 'quoted'
  | 'already_funded'
  | 'mode_closed'
  | 'allowlist_rejected'
  | 'floor_rejected'
  | 'ceiling_rejected'
  | 'schema_rejected'
  | 'validation_rejected'
  | 'quote_failed'

const OUTCOMES: Partial<Record<ErrorCode, DemandOutcome>> = {
  external_posting_closed: 'mode_closed',
  external_poster_not_allowed: 'allowlist_rejected',
  external_reward_below_floor: 'floor_rejected',
  external_reward_above_ceiling: 'ceiling_rejected',
  external_schema_not_supported: 'schema_rejected',
  external_fee_quote_mismatch: 'quote_failed',
  external_fee_quote_reward_mismatch: 'quote_failed',
  external_fee_quote_unavailable: 'quote_failed',
  external_fee_quote_invalid: 'quote_failed',
}

/** Outcome of a refused request; null for a refusal that says nothing of what was asked for, such as an outage, a limit of requests or a key that is in use. */
export const refusedDemand = (code: ErrorCode): DemandOutcome | null => {
  const known = OUTCOMES[code]
  if (known !== undefined) return known
  const saysNothing = ERRORS[code].status >= 500 || code === 'rate_limited' || code.startsWith('idempotency_key')
  return saysNothing ? null : 'validation_rejected'
}
