/** Whose credentials an operation takes: none, a token if there is one, a token, a token of the wallet itself, or the metrics secret. */
export type Auth = 'none' | 'optional' | 'wallet' | 'no_delegate' | 'wallet_only' | 'metrics'

/** What the client has to know of an operation. */
export interface OperationRow {
  readonly method: 'GET' | 'POST'
  /** Template such as `/jobs/:id/estimate`. */
  readonly path: string
  readonly auth: Auth
  /** True where the service takes an `Idempotency-Key`. */
  readonly idempotent?: true
  /** Without it the answer is JSON. */
  readonly answers?: 'text' | 'bytes' | 'stream'
  readonly media?: string
  /** Statuses of a final answer. */
  readonly statuses: readonly number[]
  readonly pathMembers?: readonly string[]
  readonly queryMembers?: readonly string[]
  readonly headerMembers?: readonly string[]
  readonly bodyMembers?: readonly string[]
  /** True where `body` is sent as it is. */
  readonly rawBody?: true
  /** Pointers to the amounts of the answer, which become `bigint`. */
  readonly amounts?: readonly string[]
  /** Name of the array of a list. */
  readonly rows?: string
}
