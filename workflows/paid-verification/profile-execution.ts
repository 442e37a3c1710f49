import { ApplicationFailureCategory, TimeoutFailure } from '@temporalio/common'
import { ActivityFailure, ApplicationFailure, isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import {
  type ExecutionInput,
  RUNNER_FAULT,
  RUNNER_TASK_QUEUE,
  type RunnerActivities,
  type RunnerAnswer,
} from '../../schemas/paid-verification/runner.ts'
import { failureCode } from '../common/failures.ts'
import { LIMITS } from '../common/limits.ts'
import { pinToVersion } from '../common/versions.ts'

/**
 * A payment is valid for ten minutes longer than the profile may run, and is taken after it: all attempts together have nine. Work that no
 * runner takes is not repeated; a lost runner is noticed by its heartbeat, and another one begins anew.
 */
const runners = proxyActivities<RunnerActivities>({
  taskQueue: RUNNER_TASK_QUEUE,
  scheduleToStartTimeout: LIMITS.runnerStart,
  startToCloseTimeout: '4m',
  scheduleToCloseTimeout: '9m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s', maximumAttempts: 3 },
})

const describeFault = (error: unknown): string => {
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (!(cause instanceof TimeoutFailure)) return `The runner failed: ${failureCode(error)}.`
  if (cause.timeoutType === 'SCHEDULE_TO_START') return 'No runner took the work in time.'
  return 'Each runner that took the work was lost or too slow.'
}

/** Gives work to a runner and waits for its answer. It fails with `runner_fault` where no runner does it, so that it may be started again. */
export async function profileExecution({ work }: ExecutionInput): Promise<RunnerAnswer> {
  setCurrentDetails('Waits for a runner, or for its answer.')
  try {
    const answer = await runners.runProfile(work)
    setCurrentDetails('A runner has answered.')
    return answer
  } catch (error) {
    if (isCancellation(error)) throw error
    const message = describeFault(error)
    setCurrentDetails(message)
    throw ApplicationFailure.create({ type: RUNNER_FAULT, message, nonRetryable: true, category: ApplicationFailureCategory.BENIGN })
  }
}
pinToVersion(profileExecution)
