import { ScheduleNotFoundError, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { ScheduleReading } from '../../activities/common/processes.ts'
import { ingestionStart } from '../../activities/ingestion/start.ts'
import { changeSchedule, readSchedule, type ScheduleChange } from '../../activities/temporal/schedules.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type IngestEnd, type IngestionInput, ingestScheduleId } from '../../schemas/ingestion/process.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { EngineCalls } from './calls.ts'
import { unavailable } from './failures.ts'

/** How a request to a run ended: with the run (its id, or null where an earlier one stands), with its failure, or before it. */
type IngestionCall = { kind: 'ended'; runId: string | null } | { kind: 'failed'; details: string } | { kind: 'pending' }

/** Below the time that a caller waits for an answer. */
const SCHEDULE_LIMIT_MS = 8_000

const failedWith = (error: unknown): IngestionCall => {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'ended', runId: null }
  if (!(error instanceof WorkflowFailedError)) throw error
  const { cause } = error
  return {
    kind: 'failed',
    details: cause instanceof ApplicationFailure ? cause.message : 'The run was ended before it had read the source.',
  }
}

const missing = (provider: Provider): ServiceError => new ServiceError('source_schedule_missing', { details: { provider } })

/** Calls of the API to runs over sources and to their schedules. Throw 503 `workflow_engine_unavailable`. */
export const createIngestionCalls = ({ client, waitMs, within }: EngineCalls) => {
  const schedule = async <T>(provider: Provider, work: () => Promise<T>): Promise<T> => {
    const call = work().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return null
        throw error
      },
    )
    const done = await within(SCHEDULE_LIMIT_MS, 'workflow_engine_unavailable', () => call)
    if (done.kind === 'pending') throw unavailable(new Error('the schedule did not answer'))
    if (done.value === null) throw missing(provider)
    return done.value.value
  }

  const readOwn = async (provider: Provider): Promise<ScheduleReading> => {
    const reading = await schedule(provider, () => readSchedule(client, ingestScheduleId(provider)))
    if (reading === null) throw missing(provider)
    return reading
  }

  return {
    /** Starts a run, or joins the running one with the same id, and waits for its end. With `isOnce`, one that ended well gets no other run. */
    runIngestion: async (workflowId: string, run: IngestionInput, isOnce: boolean): Promise<IngestionCall> => {
      const start = {
        ...ingestionStart(workflowId, run),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: isOnce ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'ALLOW_DUPLICATE',
      } as const
      try {
        const ended = await within(waitMs, 'workflow_engine_unavailable', () =>
          client.workflow.execute<() => Promise<IngestEnd>>('ingestion', start as never),
        )
        return ended.kind === 'pending' ? ended : { kind: 'ended', runId: ended.value.runId }
      } catch (error) {
        return failedWith(error)
      }
    },

    /** Starts a run that nothing waits for, once for its id. */
    beginIngestion: async (workflowId: string, run: IngestionInput): Promise<void> => {
      const start = {
        ...ingestionStart(workflowId, run),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      } as const
      try {
        const begun = await within(SCHEDULE_LIMIT_MS, 'workflow_engine_unavailable', () => client.workflow.start('ingestion', start))
        if (begun.kind === 'pending') throw unavailable(new Error('the start of the run was not confirmed'))
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },

    /** Changes the schedule of a source and reads it again. Throws 409 `source_schedule_missing`, and what the change throws. */
    changeSourceSchedule: async (provider: Provider, change: ScheduleChange): Promise<ScheduleReading> => {
      await schedule(provider, () => changeSchedule(client, ingestScheduleId(provider), change))
      return readOwn(provider)
    },
  }
}
