import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js'
import {
  type Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type WorkflowClientInterceptor,
} from '@temporalio/client'
import { createEngineClient } from '../../activities/temporal/client.ts'
import type { EngineConnection } from '../../activities/temporal/connection.ts'
import { readPollers } from '../../activities/temporal/deployments.ts'
import { BLOCKED, QUEUE_KINDS, type QueueKind, SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'

type Call = ReturnType<Parameters<Interceptor>[1]>

/** Cancels a call before it starts; a cancelled call is not retried. */
const cancelCall = (call: Call): Call =>
  new InterceptingCall(call, {
    start: (_metadata, listener) => {
      // The retry interceptor forwards its last message before the status.
      listener.onReceiveMessage(null)
      listener.onReceiveStatus({ code: status.CANCELLED, details: 'the call was aborted', metadata: new Metadata() })
    },
  })

const cancelOnAbort = (call: Call, signal: AbortSignal): Call => {
  signal.addEventListener('abort', () => call.cancelWithStatus(status.CANCELLED, 'the call was aborted'), { once: true })
  return call
}

/**
 * Retries of the Temporal client that end with the abort signal of their call. By itself the client cancels only the first attempt, so an
 * aborted call could still run up to twenty seconds later, when the server answers again.
 *
 * @param signalOf returns the abort signal of the current call
 */
const retriesUntilAborted = (signalOf: () => AbortSignal | undefined): Interceptor => {
  const retry = makeGrpcRetryInterceptor(defaultGrpcRetryOptions())
  return (options, makeCall) => {
    const signal = signalOf()
    if (signal === undefined) return retry(options, makeCall)
    return retry(options, (each) => (signal.aborted ? cancelCall(makeCall(each)) : cancelOnAbort(makeCall(each), signal)))
  }
}

/** Connects lazily, so that the API starts and serves reads without a Temporal server. */
export const connectEngine = (engine: EngineConnection, traced: WorkflowClientInterceptor[] = []): Client => {
  const interceptors = [retriesUntilAborted(() => connection.callContextStorage.getStore()?.abortSignal)]
  const connection: Connection = Connection.lazy({ ...engine.connection, interceptors })
  return createEngineClient(connection, engine, traced)
}

const READ_LIMIT_MS = 450

const epoch = (time: { seconds?: unknown } | null | undefined): number => Number(time?.seconds ?? 0) * 1000

/** Newest poll of a worker on each task queue, epoch ms by the server's wall clock; null where none polls. */
export type Polls = Record<QueueKind, number | null>

/** Reads when each task queue was polled last: that of `claims` for processes, the others for steps. Rejects when the server does not answer. */
export const readPolls = async (client: Client): Promise<Polls> => {
  const read = async (kind: QueueKind) => {
    const pollers = await readPollers(client, kind)
    return [kind, pollers.length === 0 ? null : Math.max(...pollers.map(({ lastAccessTime }) => epoch(lastAccessTime)))] as const
  }
  const polls = await client.connection.withDeadline(Date.now() + READ_LIMIT_MS, () => Promise.all(QUEUE_KINDS.map(read)))
  return Object.fromEntries(polls) as Polls
}

/** Counts of running workflows that make no progress. */
interface StoppedRuns {
  /** State `blocked`: a step was refused and is retried. */
  refused: number
  /** Their workflow tasks fail, or the worker lacks their code. */
  failing: number
}

/** Filters of the Temporal UI for these workflows. */
export const STOPPED_FILTERS: Readonly<Record<keyof StoppedRuns, string>> = {
  refused: `${SEARCH.sessionState.name}="${BLOCKED}"`,
  failing: `TaskQueue="${TASK_QUEUE}" AND TemporalReportedProblems IS NOT NULL`,
}

/** Counts the workflows that make no progress. Rejects when the server does not answer. */
export const countStoppedRuns = async (client: Client): Promise<StoppedRuns> => {
  const count = async (filter: string) => (await client.workflow.count(`ExecutionStatus="Running" AND ${filter}`)).count
  const counts = () => Promise.all([count(STOPPED_FILTERS.refused), count(STOPPED_FILTERS.failing)])
  const [refused, failing] = await client.connection.withDeadline(Date.now() + READ_LIMIT_MS, counts)
  return { refused, failing }
}

/** A running workflow that makes no progress. */
export interface StoppedRun {
  workflowId: string
  type: string
  isFailing: boolean
  sessionId: string | undefined
  jobId: string | undefined
  /** ISO 8601, service time; undefined without a deadline. */
  deadline: string | undefined
}

/** Lists workflows that make no progress, at most `limit` of each sort. Rejects when the server does not answer. */
export const listStoppedRuns = (client: Client, limit: number): Promise<StoppedRun[]> => {
  const listOf = async (sort: keyof StoppedRuns): Promise<StoppedRun[]> => {
    const found: StoppedRun[] = []
    for await (const { workflowId, type, typedSearchAttributes: attributes } of client.workflow.list({
      query: `ExecutionStatus="Running" AND ${STOPPED_FILTERS[sort]}`,
    })) {
      const [sessionId, jobId] = [attributes.get(SEARCH.sessionId), attributes.get(SEARCH.jobId)]
      const deadline = attributes.get(SEARCH.deadlineAt)?.toISOString()
      found.push({ workflowId, type, isFailing: sort === 'failing', sessionId, jobId, deadline })
      if (found.length >= limit) break
    }
    return found
  }
  const lists = async () => {
    const [refused, failing] = await Promise.all([listOf('refused'), listOf('failing')])
    const ids = new Set(refused.map(({ workflowId }) => workflowId))
    return [...refused, ...failing.filter(({ workflowId }) => !ids.has(workflowId))]
  }
  return client.connection.withDeadline(Date.now() + READ_LIMIT_MS, lists)
}
