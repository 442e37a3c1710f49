/** Workflow id of the process that closes the days of the log; one per chain. */
export const sessionLogWorkflowId = (chainId: number): string => `session-log/${chainId}`

export interface SessionLogInput {
  v: 1
  chainId: number
}

/** Result of closing days. */
interface ClosedDay {
  /** The last closed day, `YYYY-MM-DD`. */
  day: string
  entryCount: number
  /** Instant of the next close, ISO 8601. */
  nextAt: string
}

/** Activities of the database. */
export interface SessionLogActivities {
  /** Closes the day before today unless it is closed: lists what no head has, and signs the head. */
  closeLogDay(): Promise<ClosedDay>
}
