import type { NewClaim } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { knownValue } from '../common/fact.ts'
import type { Evaluation } from '../eligibility/evaluate.ts'
import { getEconomics } from '../eligibility/views/preflight.ts'
import { admissionEvidence } from './admission-evidence.ts'

/** Who claims, and how the claim came to the service. */
export type ClaimRequest = Pick<
  NewClaim,
  'wallet' | 'grantId' | 'responsiblePerson' | 'idempotencyKey' | 'explicitKey' | 'requestId' | 'protocol' | 'adopted' | 'wasAdmitted'
>

/** The key of a claim that was sent without one. */
export const usualClaimKey = (wallet: string, jobId: string): string => `${wallet}:${jobId}`

/**
 * A claim with the terms and measurements of its evaluation. The chain already counts an adopted one among those of its wallet. Throws
 * `claim_economics_unavailable` and `blockchain_unavailable` where the chain was not read.
 */
export const newClaim = (evaluation: Evaluation, request: ClaimRequest): NewClaim => {
  const { job, chainJob, liquidity, vestedRaw, priority } = evaluation.assessment.facts
  const { waived, claimNumber, waiverClaimsPerWallet, source, unwaived, gasRetentionSupported, claimFeeRetainedOnSuccess } = getEconomics(
    evaluation.assessment,
  )
  const balance = knownValue(liquidity)
  if (balance === undefined) throw new ServiceError('blockchain_unavailable')
  return {
    ...request,
    jobId: job.id,
    economics: {
      waived,
      claimNumber: request.adopted ? Math.max(1, claimNumber - 1) : claimNumber,
      waiverClaimsPerWallet,
      gasRetentionSupported,
      claimFeeRetainedOnSuccess,
      source,
      stakeRaw: unwaived.claimStakeRaw.toString(),
      stakeBps: unwaived.claimStakeBps,
      feeRaw: unwaived.claimFeeRaw.toString(),
      feeBps: unwaived.claimFeeBps,
      retainedRaw: unwaived.gasRetainedRaw.toString(),
    },
    withdrawableRaw: balance.withdrawableRaw.toString(),
    block: balance.block.toString(),
    vestedRaw: knownValue(vestedRaw)?.toString() ?? null,
    creditDebtRaw: knownValue(priority.outstandingCreditRaw)?.toString() ?? null,
    admission: { ...admissionEvidence(evaluation) },
    specSource: chainJob === 'unreadable' ? 'chain_unavailable_fail_open' : 'chain_verified',
    selfPaid: job.postingRoute === 'external-direct',
    title: job.definition.title,
    chainJobId: job.chainJobId,
    verifierMode: job.definition.verifierMode,
  }
}
