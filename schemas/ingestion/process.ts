import { defineQuery } from '@temporalio/workflow'
import type { Provider } from './providers.ts'
import type { IngestOrigin, IngestStatus, IngestStop, RunFault } from './record.ts'

/** Workflow id of a run; `key` follows from its inputs. */
export const ingestWorkflowId = (provider: Provider, key: string): string => `ingest/${provider}/${key}`

/** Id of the schedule of a source. */
export const ingestScheduleId = (provider: Provider): string => `ingest/${provider}`

/** Workflow id of the runs of a schedule; the engine adds the instant. */
export const scheduledIngestId = (provider: Provider): string => ingestWorkflowId(provider, 'scheduled')

/** Start arguments of a run. */
export interface IngestionInput {
  v: 1
  provider: Provider
  /** Own members of the source, normalised. */
  input: Record<string, unknown>
  /** True to list nothing. */
  dryRun: boolean
  /** Jobs to list or propose, 1 to 50. */
  limit: number
  /** 0 to 100. */
  minScore: number
  origin: IngestOrigin
  /** Lower-case wallet of the admin; null for the schedule. */
  requestedBy: string | null
}

/** How far a run is. */
export interface IngestProgress {
  /** Pages whose candidates are all decided. */
  pages: number
  candidates: number
  /** Jobs listed or proposed. */
  taken: number
  requestsUsed: number
  /** True when nothing more is to be read. */
  isOver: boolean
  /** True while another run reads the source. */
  isBusy: boolean
  stopped: IngestStop | null
}

/** End of a run. */
export interface IngestEnd {
  runId: string
  status: Exclude<IngestStatus, 'running'>
  /** Why nothing could be read; null otherwise. */
  fault: RunFault | null
  /** For operators. */
  details: string
}

export interface IngestActivities {
  /** Records the run, or finds it. */
  beginIngestion(input: { runId: string; workflowId: string; run: IngestionInput }): Promise<IngestProgress>
  /** Reads the page with this number and decides its candidates. A page that is decided changes nothing. */
  ingestPage(input: { runId: string; page: number }): Promise<IngestProgress>
  /** Stores answer and end of the run. `stopped` is why the workflow gave up; null mostly. A repeat answers the same. */
  endIngestion(input: { runId: string; stopped: IngestStop | null }): Promise<IngestEnd>
}

/** How far the run is; null before it began. */
export const ingestionProgress = defineQuery<IngestProgress | null>('ingestionProgress')
