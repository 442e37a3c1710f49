import { ServiceError } from '../../schemas/errors.ts'

/** Refusal that a reverted step of a claim means to the caller. */
export const refusalOfRevert = (operation: string, reason: string | null, facts: { jobId: string; wallet: string }): ServiceError => {
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
  return new ServiceError('blockchain_revert', {
    ...(reason !== null && { reason }),
    details: { operation, customError: reason, jobId: facts.jobId },
    detail: reason === null ? `${operation} was reverted by the contract.` : `${operation} was reverted by the contract: ${reason}.`,
  })
}
