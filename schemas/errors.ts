/** What gets a caller out of a refusal: a route, a tool, a transaction, a wait or a new sign-in. */
export interface NextAction {
  kind: 'http' | 'tool' | 'transaction' | 'wait' | 'sign_in'
  description: string
  method?: string
  path?: string
  tool?: string
  transaction?: Record<string, unknown>
  availableAt?: string
}

/** One failed rule of an input: RFC 6901 pointer for body members, `query/<name>`, `path/<name>` or `header/<name>` otherwise. */
export interface FieldError {
  pointer: string
  rule: string
  limit?: string | number
  message: string
}

export interface ErrorRow {
  status: number
  title: string
  /** What happened, in one sentence; the `detail` of an occurrence unless the thrower says more. */
  meaning: string
  /** What the caller can do. */
  reaction: string
  /** True only if the identical request may succeed later. */
  retryable: boolean
}

const row = (status: number, title: string, meaning: string, reaction: string, retryable = false): ErrorRow => ({
  status,
  title,
  meaning,
  reaction,
  retryable,
})

/** The total table of machine codes. A code that is not here cannot be thrown (it would not type-check). */
export const ERRORS = {
  invalid_request: row(400, 'Invalid request', 'The input does not match what this operation accepts.', 'See errors[].'),
  internal_error: row(500, 'Internal error', 'The service failed unexpectedly.', 'Report the request id.'),
} as const satisfies Record<string, ErrorRow>

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

/** The one way to refuse or fail: a code of the table with the facts of this occurrence. Never carries secrets or exception text. */
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

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError
