import { ActivityFailure, ApplicationFailure, rootCause } from '@temporalio/workflow'

/** The refusal or failure an activity ended with; null for anything that is not an application failure (time-outs, cancellation). */
export const applicationFailureOf = (error: unknown): ApplicationFailure | null => {
  if (error instanceof ApplicationFailure) return error
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) return error.cause
  return null
}

/** A proved refusal: the thrower said that repeating cannot help. */
export const isRefusal = (error: unknown): boolean => applicationFailureOf(error)?.nonRetryable === true

/** Machine code of a failure, for records. */
export const failureCode = (error: unknown): string => applicationFailureOf(error)?.type ?? rootCause(error) ?? 'internal_error'

/** What an update's caller gets: always an ApplicationFailure, since anything else would fail the workflow task for ever. */
export const toUpdateFailure = (error: unknown): ApplicationFailure =>
  applicationFailureOf(error) ?? ApplicationFailure.create({ type: 'internal_error', message: 'the step failed', nonRetryable: true })
