import { errorTable, forbidden, get, notFound, post } from '../common/error-row.ts'

/** Requests to another chain. */
export const CROSS_CHAIN_ERRORS = errorTable({
  xcm_request_not_found: notFound({
    title: 'Request not found',
    meaning: 'The wrapper of this service knows no request of that id; requests of retired wrappers are not shown.',
    reaction: 'Check the id, 0x and 64 hex digits.',
    next: get('/account/strategies', 'Read what the wallet has in strategies.'),
  }),
  xcm_request_not_owned: forbidden({
    title: 'Not your request',
    meaning: 'The request belongs to another account.',
    reaction: 'Sign in with the account or the recipient of the request.',
    next: post('/auth/nonce', 'Sign in with another wallet.'),
  }),
  xcm_wrapper_mismatch: {
    title: 'Another wrapper',
    meaning: 'The observation was made for another generation of the wrapper; `details.wrapper` is the one of this service.',
    reaction: 'Observe the request of this wrapper.',
    next: get('/admin/xcm/outcomes', 'Read the outcomes of this wrapper.'),
  },
  xcm_request_not_observed: {
    title: 'No outcome yet',
    meaning: 'The balance at the destination is still watched, so there is nothing to settle.',
    reaction: 'Wait for the outcome, or record one.',
    next: post('/admin/xcm/observe', 'Record what is known about the request.'),
  },
})
