import type { SearchAttributePair } from '@temporalio/common'

/** Options that start a process. */
export interface ProcessStart {
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
