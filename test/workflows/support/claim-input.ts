import type { ClaimInput } from '../../../schemas/claims/process.ts'
import { aSession } from '../../domain/builders/session.ts'

export const WALLET = `0x${'c'.repeat(40)}`

/** Start arguments of a claim, as the API builds them. */
export const claimInput = (jobId: string, changes: Partial<ClaimInput> = {}): ClaimInput => ({
  v: 1,
  jobId,
  wallet: WALLET,
  idempotencyKey: `${WALLET}:${jobId}`,
  explicitKey: false,
  requestId: 'request-1',
  protocol: 'http',
  grantId: null,
  responsiblePerson: null,
  economics: {
    waived: false,
    claimNumber: 1,
    waiverClaimsPerWallet: 3,
    stakeRaw: '200000',
    stakeBps: 1000,
    feeRaw: '50000',
    feeBps: 200,
    retainedRaw: '50000',
    gasRetentionSupported: true,
    claimFeeRetainedOnSuccess: false,
    source: 'contract_preview',
  },
  withdrawableRaw: '1000000000',
  block: '1000000',
  vestedRaw: '0',
  creditDebtRaw: '0',
  admission: aSession().admission,
  specSource: 'chain_verified',
  adopted: false,
  wasAdmitted: false,
  selfPaid: false,
  ...changes,
})
