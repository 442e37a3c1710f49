import { crossChainStart } from '../../activities/cross-chain/start.ts'
import {
  type Observation,
  observeUpdate,
  type RecordedObservation,
  retryUpdate,
  type SettlementStep,
} from '../../schemas/cross-chain/process.ts'
import type { EngineCalls, Outcome } from './calls.ts'

/** Calls of the API to the process of a cross-chain request, which they start if needed. */
export const createCrossChainCalls = ({ updateOrStart }: EngineCalls) => ({
  observeXcmRequest: (requestId: string, input: Observation, updateId: string): Promise<Outcome<RecordedObservation>> =>
    updateOrStart(observeUpdate, { updateId, input }, 'crossChainRequest', crossChainStart({ v: 1, requestId })),

  /** Settles an observed request now. */
  settleXcmRequest: (requestId: string, requestedBy: string, updateId: string): Promise<Outcome<SettlementStep>> =>
    updateOrStart(retryUpdate, { updateId, input: { requestedBy } }, 'crossChainRequest', crossChainStart({ v: 1, requestId })),
})
