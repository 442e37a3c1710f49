import { errorTable } from '../common/error-row.ts'

/** Reads and calls of the contracts. */
export const CHAIN_ERRORS = errorTable({
  blockchain_revert:
    '409 | Refused by the contract | The contract refused the call. | See the decoded error and its remedy in details. With Retry-After the same request can be repeated. | wait',
  blockchain_unavailable: '502 | Chain unreadable | The chain could not be read. | Repeat later. | retryable',
  chain_state_diverged:
    '409 | Chain and record differ | On-chain state does not match our record. | A platform fault: report it. | GET /health: Report the request id to the operator. /health shows the state of the service.',
  chain_backend_required:
    '503 | Chain backend not configured | This operation needs the chain backend, and it is not configured. | See reason. | retryable | GET /health: Read which capability is missing.',
})
