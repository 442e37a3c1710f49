import type { z } from 'zod'
import { merge } from './common/merge.ts'
import { ERROR_TABLES } from './error-tables.ts'
import type { FieldErrorShape, NextActionShape } from './operations/values.ts'

export type NextAction = z.infer<typeof NextActionShape>

export type FieldError = z.infer<typeof FieldErrorShape>

/** Every error code with its row. An unknown code does not type-check. */
export const ERRORS = merge(ERROR_TABLES)

export type ErrorCode = keyof typeof ERRORS

export interface ErrorInfo {
  detail?: string | undefined
  reason?: string | undefined
  details?: Record<string, unknown> | undefined
  retryAfterSeconds?: number | undefined
  nextActions?: NextAction[] | undefined
  errors?: FieldError[] | undefined
  /** Members of the problem document and headers of its answer that another protocol demands. */
  members?: Record<string, unknown> | undefined
  headers?: Record<string, string> | undefined
  cause?: unknown
}

/** Error for callers: a code of the table with the facts of this occurrence. Contains no secrets and no exception text. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly info: ErrorInfo
  constructor(code: ErrorCode, info: ErrorInfo = {}) {
    super(info.detail ?? ERRORS[code].meaning, info.cause === undefined ? undefined : { cause: info.cause })
    this.name = 'ServiceError'
    this.code = code
    this.info = info
  }
}

/**
 * Whether the identical request can succeed later, by its code or by this occurrence's retry time. Do not use it to release an idempotency
 * key: a refusal with `retryAfterSeconds` is a decision, and its repeat is a new request.
 */
export const isRetryable = (code: ErrorCode, retryAfterSeconds: number | undefined): boolean =>
  ERRORS[code].retryable || retryAfterSeconds !== undefined

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError

/** True for a 4xx code, where a retry of the same step cannot succeed. */
export const isRefusal = (error: unknown): error is ServiceError => isServiceError(error) && ERRORS[error.code].status < 500

export const isErrorCode = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(ERRORS, code)
