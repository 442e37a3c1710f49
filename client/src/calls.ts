import { OPERATIONS, type OperationId } from './generated/operations.ts'
import { isRecord } from './json.ts'
import { PendingError } from './problems.ts'
import { assertFollowSeconds, assertToken, buildRequest, type ServiceRequest } from './requests.ts'
import { retryDelayMs } from './retries.ts'
import { sleep, statedWaitMs } from './timing.ts'
import type { Tokens } from './tokens.ts'
import type { Transport } from './transport.ts'
import type { Answer, CallOptions } from './types.ts'

/** Wait after a 202 that names none. */
const PENDING_SECONDS = 2

export interface CallDeps {
  readonly baseUrl: string
  readonly transport: Transport
  readonly maxRetries: number
  /** Longest time from the first 202 of a call on. */
  readonly followSeconds: number
}

/** How a request gets its token; without it the request is sent as it is. */
export type TokenSource = Pick<Tokens, 'current' | 'drop' | 'canSignIn'>

const pendingSeconds = (body: unknown, header: number | undefined): number => {
  const stated = isRecord(body) && 'retryAfterSeconds' in body ? body.retryAfterSeconds : header
  return typeof stated === 'number' && stated >= 0 ? stated : PENDING_SECONDS
}

/** 32 hex digits; `randomUUID` is absent where a browser has no secure connection. */
const newKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The key of all repeats of one call: that of the caller, or a new one where the operation takes one. */
const keyOf = (id: OperationId, input: object, given: string | undefined): string | undefined => {
  if (!OPERATIONS[id].idempotent) return undefined
  if (given !== undefined) return given
  return 'idempotencyKey' in input && typeof input.idempotencyKey === 'string' ? input.idempotencyKey : newKey()
}

/** Token of one attempt: one given for this call, else one of the source if the operation takes one. */
export const findToken = async (
  request: ServiceRequest,
  options: CallOptions,
  tokens: TokenSource | undefined,
): Promise<string | undefined> => {
  if (options.token !== undefined) return options.token
  const { row, operation } = request
  if (tokens === undefined || row.auth === 'none' || row.auth === 'metrics') return undefined
  const isNeeded = row.auth !== 'optional' && operation !== 'logout'
  return tokens.current(isNeeded, options.signal)
}

/** Sends the request of an operation until it has a final answer, or a failure that a repeat does not cure. With `follow: false` the answer can be the body of a 202. */
export const createCall =
  ({ baseUrl, transport, maxRetries, followSeconds: defaultFollowSeconds }: CallDeps) =>
  async <Id extends OperationId>(id: Id, input: object, options: CallOptions, tokens?: TokenSource): Promise<Answer<Id>> => {
    const { signal, followSeconds = defaultFollowSeconds } = options
    signal?.throwIfAborted()
    assertToken(options.token)
    assertFollowSeconds(followSeconds)
    const idempotencyKey = keyOf(id, input, options.idempotencyKey)
    const request = buildRequest(id, input, baseUrl, { idempotencyKey })
    let failures = 0
    let isRenewed = false
    let acceptedAtMs: number | undefined
    for (;;) {
      const token = await findToken(request, options, tokens)
      const outcome = await transport.send(request, { token, signal })
      if (outcome.kind === 'answer') {
        const { status, body } = outcome
        if (request.row.statuses.includes(status) || status !== 202 || options.follow === false) return body as Answer<Id>
        failures = 0
        isRenewed = false
        acceptedAtMs ??= performance.now()
        const retryAfterSeconds = pendingSeconds(body, outcome.retryAfterSeconds)
        const delayMs = statedWaitMs(retryAfterSeconds)
        if (performance.now() + delayMs > acceptedAtMs + followSeconds * 1_000)
          throw new PendingError(request, { pending: body, idempotencyKey, retryAfterSeconds, followSeconds })
        await sleep(delayMs, signal)
        continue
      }
      const isOwnToken = token !== undefined && options.token === undefined
      if (isOwnToken && tokens?.canSignIn && !isRenewed && id !== 'logout' && outcome.kind === 'problem' && outcome.error.status === 401) {
        isRenewed = true
        tokens.drop(token)
        continue
      }
      const delay = failures < maxRetries ? retryDelayMs(request, outcome, failures) : null
      if (delay === null) throw outcome.error
      failures += 1
      await sleep(delay, signal)
    }
  }
