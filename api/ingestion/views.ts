import type { z } from 'zod'
import type { ItemRecord } from '../../activities/ingestion/items.ts'
import type { RunRecord } from '../../activities/ingestion/runs.ts'
import type { SourceOverview, SourceRecord } from '../../activities/ingestion/sources.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { type Asset, assetAmount } from '../../domain/common/money.ts'
import type { SourceItemShape, SourceShape } from '../../schemas/ingestion/shapes.ts'

type SourceView = z.input<typeof SourceShape>

const scheduleView = ({
  isPaused,
  isDry,
  scheduleInput,
  everySeconds,
  nextRunAt,
  note,
  scheduleReadAt,
}: SourceRecord): SourceView['schedule'] =>
  isPaused === null || everySeconds === null || scheduleReadAt === null
    ? null
    : {
        paused: isPaused,
        dryRun: isDry ?? true,
        input: scheduleInput ?? {},
        everySeconds,
        next: isoOrNull(nextRunAt),
        note: note ?? '',
        readAt: iso(scheduleReadAt),
      }

const runView = (run: RunRecord): NonNullable<SourceView['lastRun']> => ({
  runId: run.runId,
  workflowId: run.workflowId,
  status: run.status,
  origin: run.origin,
  dryRun: run.dryRun,
  startedAt: iso(run.startedAt),
  endedAt: isoOrNull(run.endedAt),
  candidateCount: run.candidates,
  counts: run.answer?.counts ?? null,
  requestsUsed: run.requestsUsed,
  fault: run.fault,
  stopped: run.stopped,
})

/** A source for operators. */
export const sourceView = ({ figures, source, lastRun }: SourceOverview, asset: Asset, wallNow: number): SourceView => {
  const { paidRaw, paidJobs, requests24h, ...counts } = figures
  const { nextAllowedAt = null } = source ?? {}
  return {
    ...counts,
    paidJobs,
    schedule: source === null ? null : scheduleView(source),
    lastRun: lastRun === null ? null : runView(lastRun),
    lastSuccessAt: isoOrNull(source?.lastSuccessAt ?? null),
    nextAllowedAt: nextAllowedAt !== null && nextAllowedAt > wallNow ? iso(nextAllowedAt) : null,
    requestsUsed24h: requests24h,
    paidTotal: assetAmount(paidRaw, asset),
    costPerDeliveredJob: paidJobs === 0 ? null : assetAmount(paidRaw / BigInt(paidJobs), asset),
  }
}

/** A candidate for operators. */
export const itemView = (item: ItemRecord): z.input<typeof SourceItemShape> => ({
  provider: item.provider,
  itemKey: item.itemKey,
  outcome: item.outcome,
  jobId: item.jobId,
  score: item.score,
  reason: item.reason,
  detail: item.detail,
  rules: item.rules,
  version: item.version,
  changed: item.latestHash !== null,
  firstSeenAt: iso(item.firstSeenAt),
  seenAt: iso(item.seenAt),
  listedAt: isoOrNull(item.listedAt),
})
