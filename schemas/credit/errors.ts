import { errorTable, get } from '../common/error-row.ts'

/** Why the credit pool is not offered. */
export const CREDIT_ERRORS = errorTable({
  credit_disclosure_mismatch: {
    title: 'Risk text differs',
    meaning: 'The contract states another risk than the service would show, so the service builds no deposit and no loan.',
    reaction: 'Report it to the operator.',
    next: get('/credit', 'Read the text of the contract.'),
  },
})
