import { errorTable, post } from '../common/error-row.ts'

/** Test funding. */
export const ACCOUNT_ERRORS = errorTable({
  asset_not_mintable: {
    status: 400,
    title: 'Asset not mintable',
    meaning: 'Only mock assets of a local chain can be minted.',
    nextActions: [post('/account/deposit/transactions', 'Fund the wallet with a real deposit.')],
  },
  funding_route_restricted: {
    status: 403,
    title: 'Funding restricted',
    meaning: 'Test funding works on a local chain only.',
    nextActions: [post('/account/deposit/transactions', 'Deposit through POST /account/deposit/transactions.')],
  },
})
