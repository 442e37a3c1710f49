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

/** When a process is begun again and again, never twice at once. */
export interface Schedule {
  everyMinutes: number
  /** Each run begins up to so much later, so that several schedules do not begin together. */
  jitterSeconds?: number
  /** What becomes of a run that is due while another one runs: left out, or begun after it. */
  overlap: 'SKIP' | 'BUFFER_ONE'
  /** A run that was due while the engine was away is begun within this time. */
  catchupMinutes: number
  /** Workflow id of its runs, to which the engine adds the instant; that of the schedule without one. */
  workflowId?: string
  /** The schedule is created off, with this note, until an operator turns it on. */
  offNote?: string
  /** True to keep the arguments that an operator gave its runs. */
  keepsArgs?: true
}

/** Process that every worker starts unless it runs. */
export interface StandingProcess {
  workflow: string
  /** `workflowId` is that of the schedule, where there is one. */
  start: ProcessStart
  /** Without it, one run lasts. */
  schedule?: Schedule
}

/** A process that the records call for. */
export interface WantedProcess {
  workflow: string
  start: ProcessStart & { memo?: Record<string, unknown> }
}

/** How processes of a subject begin anew after the records were restored. */
export interface Recovery<Rows> {
  /** Workflows whose running processes end: they may remember what the records no longer have, or lack what these have. */
  workflows: readonly string[]
  /** The processes that open records call for. */
  listWanted: (rows: Rows, place: { chainId: number }) => Promise<WantedProcess[]>
}

/** A schedule as the engine has it. */
export interface ScheduleReading {
  isPaused: boolean
  note: string
  /** Arguments of its runs. */
  args: readonly unknown[]
  everySeconds: number | null
  /** Epoch ms, wall clock; null while it is off. */
  nextRunAt: number | null
}

/** Reads a schedule by its id; null without one. */
export type ReadSchedule = (scheduleId: string) => Promise<ScheduleReading | null>

/** A signal to a running process, or to one that it starts if needed. */
export type Message = { signal: SignalDefinition<unknown[]>; args?: unknown[] } & (
  | { workflowId: string }
  | { workflow: string; start: ProcessStart }
)

/** Sends a signal. A running process that is not there gets none. Rejects when the engine refuses it. */
export type SendMessage = (message: Message) => Promise<void>
