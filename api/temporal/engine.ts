import { readRunners } from '../../activities/temporal/runners.ts'
import { createCalls, type EngineDeps } from './calls.ts'
import { createClaimCalls } from './claims.ts'
import { countStoppedRuns, listStoppedRuns, readPolls } from './client.ts'
import { createIngestionCalls } from './ingestion.ts'
import { createPostingCalls } from './postings.ts'
import { createSingleRuns } from './single-runs.ts'
import { createVerificationCalls } from './verification.ts'

export type { Outcome } from './calls.ts'
export { connectEngine, STOPPED_FILTERS } from './client.ts'

const RUNNERS_LIMIT_MS = 450

/** The API's only access to the Temporal server. A process needs calls of its own only for what `updateOrStart` cannot do. */
export const createEngine = (deps: EngineDeps) => {
  const calls = { ...deps, ...createCalls(deps) }
  const { probe, watchOutages, updateOrStart, readResult, findRunningRun } = calls
  return {
    /** Rejects when the Temporal server cannot be reached. */
    probe,
    watchOutages,
    updateOrStart,
    readResult,
    findRunningRun,
    /** When each task queue was polled last. */
    readPolls: () => readPolls(deps.client),
    /** Runners of programs that poll now. Rejects when the server does not answer. */
    readRunners: () => readRunners(deps.client, RUNNERS_LIMIT_MS),
    countStoppedRuns: () => countStoppedRuns(deps.client),
    listStoppedRuns: (limit: number) => listStoppedRuns(deps.client, limit),
    ...createClaimCalls(calls),
    ...createSingleRuns(calls),
    ...createPostingCalls(calls),
    ...createIngestionCalls(calls),
    ...createVerificationCalls(calls),
  }
}
export type Engine = ReturnType<typeof createEngine>
