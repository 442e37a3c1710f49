import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import { createExecution } from './execute.ts'
import { createFirstVerdict } from './first-verdict.ts'
import { createOverturn } from './overturn.ts'
import { createReconciliation } from './reconcile.ts'
import { createDisputeParts, type DisputeDeps } from './step.ts'
import { createDisputeTimeout } from './time-out.ts'

/** The chain steps of a dispute. Each reads record and chain, sends what is missing and records the result. */
export const createDisputeSteps = (deps: DisputeDeps): DisputeChainActivities => {
  const parts = createDisputeParts(deps)
  const { resubmitAfterReorg, reconcileWithChain } = createReconciliation(parts)
  const execution = createExecution(parts, resubmitAfterReorg)
  return {
    reconcileWithChain,
    applyDecision: execution.applyDecision,
    ...createDisputeTimeout(parts, resubmitAfterReorg, execution),
    ...createFirstVerdict(parts),
    ...createOverturn(parts),
  }
}
