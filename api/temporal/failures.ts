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

/** The service error of a known code with its details; `internal_error` for any other failure. */
const toServiceError = (failure: ApplicationFailure): ServiceError => {
  const code = failure.type
  if (code === undefined || code === null || !(code in ERRORS)) return new ServiceError('internal_error', { cause: failure })
  const [info] = (failure.details ?? []) as [ErrorInfo?]
  return new ServiceError(code as ErrorCode, { ...info, cause: failure })
}

/** The server's failure type for an update that a workflow task completed without; the run continues and has no trace of it. */
const UNPROCESSED = 'UnprocessedUpdate'
/** The server's own failure types, not results of a handler. The first: a run accepted the update and ended. */
const NO_ANSWER = new Set(['AcceptedUpdateCompletedWorkflow', UNPROCESSED])

/** Whether the run did not process the update: the same one may be sent again. */
export const isUnprocessed = (error: unknown): boolean =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure && error.cause.type === UNPROCESSED

/** Service error for the failure of an update, thrown by its handler or by an activity. */
const updateFailure = (error: unknown): unknown => {
  if (!(error instanceof WorkflowUpdateFailedError)) return error
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause
  if (!(cause instanceof ApplicationFailure) || NO_ANSWER.has(cause.type ?? '')) return error
  return toServiceError(cause)
}

/** gRPC status of an overloaded server. */
const RESOURCE_EXHAUSTED = 8
export const isBusy = (error: unknown): boolean =>
  types.isNativeError(error) && (isGrpcServiceError(error) ? Number(error.code) === RESOURCE_EXHAUSTED : isBusy(error.cause))

/** Whether the run ended before it answered: no refusal, the record holds the outcome. */
const hasEnded = (error: unknown): boolean => error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError

/** Replaces the failure of a call whose run has ended; rethrows any other failure. */
export const whenEnded =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (hasEnded(error)) return instead
    throw error
  }

export const unavailable = (cause: unknown): ServiceError => new ServiceError('workflow_engine_unavailable', { cause })

/** Service error for a failed call: `busy` for an overloaded server, 503 for an unreachable one, otherwise the failure of the update. */
export const toCallFailure = (error: unknown, busy: ErrorCode): unknown => {
  if (!isGrpcServiceError(error) && !(error instanceof EngineError)) return updateFailure(error)
  return isBusy(error) ? new ServiceError(busy, { retryAfterSeconds: 1, cause: error }) : unavailable(error)
}
