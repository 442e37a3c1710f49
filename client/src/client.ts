import { createCall } from './calls.ts'
import { OPERATIONS, type OperationId } from './generated/operations.ts'
import { paginate } from './paginate.ts'
import { assertFollowSeconds, assertToken, parseBaseUrl } from './requests.ts'
import { streamEvents } from './streams.ts'
import { createTokens } from './tokens.ts'
import { createTransport } from './transport.ts'
import type { Answer, CallOptions, Client, ClientOptions, ListId } from './types.ts'
import { WATCH_TIMES, watchSession } from './watch.ts'

/** Throws a TypeError for options that no client can work with. */
const readOptions = ({
  baseUrl,
  // Called without an object, as browsers require.
  fetch = (...request) => globalThis.fetch(...request),
  maxRetries = 4,
  timeoutSeconds = 60,
  followSeconds = 300,
  account,
  token,
}: ClientOptions) => {
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError('maxRetries is no whole number from 0 on')
  if (!(timeoutSeconds > 0 && timeoutSeconds <= 3_600)) throw new TypeError('timeoutSeconds is no number from 0 to 3600')
  assertFollowSeconds(followSeconds)
  if (account !== undefined && (typeof account.address !== 'string' || typeof account.signMessage !== 'function'))
    throw new TypeError('account has no address or no signMessage')
  assertToken(token)
  return { baseUrl: parseBaseUrl(baseUrl), fetch, maxRetries, timeoutMs: timeoutSeconds * 1_000, followSeconds }
}

/** Client of the service. It signs in when it has to, repeats what can be repeated, and throws refusals as `ServiceProblem`. */
export const createClient = (options: ClientOptions): Client => {
  const { baseUrl, fetch, maxRetries, timeoutMs, followSeconds } = readOptions(options)
  const transport = createTransport({ fetch, timeoutMs })
  const send = createCall({ baseUrl, transport, maxRetries, followSeconds })
  const tokens = createTokens({ ...options, clock: options.clock ?? Date.now, maxRetries, send })

  /** Adopts what the operations about tokens change. */
  const call = async <Id extends OperationId>(id: Id, input: object = {}, given: CallOptions = {}): Promise<Answer<Id>> => {
    if (!Object.hasOwn(OPERATIONS, id)) throw new TypeError(`there is no operation ${JSON.stringify(id)}`)
    if (OPERATIONS[id].answers === 'stream') throw new TypeError(`${id} is a stream: use client.${id}()`)
    const before = tokens.session?.token
    const answer = await send(id, input, given, tokens)
    if (given.token === undefined && id === 'logout' && before !== undefined) tokens.drop(before)
    if (given.token === undefined && id === 'refreshToken') tokens.adopt(answer as Answer<'refreshToken'>)
    return answer
  }

  const streamDeps = { baseUrl, transport, tokens, maxRetries }
  const own = {
    call,
    signIn: ({ signal }: CallOptions = {}) => tokens.signIn(signal),
    get session() {
      return tokens.session
    },
    paginate: (id: ListId, input: object = {}, { signal }: CallOptions = {}) => paginate((page) => call(id, page, { signal }), id, input),
    watch: (sessionId: string, { signal }: CallOptions = {}) =>
      watchSession(
        {
          ...streamDeps,
          // A poll is answered well within the time of a request.
          times: { ...WATCH_TIMES, waitSeconds: Math.min(WATCH_TIMES.waitSeconds, Math.floor(timeoutMs / 2_000)) },
          getSession: (input, inner) => call('getSession', input, { signal: inner }),
        },
        sessionId,
        signal,
      ),
    streamEvents: (input: object = {}, { signal }: CallOptions = {}) => streamEvents(streamDeps, input, signal),
  }
  const methods = Object.keys(OPERATIONS).map((id) => [id, (input?: object, given?: CallOptions) => call(id as OperationId, input, given)])
  // The types of the methods come from the registry of operations, as their table does; nothing else relates the two.
  return Object.defineProperties(Object.fromEntries(methods), Object.getOwnPropertyDescriptors(own)) as Client
}
