import type { SearchAttributePair, SignalDefinition } from '@temporalio/common'

/** Options that start a process. */
interface ProcessStart {
  taskQueue: string
  workflowId: string
  args: unknown[]
  staticSummary: string
  staticDetails?: string
  typedSearchAttributes?: SearchAttributePair[]
}

/** Process that every worker starts unless it runs. */
export interface StandingProcess {
  workflow: string
  start: ProcessStart
  /** Starts a new run this often, never two at once; without it, one run lasts. */
  everyHours?: number
}

/** A signal to a running process, or to one that it starts if needed. */
export type Message = { signal: SignalDefinition<unknown[]>; args?: unknown[] } & (
  | { workflowId: string }
  | { workflow: string; start: ProcessStart }
)

/** Sends a signal. A running process that is not there gets none. Rejects when the engine refuses it. */
export type SendMessage = (message: Message) => Promise<void>
