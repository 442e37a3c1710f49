import { errorTable } from '../common/error-row.ts'

/** Requests to another chain. */
export const CROSS_CHAIN_ERRORS = errorTable({
  xcm_request_not_found:
    '404 | Request not found | The wrapper of this service knows no request of that id; requests of retired wrappers are not shown. | Check the id, 0x and 64 hex digits. | GET /account/strategies: Read what the wallet has in strategies.',
  xcm_request_not_owned:
    '403 | Not your request | The request belongs to another account. | Sign in with the account or the recipient of the request. | POST /auth/nonce: Sign in with another wallet.',
  xcm_wrapper_mismatch:
    '409 | Another wrapper | The observation was made for another generation of the wrapper; `details.wrapper` is the one of this service. | Observe the request of this wrapper. | GET /admin/xcm/outcomes: Read the outcomes of this wrapper.',
  xcm_request_not_observed:
    '409 | No outcome yet | The balance at the destination is still watched, so there is nothing to settle. | Wait for the outcome, or record one. | POST /admin/xcm/observe: Record what is known about the request.',
})
