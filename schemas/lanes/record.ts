/** Sweeps over the catalogue. `stale` archives listings whose time is over, `integrity` pauses jobs whose definition drifted from its hash. */
export type SweepKind = 'stale' | 'integrity'

/** What one sweep for stale listings did. */
export interface StaleReport {
  kind: 'stale'
  dryRun: boolean
  /** Stale listings that it found, at most one more than it archives. */
  found: number
  /** Jobs that it archived, or would have. */
  jobIds: string[]
  archived: number
}

/** What a sweep of the integrity of definitions did. `stopped`: more than half of the catalogue drifted, so the hashes are in doubt, not the jobs. */
export const SWEEP_ACTIONS = ['none', 'paused', 'stopped'] as const

/** What one sweep of the integrity of definitions did. */
export interface IntegrityReport {
  kind: 'integrity'
  /** Jobs that are not archived. */
  total: number
  matching: number
  drifted: number
  /** Jobs that this sweep paused. */
  markedUnclaimable: number
  guardTriggered: boolean
  action: (typeof SWEEP_ACTIONS)[number]
  /** The first drifted jobs. */
  driftedJobs: string[]
  /** Jobs whose definition could not be hashed. */
  errors: { jobId: string; message: string }[]
}

export type SweepReport = StaleReport | IntegrityReport
