import type { z } from 'zod'
import { databaseOutage } from '../../activities/database/outages.ts'
import { defaultNextActions } from '../../domain/common/next-actions.ts'
import { ERRORS, type ErrorCode, type FieldError, isRetryable, ServiceError } from '../../schemas/errors.ts'
import type { ProblemShape } from '../../schemas/operations/values.ts'

export type Problem = z.input<typeof ProblemShape>

/** What was thrown as an error for callers: an outage of the database by its own code, an unknown failure as `internal_error`. */
export const serviceErrorOf = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError ? thrown : (databaseOutage(thrown) ?? new ServiceError('internal_error', { cause: thrown }))

const optional = <Value>(name: string, value: Value | undefined): Record<string, Value> => (value === undefined ? {} : { [name]: value })

/** A dependency does not answer: the same request may succeed a moment later. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set([
  'blockchain_unavailable',
  'claim_economics_unavailable',
  'state_store_unavailable',
  'workflow_engine_unavailable',
  'service_starting',
])
/** Default `retryAfterSeconds` of an outage. */
const OUTAGE_RETRY_SECONDS = 2

/** Bounds of what a document repeats of its request, so that an answer is not larger than what was sent. */
const MAX_ERRORS = 50
const MAX_DETAIL = 1_000

const cut = (text: string): string => (text.length <= MAX_DETAIL ? text : `${text.slice(0, MAX_DETAIL).toWellFormed()}…`)

const boundedErrors = (errors: FieldError[] | undefined) =>
  errors === undefined || errors.length <= MAX_ERRORS
    ? optional('errors', errors)
    : { errors: errors.slice(0, MAX_ERRORS), errorCount: errors.length }

/** Address of the page that explains a code, from the root of the service. */
export const errorPath = (code: ErrorCode): string => `/docs/errors/${code}`

/** The document of one occurrence. */
export const problemOf = ({ code, info, message }: ServiceError, baseUrl: string, requestId: string): Problem => {
  const { status, title } = ERRORS[code]
  const retryAfterSeconds = info.retryAfterSeconds ?? (OUTAGES.has(code) ? OUTAGE_RETRY_SECONDS : undefined)
  return {
    type: `${baseUrl}${errorPath(code)}`,
    title,
    status,
    detail: cut(message),
    code,
    ...optional('reason', info.reason),
    requestId,
    retryable: isRetryable(code, retryAfterSeconds),
    ...optional('retryAfterSeconds', retryAfterSeconds),
    nextActions: info.nextActions ?? defaultNextActions(code, info.details),
    ...boundedErrors(info.errors),
    ...optional('details', info.details),
    ...info.members,
  }
}

const MAX_NAMED = 5

/** The first failures in words, and how many more there are. */
const sentenceOf = (errors: FieldError[]): string => {
  const named = errors.slice(0, MAX_NAMED).map(({ pointer, message }) => `${pointer === '' ? 'body' : pointer} ${message}`)
  return [...named, ...(errors.length > MAX_NAMED ? [`and ${errors.length - MAX_NAMED} more`] : [])].join('; ')
}

/** Refusal of an input with the failed rules. */
export const invalidRequest = (errors: FieldError[], reason?: string): ServiceError =>
  new ServiceError('invalid_request', { ...optional('reason', reason), detail: sentenceOf(errors), errors })
