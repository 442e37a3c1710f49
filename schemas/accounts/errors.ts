import { errorTable } from '../common/error-row.ts'

/** Test funding. */
export const ACCOUNT_ERRORS = errorTable({
  asset_not_mintable:
    '400 | Asset not mintable | Only mock assets of a local chain can be minted. | Fund the wallet with a real deposit. | POST /account/deposit/transactions',
  funding_route_restricted:
    '403 | Funding restricted | Test funding works on a local chain only. | Deposit through POST /account/deposit/transactions. | POST /account/deposit/transactions',
})
