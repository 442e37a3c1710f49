import { defineQuery, defineSignal } from '@temporalio/workflow'
import type { IntegrityReport, StaleReport } from './record.ts'

/** Workflow id of the process of a recurring template. */
export const recurringWorkflowId = (templateId: string): string => `recurring/${templateId}`

/** Ids of the schedules of the sweeps; one each per chain. */
export const staleSweepScheduleId = (chainId: number): string => `stale-sweep/${chainId}`
export const integritySweepScheduleId = (chainId: number): string => `integrity-sweep/${chainId}`

/** Start arguments of a recurring template. */
export interface RecurringInput {
  v: 1
  templateId: string
}

/**
 * Where a template stands. `waiting`: the next run is due at `until`. `held`: a run is due, and its lane takes it at `until` at the earliest.
 * `paused`: an operator or an empty reserve. `ended`: no run follows.
 */
export interface RecurringProgress {
  state: 'waiting' | 'held' | 'paused' | 'ended'
  /** ISO 8601; null for `paused` and `ended`. */
  until: string | null
  runs: number
  details: string
}

export interface RecurringActivities {
  /** Lists the run that is due, if its reserve and its lane have room, and answers where the template stands. A repeat lists no second job. */
  advanceTemplate(input: { templateId: string }): Promise<RecurringProgress>
}

/** An operator fired, paused or resumed the template, or its lifecycle changed. */
export const templateChanged = defineSignal('templateChanged')

/** Where the template stands; null before the first reading. */
export const recurringProgress = defineQuery<RecurringProgress | null>('recurringProgress')

export interface SweepInput {
  v: 1
}

/** Report of a sweep; `off` when the settings do not let it run. */
export type SweepResult<Report> = Report | { status: 'off' }

export interface SweepActivities {
  /** Archives listings whose time is over. A repeat goes on where the records stand. */
  sweepStaleJobs(): Promise<SweepResult<StaleReport>>
  /** Compares every definition with its hash and pauses the jobs that drifted. */
  sweepDefinitions(): Promise<IntegrityReport>
}
