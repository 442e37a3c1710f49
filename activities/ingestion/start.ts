import { SOURCE_SCHEDULES } from '../../domain/ingestion/schedules.ts'
import { type IngestionInput, ingestScheduleId, scheduledIngestId } from '../../schemas/ingestion/process.ts'
import { PROVIDERS, type Provider } from '../../schemas/ingestion/providers.ts'
import { TASK_QUEUE } from '../../schemas/processes.ts'
import type { StandingProcess } from '../common/processes.ts'

/** Start options of a run, for every starter. */
export const ingestionStart = (workflowId: string, run: IngestionInput) => ({
  taskQueue: TASK_QUEUE,
  workflowId,
  args: [run] as [IngestionInput],
  staticSummary: `${run.dryRun ? 'Dry run' : 'Jobs'} from ${run.provider}`,
  staticDetails: `Up to ${run.limit} jobs with a score of ${run.minScore} or more, started by ${run.requestedBy ?? 'the schedule'}.`,
})

/** Arguments of the runs of a schedule before an operator changes them. */
const scheduledRun = (provider: Provider): IngestionInput => {
  const { input, limit, minScore } = SOURCE_SCHEDULES[provider]
  return { v: 1, provider, input, dryRun: true, limit, minScore, origin: 'schedule', requestedBy: null }
}

const scheduleOf = (provider: Provider): StandingProcess => ({
  workflow: 'ingestion',
  start: {
    ...ingestionStart(ingestScheduleId(provider), scheduledRun(provider)),
    staticSummary: `Jobs from ${provider}`,
    staticDetails: 'Reads the source on its schedule. Pause, resume and trigger it here, or by POST /admin/sources/steer.',
  },
  schedule: {
    everyMinutes: SOURCE_SCHEDULES[provider].everyMinutes,
    jitterSeconds: 60,
    overlap: 'BUFFER_ONE',
    catchupMinutes: 10,
    workflowId: scheduledIngestId(provider),
    offNote: 'Off until an operator turns it on.',
    keepsArgs: true,
  },
})

/** One schedule a source, off and dry until an operator turns it on. */
export const SOURCE_PROCESSES: readonly StandingProcess[] = PROVIDERS.map(scheduleOf)
