import type { IngestAnswer, IngestError, IngestedJobRow, IngestOutcome, IngestSkip, IngestStop } from '../../schemas/ingestion/record.ts'
import { iso } from '../common/instants.ts'

/** A decided candidate, as far as an answer shows it. */
interface Result {
  itemKey: string
  jobId: string | null
  reason: string | null
  detail: string | null
  rules: string[]
  resumeAt: number | null
  job: IngestedJobRow | null
}

interface RunFacts {
  provider: string
  runId: string
  dryRun: boolean
  minScore: number
  candidates: number
  requestsUsed: number
  stopped: IngestStop | null
}

/** What a run decided: its jobs, the first of its skips and errors, and how many there are of each. */
interface Decisions {
  jobs: readonly Result[]
  skips: readonly Result[]
  errors: readonly Result[]
  counts: ReadonlyMap<IngestOutcome, number>
}

const skipOf = ({ itemKey, jobId, reason, detail, rules, resumeAt }: Result): IngestSkip => ({
  id: jobId ?? itemKey,
  itemKey,
  reason: reason ?? '',
  detail: detail ?? '',
  ...(rules.length > 0 && { rules }),
  ...(resumeAt !== null && { resumeAt: iso(resumeAt) }),
})

const errorOf = ({ itemKey, jobId, reason, detail }: Result): IngestError => ({
  id: jobId ?? itemKey,
  itemKey,
  code: reason ?? '',
  message: detail ?? '',
})

/** Answer of a run. Source: http, "Jobs", ingest. */
export function ingestAnswer(run: RunFacts, { jobs, skips, errors, counts }: Decisions): IngestAnswer {
  const rows = jobs.flatMap(({ job }) => job ?? [])
  const count = (outcome: IngestOutcome): number => counts.get(outcome) ?? 0
  return {
    provider: run.provider,
    runId: run.runId,
    dryRun: run.dryRun,
    minScore: run.minScore,
    candidateCount: run.candidates,
    jobs: rows,
    created: run.dryRun ? [] : rows.map(({ id }) => id),
    skipped: skips.map(skipOf),
    errors: errors.map(errorOf),
    counts: {
      created: count('created'),
      proposed: count('proposed'),
      skipped: count('skipped'),
      parked: count('parked'),
      error: count('error'),
    },
    requestsUsed: run.requestsUsed,
    stopped: run.stopped,
  }
}

/** Status of a run's answer: 200 for a run that listed nothing, 207 where a job was refused, 201 otherwise. Source: http, "Jobs". */
export const answerStatus = ({ dryRun, counts }: Pick<IngestAnswer, 'dryRun' | 'counts'>): 200 | 201 | 207 => {
  if (dryRun) return 200
  if (counts.error > 0) return 207
  return counts.created > 0 ? 201 : 200
}

/** What a run came to, in one line for operators. */
export const describeAnswer = ({ dryRun, candidateCount, counts, requestsUsed, stopped }: Omit<IngestAnswer, 'jobs'>): string => {
  const taken = dryRun ? `${counts.proposed} jobs proposed (dry run)` : `${counts.created} jobs listed`
  const rest = `${counts.skipped} skipped, ${counts.parked} parked, ${counts.error} refused`
  const end = stopped === null ? 'All candidates were read.' : `Stopped: ${stopped.reason}. ${stopped.detail}`
  return `${taken} of ${candidateCount} candidates, ${rest}, ${requestsUsed} requests. ${end}`
}
