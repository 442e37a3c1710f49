import { badRequest, errorTable, forbidden, post } from '../common/error-row.ts'

/** Test funding. */
export const ACCOUNT_ERRORS = errorTable({
  asset_not_mintable: badRequest({
    meaning: 'Only mock assets of a local chain can be minted.',
    next: post('/account/deposit/transactions', 'Fund the wallet with a real deposit.'),
  }),
  funding_route_restricted: forbidden({
    title: 'Funding restricted',
    meaning: 'Test funding works on a local chain only.',
    next: post('/account/deposit/transactions', 'Deposit through POST /account/deposit/transactions.'),
  }),
})
