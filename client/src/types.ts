import type { OperationId, Operations } from './generated/operations.ts'

/** What signs in: an account of viem, or anything with an address that signs texts, such as a native account with its SS58 address. */
export interface SigningAccount {
  readonly address: string
  signMessage(message: { message: string }): Promise<string>
}

/** The token of the client and what is known of it. Only `token` is certain for a token that the caller gave. */
export interface ClientSession {
  readonly token: string
  /** Address that is paid, also of a native account. */
  readonly wallet?: string
  /** SS58 address of a native account; absent for a wallet. */
  readonly subject?: string
  /** ISO 8601, by the clock of the service. */
  readonly expiresAt?: string
  readonly roles?: readonly string[]
  readonly capabilities?: readonly string[]
}

export interface ClientOptions {
  /** Address of the service, such as `https://work.example`. */
  baseUrl: string
  /** Signs in when an operation needs a token. */
  account?: SigningAccount | undefined
  /** Token of an earlier sign-in, or of a service. */
  token?: string | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Called with every new token, and with null when the client has none any more. */
  onToken?: ((session: ClientSession | null) => void) | undefined
  /** Most repeats of one call after failures, 4 without it. */
  maxRetries?: number | undefined
  /** Longest time for one request, 60 seconds without it. */
  timeoutSeconds?: number | undefined
  /** Longest time for which a call follows a 202, 300 seconds without it. Then it rejects with `PendingError`. */
  followSeconds?: number | undefined
  /** Current time in epoch milliseconds. */
  clock?: (() => number) | undefined
}

export interface CallOptions {
  /** Ends the call at once. */
  signal?: AbortSignal | undefined
  /** Key of this request; the client makes one where the operation takes one. */
  idempotencyKey?: string | undefined
  /** False to get the body of a 202 instead of the final answer. */
  follow?: boolean | undefined
  /** Replaces `followSeconds` of the client. */
  followSeconds?: number | undefined
  /** Sent in place of the client's token. */
  token?: string | undefined
}

export type Input<Id extends OperationId> = Operations[Id]['input']
export type Answer<Id extends OperationId> = Operations[Id]['answer']
/** Answer of a call with `follow: false`. */
export type AnswerOrPending<Id extends OperationId> = Operations[Id]['answer'] | Operations[Id]['pending']

/** Operations whose answer is a stream. */
export type StreamId = 'streamEvents'
export type RequestId = Exclude<OperationId, StreamId>

/** Operations that answer with pages of rows. */
export type ListId = { [Id in OperationId]: [Operations[Id]['rows']] extends [never] ? never : Id }[OperationId]
export type RowOf<Id extends ListId> = Answer<Id> extends Record<Operations[Id]['rows'], (infer Row)[]> ? Row : never

/** Optional where every member of the input is. */
type Arguments<Value, Options> = Record<never, never> extends Value ? [input?: Value, options?: Options] : [input: Value, options?: Options]

/** Method of an operation: resolves to the body of its final answer. */
export interface Method<Id extends RequestId> {
  (...given: Arguments<Input<Id>, CallOptions & { follow?: true | undefined }>): Promise<Answer<Id>>
  (...given: Arguments<Input<Id>, CallOptions>): Promise<AnswerOrPending<Id>>
}

/** State of a session, as `getSession` shows it. */
export type WatchedState = Answer<'getSession'>

type Stop = Pick<CallOptions, 'signal'>

/** One method for every operation. */
export type Methods = { readonly [Id in RequestId]: Method<Id> } & {
  readonly [Id in StreamId]: (input?: Input<Id>, options?: Stop) => Answer<Id>
}

export interface Client extends Methods {
  /** Calls an operation by its id. */
  call<Id extends RequestId>(id: Id, ...given: Arguments<Input<Id>, CallOptions & { follow?: true | undefined }>): Promise<Answer<Id>>
  call<Id extends RequestId>(id: Id, ...given: Arguments<Input<Id>, CallOptions>): Promise<AnswerOrPending<Id>>
  /** Signs in with the account. */
  signIn(options?: Stop): Promise<ClientSession>
  /** The current token; null without one. */
  readonly session: ClientSession | null
  /** Rows of all pages of a list. `limit` is the size of a page. */
  paginate<Id extends ListId>(id: Id, ...given: Arguments<Input<Id>, Stop>): AsyncGenerator<RowOf<Id>, void, undefined>
  /** States of a session: the current one, each change, and the terminal one, after which it ends. */
  watch(sessionId: string, options?: Stop): AsyncGenerator<WatchedState, void, undefined>
}
