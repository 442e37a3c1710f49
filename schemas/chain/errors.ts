import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Reads and calls of the contracts. */
export const CHAIN_ERRORS = {
  blockchain_revert: errorRow(
    409,
    'Refused by the contract',
    'The contract refused the call.',
    'See the decoded error and its remedy in details. With Retry-After the same request can be repeated.',
  ),
  blockchain_unavailable: errorRow(502, 'Chain unreadable', 'The chain could not be read.', 'Repeat later.', true),
  chain_state_diverged: errorRow(
    409,
    'Chain and record differ',
    'On-chain state does not match our record.',
    'A platform fault: report it.',
  ),
  chain_backend_required: errorRow(
    503,
    'Chain backend not configured',
    'This operation needs the chain backend, and it is not configured.',
    'See reason.',
    true,
  ),
} as const satisfies Record<string, ErrorRow>
