/** Why a source could not be read. */
const SOURCE_FAULTS = {
  source_unreadable: 'The source did not answer, or not with what it documents.',
  source_rate_limited: 'The source asks to wait.',
  source_refused: 'The source refuses the request: access, address or input.',
  source_too_large: 'An answer of the source is longer than the service reads.',
  budget_exhausted: 'The run has made as many requests as it may.',
} as const
export type SourceFault = keyof typeof SOURCE_FAULTS

/** Why the process of a run gave up reading, besides the source itself. */
const RUN_FAULTS = {
  source_busy: 'Another run reads the source.',
  page_failed: 'The service could not decide a page.',
} as const
export type RunFault = SourceFault | keyof typeof RUN_FAULTS

const READ_FAULTS: ReadonlySet<string> = new Set([...Object.keys(SOURCE_FAULTS), ...Object.keys(RUN_FAULTS)])

/** Whether the reason of a stop is a fault, so that a run that read nothing before it has failed. */
export const isRunFault = (reason: string): reason is RunFault => READ_FAULTS.has(reason)

/** Facts of fetched bytes that a worker has to give and the definition only commits to; each as `name value`. Source: rulings on answers that are not public. */
export type CommittedFacts = readonly string[]

/** A text of a candidate that its source wrote, by its place in the candidate. Untrusted. */
export interface SourceText {
  /** JSON pointer in the candidate. */
  pointer: string
  value: string
}

/** What a run made of a candidate: `proposed` is `created` of a dry run. */
export const INGEST_OUTCOMES = ['created', 'proposed', 'skipped', 'parked', 'error'] as const
export type IngestOutcome = (typeof INGEST_OUTCOMES)[number]

/** Who started a run: an admin's request, the schedule of the source, or an operator who triggered it. */
export const INGEST_ORIGINS = ['request', 'schedule', 'steer'] as const
export type IngestOrigin = (typeof INGEST_ORIGINS)[number]

export const INGEST_STATUSES = ['running', 'done', 'failed'] as const
export type IngestStatus = (typeof INGEST_STATUSES)[number]

/** Why a run ended before its candidates did. */
export interface IngestStop {
  /** A `RunFault`, the code of a refusal of the lane, `limit_reached`, `source_open_cap` or `verifier_not_ready`. */
  reason: string
  detail: string
  /** ISO 8601: from when on another run gets further; null where no instant is known. */
  resumeAt: string | null
}

/** Points of a score by name, in the order in which they were given. */
export type ScoreParts = (readonly [name: string, points: number])[]

/** A job that a run proposes or listed, in short. */
export interface IngestedJobRow {
  id: string
  itemKey: string
  title: string
  category: string
  tier: string
  lane: string
  verifierMode: string
  reward: { asset: string; raw: string; decimals: number; display: string }
  claimTtlSeconds: number
  score: number
  reasons: { name: string; points: number }[]
}

/** A candidate that a run left out. */
export interface IngestSkip {
  /** Id of its job; the key of the candidate where it has none. */
  id: string
  itemKey: string
  reason: string
  detail: string
  /** Rules of the screen that its texts break. */
  rules?: string[]
  /** ISO 8601; absent where waiting changes nothing. */
  resumeAt?: string
}

/** A candidate whose job was refused. */
export interface IngestError {
  id: string
  itemKey: string
  code: string
  message: string
}

/** Answer of a run, as it is stored with its end. */
export interface IngestAnswer {
  provider: string
  runId: string
  dryRun: boolean
  minScore: number
  candidateCount: number
  jobs: IngestedJobRow[]
  /** Ids of the jobs that were listed. */
  created: string[]
  skipped: IngestSkip[]
  errors: IngestError[]
  /** All skips and errors, where the lists hold the first ones only. */
  counts: Record<IngestOutcome, number>
  requestsUsed: number
  stopped: IngestStop | null
}
