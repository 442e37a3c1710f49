import type { z } from 'zod'
import { ACCOUNT_ERRORS } from './accounts/errors.ts'
import { CATALOGUE_ERRORS } from './catalogue/errors.ts'
import { CHAIN_ERRORS } from './chain/errors.ts'
import { CLAIM_ERRORS } from './claims/errors.ts'
import { CONTENT_ERRORS } from './content/errors.ts'
import { CREDIT_ERRORS } from './credit/errors.ts'
import { CROSS_CHAIN_ERRORS } from './cross-chain/errors.ts'
import { DIRECTORY_ERRORS } from './directory/errors.ts'
import { DISPUTE_ERRORS } from './disputes/errors.ts'
import { ELIGIBILITY_ERRORS } from './eligibility/errors.ts'
import { HTTP_ERRORS } from './http/errors.ts'
import { IDENTITY_ERRORS } from './identity/errors.ts'
import { IDLE_ALLOCATION_ERRORS } from './idle-allocation/errors.ts'
import { LOCKED_DEPOSIT_ERRORS } from './locked-deposits/errors.ts'
import type { FieldErrorShape, NextActionShape } from './operations/values.ts'
import { PULL_REQUEST_ERRORS } from './pull-requests/errors.ts'
import { RECEIPT_ERRORS } from './receipts/errors.ts'
import { REPUTATION_ERRORS } from './reputation/errors.ts'
import { SESSION_LOG_ERRORS } from './session-log/errors.ts'
import { SESSION_ERRORS } from './sessions/errors.ts'
import { SHARE_ERRORS } from './shares/errors.ts'
import { WEBHOOK_ERRORS } from './webhooks/errors.ts'

export type NextAction = z.infer<typeof NextActionShape>

export type FieldError = z.infer<typeof FieldErrorShape>

/** Every error code with its row. An unknown code does not type-check. */
export const ERRORS = {
  ...HTTP_ERRORS,
  ...IDENTITY_ERRORS,
  ...CHAIN_ERRORS,
  ...ACCOUNT_ERRORS,
  ...CATALOGUE_ERRORS,
  ...ELIGIBILITY_ERRORS,
  ...CLAIM_ERRORS,
  ...SESSION_ERRORS,
  ...SHARE_ERRORS,
  ...PULL_REQUEST_ERRORS,
  ...DISPUTE_ERRORS,
  ...CONTENT_ERRORS,
  ...DIRECTORY_ERRORS,
  ...CREDIT_ERRORS,
  ...LOCKED_DEPOSIT_ERRORS,
  ...IDLE_ALLOCATION_ERRORS,
  ...CROSS_CHAIN_ERRORS,
  ...RECEIPT_ERRORS,
  ...SESSION_LOG_ERRORS,
  ...REPUTATION_ERRORS,
  ...WEBHOOK_ERRORS,
}

export type ErrorCode = keyof typeof ERRORS

export interface ErrorInfo {
  detail?: string | undefined
  reason?: string | undefined
  details?: Record<string, unknown> | undefined
  retryAfterSeconds?: number | undefined
  nextActions?: NextAction[] | undefined
  errors?: FieldError[] | undefined
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
