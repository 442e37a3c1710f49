import { createAccountCalls } from './accounts.ts'
import { createCalls, type EngineDeps } from './calls.ts'
import { createClaimCalls } from './claims.ts'
import { countStoppedRuns, readLastPoll } from './client.ts'
import { createContentCalls } from './content.ts'
import { createCrossChainCalls } from './cross-chain.ts'
import { createDisputeCalls } from './disputes.ts'
import { createIdleAllocationCalls } from './idle-allocation.ts'
import { createLockedDepositCalls } from './locked-deposits.ts'
import { createVerificationCalls } from './verification.ts'
import { createWebhookCalls } from './webhooks.ts'

export type { Outcome } from './calls.ts'
export type { NewClaim } from './claims.ts'
export { connectEngine, STOPPED_FILTERS, type StoppedRuns } from './client.ts'

/** The API's only access to the Temporal server, with one file of calls per process. */
export const createEngine = (deps: EngineDeps) => {
  const calls = { ...deps, ...createCalls(deps) }
  return {
    /** Rejects when the Temporal server cannot be reached. */
    probe: calls.probe,
    watchOutages: calls.watchOutages,
    readResult: calls.readResult,
    findRunningRun: calls.findRunningRun,
    /** Newest poll of a worker, epoch ms by the server's wall clock; null when none polls. */
    lastPollAt: () => readLastPoll(deps.client),
    countStoppedRuns: () => countStoppedRuns(deps.client),
    ...createAccountCalls(calls),
    ...createClaimCalls(calls),
    ...createVerificationCalls(calls),
    ...createDisputeCalls(calls),
    ...createLockedDepositCalls(calls),
    ...createIdleAllocationCalls(calls),
    ...createContentCalls(calls),
    ...createCrossChainCalls(calls),
    ...createWebhookCalls(calls),
  }
}
export type Engine = ReturnType<typeof createEngine>
