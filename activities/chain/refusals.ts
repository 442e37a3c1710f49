import { contractRefusal, refusalDetails } from '../../domain/chain/contract-refusals.ts'
import { type ErrorInfo, ServiceError } from '../../schemas/errors.ts'
import { parseRevert } from './reverts.ts'

/**
 * Explains a revert to the caller: the decoded error, its meaning, a remedy and, if the same call can succeed later, when to retry. Source:
 * http 1.2.
 */
export const revertInfo = (operation: string, reason: string | null, facts: Record<string, unknown> = {}): ErrorInfo => {
  const { meaning, remedy, retryAfterSeconds } = contractRefusal(reason)
  const named = reason === null ? '' : `: ${reason}`
  return {
    ...(reason !== null && { reason }),
    detail: `The contract refuses ${operation}${named}. ${meaning}`,
    details: { ...facts, ...refusalDetails(operation, reason, parseRevert(reason)) },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds, nextActions: [{ kind: 'wait', description: remedy }] }),
  }
}

/** Error for a caller whose claim step reverted. */
export const createClaimRefusal = (operation: string, reason: string | null, facts: { jobId: string; wallet: string }): ServiceError => {
  if (reason === 'InsufficientLiquidity') {
    return operation === 'claimJobFor'
      ? new ServiceError('insufficient_liquidity', {
          details: { ...facts },
          detail: 'The liquid balance did not cover stake and fee when the claim reached the chain.',
        })
      : new ServiceError('reward_funding_pending', { details: { jobId: facts.jobId } })
  }
  if (operation === 'claimJobFor' && (reason === 'InvalidState' || reason === 'UnknownJob'))
    return new ServiceError('job_already_claimed', { details: { jobId: facts.jobId } })
  return new ServiceError('blockchain_revert', revertInfo(operation, reason, { jobId: facts.jobId }))
}
