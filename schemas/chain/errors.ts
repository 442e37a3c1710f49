import { badGateway, errorTable, get, REPORT, unavailable, wait } from '../common/error-row.ts'

/** Reads and calls of the contracts. */
export const CHAIN_ERRORS = errorTable({
  blockchain_revert: {
    title: 'Refused by the contract',
    meaning: 'The contract refused the call.',
    next: wait('See the decoded error and its remedy in details. With Retry-After the same request can be repeated.'),
  },
  blockchain_unavailable: badGateway({ title: 'Chain unreadable', meaning: 'The chain could not be read.', retry: 'Repeat later.' }),
  chain_state_diverged: {
    title: 'Chain and record differ',
    meaning: 'On-chain state does not match our record.',
    reaction: 'A platform fault: report it.',
    next: REPORT,
  },
  chain_backend_required: unavailable({
    title: 'Chain backend not configured',
    meaning: 'This operation needs the chain backend, and it is not configured.',
    retry: 'See reason.',
    next: get('/health', 'Read which capability is missing.'),
  }),
})
