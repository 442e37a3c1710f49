import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Test funding. */
export const ACCOUNT_ERRORS = {
  asset_not_mintable: errorRow(
    400,
    'Asset not mintable',
    'Only mock assets of a local chain can be minted.',
    'Fund the wallet with a real deposit.',
  ),
  funding_route_restricted: errorRow(
    403,
    'Funding restricted',
    'Test funding works on a local chain only.',
    'Deposit through POST /account/deposit/transactions.',
  ),
} as const satisfies Record<string, ErrorRow>
