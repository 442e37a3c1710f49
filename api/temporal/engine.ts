import { createCalls, type EngineDeps } from './calls.ts'
import { createClaimCalls } from './claims.ts'
import { lastPollOf, stoppedOf } from './client.ts'
import { createDisputeCalls } from './disputes.ts'
import { createVerificationCalls } from './verification.ts'

export type { Outcome } from './calls.ts'
export type { NewClaim } from './claims.ts'
export { dialEngine, STOPPED_FILTERS, type StoppedRuns } from './client.ts'

/** The door to the processes, one file for each: the only callers of the Temporal client in the API. */
export const createEngine = (deps: EngineDeps) => {
  const calls = { ...deps, ...createCalls(deps) }
  return {
    /** Fails when the engine cannot be reached. */
    probe: calls.probe,
    watched: calls.watched,
    /** Newest poll of a worker, epoch ms by the engine's wall clock; null when none polls. */
    lastPollAt: () => lastPollOf(deps.client),
    stopped: () => stoppedOf(deps.client),
    ...createClaimCalls(calls),
    ...createVerificationCalls(calls),
    ...createDisputeCalls(calls),
  }
}
export type Engine = ReturnType<typeof createEngine>
