import { errorTable } from '../common/error-row.ts'

/** Why the credit pool is not offered. */
export const CREDIT_ERRORS = errorTable({
  credit_disclosure_mismatch:
    '409 | Risk text differs | The contract states another risk than the service would show, so the service builds no deposit and no loan. | Report it to the operator. | GET /credit: Read the text of the contract.',
})
