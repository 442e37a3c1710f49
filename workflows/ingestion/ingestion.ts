import {
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import {
  type IngestActivities,
  type IngestEnd,
  type IngestionInput,
  type IngestProgress,
  ingestionProgress,
} from '../../schemas/ingestion/process.ts'
import type { IngestStop } from '../../schemas/ingestion/record.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import { failureCode } from '../common/failures.ts'
import { LIMITS } from '../common/limits.ts'
import { RECORD_STEPS } from '../common/proxies.ts'
import { pinToVersion } from '../common/versions.ts'

/** Pauses while another run reads the source: each is longer than the one before, up to a minute, for half an hour in all. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000
const BUSY_PAUSES = 35
/** Attempts at one page, over five minutes at least. A fault that outlasts them would keep every other run from the source. */
const PAGE_ATTEMPTS = 15
/** Pages of one run. */
const MOST_PAGES = 1_000

const records = proxyActivities<IngestActivities>(RECORD_STEPS)

/** A page asks a source up to some hundred times, one request after the other. What it has decided stays decided when it is begun again. */
const pages = proxyActivities<IngestActivities>({
  taskQueue: TASK_QUEUES.ingestion,
  startToCloseTimeout: '10m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: PAGE_ATTEMPTS },
})

const failedPage = (error: unknown): IngestStop => ({
  reason: 'page_failed',
  detail: `The service tried the page ${PAGE_ATTEMPTS} times: ${failureCode(error)}.`,
  resumeAt: null,
})
const BUSY: IngestStop = { reason: 'source_busy', detail: 'Another run reads the source.', resumeAt: null }
const TOO_MANY: IngestStop = { reason: 'budget_exhausted', detail: `A run reads at most ${MOST_PAGES} pages.`, resumeAt: null }

const describe = ({ provider, dryRun, minScore, limit }: IngestionInput, progress: IngestProgress): string => {
  const { pages: read, candidates, taken, requestsUsed, isBusy } = progress
  const aim = `${dryRun ? 'Dry run' : 'Lists'} of up to ${limit} jobs from ${provider} with a score of ${minScore} or more.`
  const state = isBusy ? 'Waits for another run of the source.' : `Page ${read + 1}: ${candidates} candidates decided, ${taken} jobs.`
  return `${aim} ${state} ${requestsUsed} requests.`
}

/** Reads a source page by page and lists what its rules make of the candidates. Fails only if nothing at all could be read; what it has listed stays. */
export async function ingestion(input: IngestionInput): Promise<IngestEnd> {
  const { runId, workflowId } = workflowInfo()
  let progress: IngestProgress | null = null
  setHandler(ingestionProgress, () => progress)

  const show = (next: IngestProgress): IngestProgress => {
    progress = next
    setCurrentDetails(describe(input, next))
    return next
  }
  const readPage = async (page: number): Promise<IngestProgress | IngestStop> => {
    try {
      return await pages.ingestPage({ runId, page })
    } catch (error) {
      if (isCancellation(error)) throw error
      return failedPage(error)
    }
  }
  let last = show(await records.beginIngestion({ runId, workflowId, run: input }))
  let stopped: IngestStop | null = null
  for (let pauses = 0; !last.isOver && stopped === null; ) {
    const read = await readPage(last.pages)
    if ('reason' in read) {
      stopped = read
      break
    }
    last = show(read)
    if (last.isBusy) {
      if (pauses >= BUSY_PAUSES) stopped = BUSY
      else await sleep(Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS))
      pauses += 1
    } else if (last.pages >= MOST_PAGES) stopped = TOO_MANY
  }
  const end = await records.endIngestion({ runId, stopped })
  setCurrentDetails(end.details)
  if (end.fault !== null)
    throw ApplicationFailure.create({ type: end.fault, message: end.details, nonRetryable: true, details: [{ runId }] })
  return end
}
pinToVersion(ingestion)
