import { types } from 'node:util'
import {
  ApplicationFailure,
  ServiceError as EngineError,
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client'
import { ActivityFailure } from '@temporalio/common'
import { ERRORS, type ErrorCode, type ErrorInfo, ServiceError } from '../../schemas/errors.ts'

/** A code the service knows, with the facts its thrower gave; anything else stays unknown to the caller. */
const serviceErrorOf = (failure: ApplicationFailure): ServiceError => {
  const code = failure.type
  if (code === undefined || code === null || !(code in ERRORS)) return new ServiceError('internal_error', { cause: failure })
  const [info] = (failure.details ?? []) as [ErrorInfo?]
  return new ServiceError(code as ErrorCode, { ...info, cause: failure })
}

/** The server's own words for an update that a workflow task ended without, though its run goes on; nothing of the update is kept. */
const UNPROCESSED = 'UnprocessedUpdate'
/** The server's own words that are no answer of a process: the first is of a run that took the update and ended. */
const NO_ANSWER = new Set(['AcceptedUpdateCompletedWorkflow', UNPROCESSED])

/** True when the run that goes on did not get to the update: the same one may be sent to it again. */
export const isUnprocessed = (error: unknown): boolean =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure && error.cause.type === UNPROCESSED

/** Failure of an update as the error of its code: thrown by a handler itself or by an activity under it. */
const updateFailure = (error: unknown): unknown => {
  if (!(error instanceof WorkflowUpdateFailedError)) return error
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause
  if (!(cause instanceof ApplicationFailure) || NO_ANSWER.has(cause.type ?? '')) return error
  return serviceErrorOf(cause)
}

/** Status with which the server says that it has more to do than it takes. */
const RESOURCE_EXHAUSTED = 8
export const isBusy = (error: unknown): boolean =>
  types.isNativeError(error) && (isGrpcServiceError(error) ? Number(error.code) === RESOURCE_EXHAUSTED : isBusy(error.cause))

/** True when the run ended under an update: no refusal, the caller looks at the record instead. */
const endedUnder = (error: unknown): boolean => error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError

/** What a call that met the end of its run answers instead; any other failure is thrown on. */
export const whenEnded =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (endedUnder(error)) return instead
    throw error
  }

export const unavailable = (cause: unknown): ServiceError => new ServiceError('workflow_engine_unavailable', { cause })

/** What a call ended with, as the error of its code: an engine that is busy, one that is gone, or the failure of an update. */
export const failureOf = (error: unknown, busy: ErrorCode): unknown => {
  if (!isGrpcServiceError(error) && !(error instanceof EngineError)) return updateFailure(error)
  return isBusy(error) ? new ServiceError(busy, { retryAfterSeconds: 1, cause: error }) : unavailable(error)
}
