import { ActivityFailure, ApplicationFailure, rootCause } from '@temporalio/workflow'

/** The application failure an activity ended with; null for time-outs and cancellation. */
export const applicationFailureOf = (error: unknown): ApplicationFailure | null => {
  if (error instanceof ApplicationFailure) return error
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) return error.cause
  return null
}

/** Whether the failure is final: its thrower marked it as not retryable. */
export const isRefusal = (error: unknown): boolean => applicationFailureOf(error)?.nonRetryable === true

/** Machine code of a failure, for records. */
export const failureCode = (error: unknown): string => applicationFailureOf(error)?.type ?? rootCause(error) ?? 'internal_error'

/** Error for the caller of an update. Always an ApplicationFailure: any other error would fail the workflow task and its retries. */
export const toUpdateFailure = (error: unknown): ApplicationFailure =>
  applicationFailureOf(error) ?? ApplicationFailure.create({ type: 'internal_error', message: 'the step failed', nonRetryable: true })
