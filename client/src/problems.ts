import type { ErrorCode, FieldError, NextAction, OperationId, Problem } from './generated/operations.ts'

/** A problem document (RFC 9457) with its code typed. A service that is newer than this client can send a code outside the union. */
export type ProblemDocument = Omit<Problem, 'code'> & { code: ErrorCode }

/** Which request failed. `path` is the template, so that it shows no id and no secret. */
export interface FailedRequest {
  readonly operation: OperationId
  readonly method: string
  readonly path: string
}

/** What every failure of a call tells of its request. */
class RequestError extends Error implements FailedRequest {
  readonly operation: OperationId
  readonly method: string
  readonly path: string

  constructor({ operation, method, path }: FailedRequest, fault: string, options?: ErrorOptions) {
    super(`${method} ${path}: ${fault}`, options)
    this.operation = operation
    this.method = method
    this.path = path
  }
}

/** A refusal of the service. */
export class ServiceProblem extends RequestError {
  override readonly name = 'ServiceProblem'
  /** The whole document. */
  readonly problem: ProblemDocument
  readonly code: ErrorCode
  readonly status: number
  readonly requestId: string
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined
  /** What the caller can do. */
  readonly nextActions: readonly NextAction[]
  /** Failed rules of the input. */
  readonly errors: readonly FieldError[]
  /** Facts of the code. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(request: FailedRequest, problem: ProblemDocument) {
    super(request, `${problem.status} ${problem.code}: ${problem.detail} (request ${problem.requestId})`)
    this.problem = problem
    this.code = problem.code
    this.status = problem.status
    this.requestId = problem.requestId
    this.retryable = problem.retryable
    this.retryAfterSeconds = problem.retryAfterSeconds
    this.nextActions = problem.nextActions
    this.errors = problem.errors ?? []
    this.details = problem.details ?? {}
  }
}

/** An answer that is not of the service, such as the page of a proxy. */
export class UnexpectedAnswer extends RequestError {
  override readonly name = 'UnexpectedAnswer'
  readonly status: number
  readonly contentType: string
  /** First characters of the body. */
  readonly excerpt: string

  constructor(request: FailedRequest, answer: { status: number; contentType: string; excerpt: string; fault: string }) {
    const { status, contentType, excerpt, fault } = answer
    super(request, `${status}: ${fault}; the answer is ${contentType || 'of no media type'}: ${JSON.stringify(excerpt)}`)
    this.status = status
    this.contentType = contentType
    this.excerpt = excerpt
  }
}

/** No whole answer came: the service cannot be reached, the connection broke, or the time was over. */
export class ConnectionError extends RequestError {
  override readonly name = 'ConnectionError'
}

/** The service accepted the request, and had no final answer in the time of `followSeconds`. Repeat the call with the same key. */
export class PendingError extends RequestError {
  override readonly name = 'PendingError'
  /** Body of the last 202. */
  readonly pending: unknown
  /** Key of the request: with it a repeated call asks for the same outcome. Undefined where the operation takes none. */
  readonly idempotencyKey: string | undefined
  /** Wait before the request is repeated. */
  readonly retryAfterSeconds: number

  constructor(
    request: FailedRequest,
    accepted: { pending: unknown; idempotencyKey: string | undefined; retryAfterSeconds: number; followSeconds: number },
  ) {
    const { pending, idempotencyKey, retryAfterSeconds, followSeconds } = accepted
    const same = idempotencyKey === undefined ? 'input' : 'input and idempotencyKey'
    super(
      request,
      `no final answer within ${followSeconds} seconds; the service still works on the request: repeat the call with the same ${same}`,
    )
    this.pending = pending
    this.idempotencyKey = idempotencyKey
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether an error is a refusal of the service, with one of the codes if any are given. */
export const isProblem = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ServiceProblem & { readonly code: Code } =>
  error instanceof ServiceProblem && (codes.length === 0 || codes.some((code) => code === error.code))
