import type { WorkerOptions } from '@temporalio/worker'

/** Cached workflows use memory outside the V8 heap; most of them sleep. */
const CACHED_WORKFLOWS = 200

/** Some seven weeks: the largest accepted value, and the SDK's own for a debugger. */
const NEVER = '4294967295ms'

/**
 * Workflows share one V8 context. By default the SDK interrupts an activation after five seconds of wall-clock time. The next workflow then
 * records the interrupted one's queued commands as its own, and cannot be replayed. So the time-out is raised; the SDK accepts the option
 * although its types omit it, and a test checks that. Source: docs/adr/0021.
 */
export const ISOLATION: Pick<WorkerOptions, 'maxCachedWorkflows'> & { isolateExecutionTimeout: string } = {
  maxCachedWorkflows: CACHED_WORKFLOWS,
  isolateExecutionTimeout: NEVER,
}
