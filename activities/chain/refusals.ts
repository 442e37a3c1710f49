import { contractRefusal, pauseRefusal, refusalDetails } from '../../domain/chain/contract-refusals.ts'
import { type ErrorInfo, ServiceError } from '../../schemas/errors.ts'
import { revertPartsOf } from './reverts.ts'

/**
 * What the revert of a call tells the caller: the decoded error, what it means, what can be done, and when to come back if the identical
 * call can pass later. Source: http 1.2.
 */
export const revertInfo = (operation: string, reason: string | null, facts: Record<string, unknown> = {}): ErrorInfo => {
  const { meaning, remedy, retryAfterSeconds } = contractRefusal(reason)
  const named = reason === null ? '' : `: ${reason}`
  return {
    ...(reason !== null && { reason }),
    detail: `The contract refuses ${operation}${named}. ${meaning}`,
    details: { ...facts, ...refusalDetails(operation, reason, revertPartsOf(reason)) },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds, nextActions: [{ kind: 'wait', description: remedy }] }),
  }
}

/** Refusal of a call that is not even sent: each would be mined, at the operator's cost, and revert. */
export const refusedByPause = (operation: string, facts: Record<string, unknown>, leftSeconds?: number): ServiceError =>
  new ServiceError('blockchain_revert', pauseRefusal(operation, facts, leftSeconds))

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
  return new ServiceError('blockchain_revert', revertInfo(operation, reason, { jobId: facts.jobId }))
}
