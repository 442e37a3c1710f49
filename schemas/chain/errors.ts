import { errorTable, get, LATER, wait } from '../common/error-row.ts'

/** Reads and calls of the contracts. */
export const CHAIN_ERRORS = errorTable({
  blockchain_revert: {
    title: 'Refused by the contract',
    meaning: 'The contract refused the call.',
    nextActions: [wait('See the decoded error and its remedy in details. With Retry-After the same request can be repeated.')],
  },
  blockchain_unavailable: { status: 502, title: 'Chain unreadable', meaning: 'The chain could not be read.', ...LATER },
  chain_state_diverged: {
    title: 'Chain and record differ',
    meaning: 'On-chain state does not match our record.',
    reaction: 'A platform fault: report it.',
    nextActions: [get('/health', 'Report the request id to the operator. /health shows the state of the service.')],
  },
  chain_backend_required: {
    status: 503,
    title: 'Chain backend not configured',
    meaning: 'This operation needs the chain backend, and it is not configured.',
    reaction: 'See reason.',
    retryable: true,
    nextActions: [get('/health', 'Read which capability is missing.')],
  },
})
