import type { CrossChainActivities, CrossChainRecordActivities } from '../../schemas/cross-chain/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type CrossChainDeps, createChainRequests } from './chain-requests.ts'
import { createSettlementSteps } from './settlement-steps.ts'
import { createWatchSteps } from './watch-steps.ts'

type Steps = CrossChainActivities & CrossChainRecordActivities

const notConfigured = async (): Promise<never> => {
  throw new ServiceError('chain_backend_required')
}

/** Observes and settles the requests of the configured wrapper; without one every step fails. */
export const createCrossChainSteps = (deps: CrossChainDeps): Steps => {
  const { chain } = deps
  const { xcm } = chain.contracts
  if (xcm === undefined)
    return {
      advanceWatch: notConfigured,
      settleCrossChainRequest: notConfigured,
      recordObservation: notConfigured,
      parkCrossChainRequest: notConfigured,
    }
  const requests = createChainRequests({ chain, xcm }, deps)
  return { ...createWatchSteps(requests, deps), ...createSettlementSteps(requests, deps) }
}
