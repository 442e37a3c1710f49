import type { WorkerOptions } from '@temporalio/worker'

/** Cached isolates use memory outside the V8 heap; a few hundred are plenty for processes that mostly sleep. */
const CACHED_WORKFLOWS = 200

/** Some seven weeks: the longest that fits, and what the SDK itself sets for a debugger. */
const NEVER = '4294967295ms'

/**
 * How processes share a worker: in one V8 context, each in its turn. A turn that is broken off, as the SDK does after five seconds by the wall
 * clock, leaves what it has queued to the next process, which records it as its own and can never be replayed again.
 * So no turn is broken off. The SDK takes the limit though its types do not name it; whether a later release does, a test tells. Source: docs/adr/0021.
 */
export const ISOLATION: Pick<WorkerOptions, 'maxCachedWorkflows'> & { isolateExecutionTimeout: string } = {
  maxCachedWorkflows: CACHED_WORKFLOWS,
  isolateExecutionTimeout: NEVER,
}
