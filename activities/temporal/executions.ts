import { setTimeout as sleep } from 'node:timers/promises'
import { types } from 'node:util'
import { type Client, isGrpcServiceError, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { runnerFault } from '../../domain/paid-verification/result.ts'
import type { ProfileExecution } from '../../schemas/paid-verification/profiles/execution.ts'
import type { FreezeContract } from '../../schemas/paid-verification/profiles/freeze.ts'
import { executionWorkflowId, RUNNER_FAULT, type RunnerAnswer, type RunnerWork } from '../../schemas/paid-verification/runner.ts'
import { executionStart } from '../paid-verification/start.ts'
import { hasGrpcStatus } from './grpc-status.ts'
import { readRunners } from './runners.ts'

const HEARTBEAT_MS = 5_000
const RETRY_MS = 1_000
const COUNT_MS = 5_000
/** Work that another caller cancelled meanwhile is begun again so often. */
const MOST_STARTS = 3

/** Work that no runner did, with the reason for readers. */
interface Fault {
  kind: 'fault'
  detail: string
}

/** Whether the engine does not answer now. The client wraps the errors of some calls. */
const isOutage = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (isGrpcServiceError(error)
    ? hasGrpcStatus(error, 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'ABORTED', 'UNAVAILABLE')
    : isOutage(error.cause))

/** Repeats a call while the engine does not answer, until the signal ends. */
const retryOutage = async <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> => {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await call()
    } catch (error) {
      if (!isOutage(error)) throw error
      await sleep(RETRY_MS, undefined, { signal })
    }
  }
}

/** Rejects when the signal ends. */
const untilAborted = (signal: AbortSignal): { aborted: Promise<never>; release: () => void } => {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  promise.catch(() => undefined)
  return { aborted: promise, release: () => signal.removeEventListener('abort', end) }
}

const faultOf = (error: WorkflowFailedError): Fault | 'cancelled' => {
  const { cause } = error
  if (cause instanceof CancelledFailure) return 'cancelled'
  if (cause instanceof ApplicationFailure && cause.type === RUNNER_FAULT) return { kind: 'fault', detail: cause.message }
  return { kind: 'fault', detail: 'The work of the runner was ended.' }
}

/** Starts the work, or takes up the one of this key: it may run, or have its answer already. One that failed begins anew. */
const begin = async (client: Client, key: string, work: RunnerWork) => {
  try {
    return await client.workflow.start('profileExecution', {
      ...executionStart(key, work),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    return client.workflow.getHandle(executionWorkflowId(key))
  }
}

/** Gives work to the runners over their task queue. It runs inside an activity or another part of the service that may wait for minutes. */
export const createRunnerCalls = (client: Client) => {
  const run = async (key: string, work: RunnerWork, signal: AbortSignal, heartbeat: () => void): Promise<RunnerAnswer | Fault> => {
    const timer = setInterval(heartbeat, HEARTBEAT_MS)
    const { aborted, release } = untilAborted(signal)
    try {
      for (let starts = 1; ; starts += 1) {
        const handle = await Promise.race([retryOutage(signal, () => begin(client, key, work)), aborted])
        try {
          return (await Promise.race([retryOutage(signal, () => handle.result()), aborted])) as RunnerAnswer
        } catch (error) {
          // The caller has stopped waiting. A cancellation that does not arrive costs a runner minutes at most.
          if (signal.aborted) await handle.cancel().catch(() => undefined)
          signal.throwIfAborted()
          if (!(error instanceof WorkflowFailedError)) throw error
          const fault = faultOf(error)
          if (fault !== 'cancelled') return fault
          if (starts >= MOST_STARTS) return { kind: 'fault', detail: 'The work of the runner was cancelled.' }
        }
      }
    } finally {
      clearInterval(timer)
      release()
    }
  }

  /** Executes a profile on a runner. A fault of the runners is an inconclusive result. */
  const executionOf =
    (profileRef: string): ProfileExecution =>
    async ({ key, target, inputs }, signal, heartbeat) => {
      const answer = await run(key, { kind: 'execute', profileRef, target, inputs }, signal, heartbeat)
      if (answer.kind === 'executed') return answer.result
      return runnerFault(answer.kind === 'fault' ? answer.detail : 'The runner did other work.')
    }

  /** Freezes a test contract on a runner. */
  const freezeContract: FreezeContract = async ({ key, profileRef, inputs }, signal, heartbeat) => {
    const answer = await run(`freeze/${key}`, { kind: 'freeze', profileRef, inputs }, signal, heartbeat)
    if (answer.kind === 'freezing') return answer.answer
    const detail = answer.kind === 'fault' ? answer.detail : 'The runner did other work.'
    return { kind: 'unavailable', reason: 'runner_fault', detail }
  }

  return {
    executionOf,
    freezeContract,
    /** Runners that poll now. Rejects when the engine does not answer. */
    read: () => readRunners(client, COUNT_MS),
  }
}
export type RunnerCalls = ReturnType<typeof createRunnerCalls>
