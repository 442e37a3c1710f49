import { z } from 'zod'
import { AssetAmount, IdempotencyKeyInput, IsoTime, OpenObject, part, shape } from '../operations/values.ts'
import { PROVIDERS } from './providers.ts'
import { INGEST_ORIGINS, INGEST_OUTCOMES, INGEST_STATUSES } from './record.ts'

/** Members of a run that every source has. */
export const COMMON_INPUT = {
  dryRun: z.boolean().default(true).describe('True lists nothing.'),
  limit: z.int().min(1).max(50).default(10).describe('Most jobs of the run.'),
  minScore: z.int().min(0).max(100).default(55).describe('Lower scores are skipped.'),
  idempotencyKey: IdempotencyKeyInput.optional(),
}

const StopShape = shape('IngestStop', 'Why a run ended before its candidates did.', {
  reason: z.string(),
  detail: z.string(),
  resumeAt: IsoTime.nullable().describe('From when on another run gets further; null where no instant is known.'),
})

const CountsShape = shape('IngestCounts', 'Candidates by what became of them.', {
  created: z.int(),
  proposed: z.int().describe('Jobs that a dry run would list.'),
  skipped: z.int(),
  parked: z.int().describe('Left out for a text that the screen of listings refuses.'),
  error: z.int(),
})

const JobRowShape = shape('IngestedJob', 'A job that a run listed or proposes, in short.', {
  id: z.string(),
  itemKey: z.string().describe('Key of the candidate within its source.'),
  title: z.string(),
  category: z.string(),
  tier: z.string(),
  lane: z.string(),
  verifierMode: z.string(),
  reward: AssetAmount,
  claimTtlSeconds: z.int(),
  score: z.int().min(0).max(100),
  reasons: z.array(z.object({ name: z.string(), points: z.number() })).describe('How the score came about.'),
})

const SkipShape = shape('IngestSkip', 'A candidate that a run left out.', {
  id: z.string().describe('Id of its job, or the key of the candidate.'),
  itemKey: z.string(),
  reason: z.string(),
  detail: z.string(),
  rules: z.array(z.string()).optional().describe('Rules of the screen that its texts break.'),
  resumeAt: IsoTime.optional().describe('From when on it may be listed.'),
})

const ErrorRowShape = shape('IngestError', 'A candidate whose job was refused.', {
  id: z.string(),
  itemKey: z.string(),
  code: z.string(),
  message: z.string(),
})

const InventoryShape = part('Jobs that can be claimed after the run.', {
  claimableJobs: z.int(),
  waiverEligibleJobs: z.int(),
  waiverEligibleClaimableJobs: z.int(),
  asOf: IsoTime,
})

export const IngestAnswerShape = shape('IngestAnswer', 'What a run made of the candidates of its source.', {
  provider: z.enum(PROVIDERS),
  runId: z.string(),
  dryRun: z.boolean(),
  minScore: z.int(),
  candidateCount: z.int().min(0),
  jobs: z.array(JobRowShape),
  created: z.array(z.string()).describe('Ids of the listed jobs.'),
  skipped: z.array(SkipShape).describe('The first 200 of them; `counts` has all.'),
  errors: z.array(ErrorRowShape).describe('Likewise.'),
  counts: CountsShape,
  requestsUsed: z.int().min(0).describe('Requests that the run made of its source.'),
  stopped: StopShape.nullable(),
  inventory: InventoryShape,
})

export const IngestPendingShape = shape('IngestPending', 'A run that goes on. The same request later gets its answer.', {
  provider: z.enum(PROVIDERS),
  status: z.literal('running'),
  workflowId: z.string(),
  dryRun: z.boolean(),
  retryAfterSeconds: z.int(),
})

const RunShape = shape('IngestRun', 'A run over a source.', {
  runId: z.string(),
  workflowId: z.string(),
  status: z.enum(INGEST_STATUSES),
  origin: z.enum(INGEST_ORIGINS),
  dryRun: z.boolean(),
  startedAt: IsoTime,
  endedAt: IsoTime.nullable(),
  candidateCount: z.int(),
  counts: CountsShape.nullable().describe('Null while it runs.'),
  requestsUsed: z.int(),
  fault: z.string().nullable().describe('Why nothing could be read; null otherwise.'),
  stopped: StopShape.nullable(),
})

const ScheduleShape = part('Schedule of the source; null until a worker has created it.', {
  paused: z.boolean(),
  dryRun: z.boolean(),
  input: OpenObject,
  everySeconds: z.int(),
  next: IsoTime.nullable().describe('Next run; null while it is paused.'),
  note: z.string(),
  readAt: IsoTime.describe('When it was last read from the workflow engine.'),
}).nullable()

export const SourceShape = shape('IngestSource', 'A source of jobs: its schedule, its last run, and what it is worth.', {
  provider: z.enum(PROVIDERS),
  schedule: ScheduleShape,
  lastRun: RunShape.nullable(),
  lastSuccessAt: IsoTime.nullable(),
  nextAllowedAt: IsoTime.nullable().describe('Until when the source asked to wait; null when it may be asked.'),
  requestsUsed24h: z.int().describe('Requests of the runs of the last 24 hours.'),
  candidates: z.int().describe('Candidates that were ever seen and are still kept.'),
  created: z.int(),
  skipped: z.int(),
  parked: z.int(),
  errors: z.int(),
  openJobs: z.int().describe('Listed jobs that wait for a claim.'),
  claimedJobs: z.int().describe('Jobs with a live session.'),
  paidJobs: z.int(),
  paidTotal: AssetAmount.describe('Rewards of the paid jobs.'),
  costPerDeliveredJob: AssetAmount.nullable().describe('`paidTotal` by job; null before the first.'),
})

export const SourceItemShape = shape('IngestItem', 'A candidate and what last became of it.', {
  provider: z.enum(PROVIDERS),
  itemKey: z.string(),
  outcome: z.enum(INGEST_OUTCOMES),
  jobId: z.string().nullable(),
  score: z.int().nullable(),
  reason: z.string().nullable().describe('Why it has no job; null where it has one.'),
  detail: z.string().nullable(),
  rules: z.array(z.string()).describe('Rules of the screen that its texts break.'),
  version: z.int().describe('Versions seen since its job was listed.'),
  changed: z.boolean().describe('True where its newest version is not that of its job.'),
  firstSeenAt: IsoTime,
  seenAt: IsoTime,
  listedAt: IsoTime.nullable(),
})
