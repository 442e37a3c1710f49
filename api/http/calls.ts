import { keccakOf } from '../../domain/common/hashes.ts'
import { networkPrefix } from '../../domain/http/caller-address.ts'
import { holderOf } from '../../domain/http/holder.ts'
import { isRefusal, ServiceError } from '../../schemas/errors.ts'
import type { RateBucketName } from '../../schemas/http/rate-buckets.ts'
import type { Principal } from '../../schemas/identity/authorisation.ts'
import { type NestedCall, OPTIONAL, type OperationSpec, type RawRequest, type RequestFacts } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { createAuthentication } from '../identity/authenticate.ts'
import type { Credentials } from '../identity/authenticators.ts'
import { withHint } from '../identity/hints.ts'
import { whileAllowed } from '../identity/revocations.ts'
import { type AnyAnswer, assertDeclared } from './answers.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { readBody, readParams, readQuery } from './input.ts'
import { createRateLimits } from './rate-limits.ts'

/** A handler as it is called: input and answer are checked against the operation, not against the type. */
export type AnyHandler = (input: never) => Promise<AnyAnswer>
export type HandlerMap = Readonly<Record<string, AnyHandler>>

/** One call of an operation, as it came by HTTP or by a tool. */
export interface OperationCall {
  id: string
  ip: string
  protocol: RequestFacts['protocol']
  accept: RequestFacts['accept']
  credentials: Credentials
  /** Values of the path parameters, decoded. */
  params: Record<string, string>
  /** Query without its question mark. */
  search: string
  /** Value of the header `Idempotency-Key`. */
  idempotencyKey: string | undefined
  ifNoneMatch: string | null
  lastEventId: string | null
  cookie: string | null
  /** Headers among those that the operation declares. */
  headers: Readonly<Record<string, string>>
  /** Reads the body, after the caller is known and counted. */
  readBody(): Promise<Record<string, unknown>>
  readRaw(rule: NonNullable<OperationSpec['rawBody']>): Promise<RawRequest>
  /** A signal that is aborted when the client has gone. */
  gone(): AbortSignal
  /** Whether a tool call was counted in the bucket of its operation: a second read for one message is not. */
  counted: { isDone: boolean }
  /** Gets what the answer states beside its body. */
  notes: {
    caller(caller: Principal | null): void
    headers(headers: Record<string, string>): void
  }
}

export type Calls = (spec: OperationSpec, call: OperationCall) => Promise<AnyAnswer>

const assertOperator = ({ OPERATOR_KEY }: ServiceDeps['settings']): void => {
  if (OPERATOR_KEY !== undefined) return
  throw new ServiceError('chain_backend_required', {
    reason: 'operator_key_missing',
    detail: 'This service has no operator key: it serves reads and sends no transactions.',
  })
}

const mayWait = (query: unknown): boolean => ((query as { waitSeconds?: number } | undefined)?.waitSeconds ?? 0) > 0

/** A refused token counts as none; an outage stays one. */
const withoutToken = (error: unknown): null => {
  if (isRefusal(error)) return null
  throw error
}

/** Calls operations: authenticate, count, read, check, handle. Throws a {@link ServiceError} for every refusal. */
export const createCalls = (handlers: HandlerMap, deps: ServiceDeps): Calls => {
  const authenticate = createAuthentication(deps)
  const count = createRateLimits(deps)
  const checksAnswers = deps.settings.NODE_ENV !== 'production'

  const countIn = async (call: OperationCall, bucket: RateBucketName, caller: Principal | null): Promise<void> => {
    const { headers, refusal } = await count(bucket, { ip: call.ip, subject: caller === null ? undefined : holderOf(caller) })
    call.notes.headers(headers)
    if (refusal !== null) throw refusal
  }

  /** The caller of a message for tools; null without a valid token. */
  const findSender = (call: OperationCall, { id }: OperationSpec) =>
    authenticate({ id, auth: OPTIONAL }, call.credentials).catch(withoutToken)

  const countTool = async (call: OperationCall, spec: OperationSpec): Promise<void> => {
    const known = await findSender(call, spec)
    await countIn(call, known === null ? 'tools_anonymous' : 'tools_authenticated', known)
  }

  const admit = async (call: OperationCall, spec: OperationSpec): Promise<Principal | null> => {
    const caller = await authenticate(spec, call.credentials)
    call.notes.caller(caller)
    if (caller?.token?.sid) deps.sessionUses.note(caller.token.sid, networkPrefix(call.ip), deps.clock.now())
    if (spec.rate !== undefined && !call.counted.isDone) await countIn(call, spec.rate, caller)
    call.counted.isDone = call.protocol === 'mcp'
    return caller
  }

  /** Query of the call. A member that the operation does not know is named in the answer. */
  const queryOf = (call: OperationCall, spec: OperationSpec, caller: Principal | null): unknown => {
    const { query, ignored } = readQuery(spec, call.search)
    const names = ignored.filter((name) => name !== 'wallet' || caller?.token !== null)
    if (names.length > 0 && spec.method === 'GET')
      call.notes.headers({ 'ignored-query': names.map(encodeURIComponent).join(', ').slice(0, 500) })
    return query
  }

  const factsOf = (
    call: OperationCall,
    spec: OperationSpec,
    caller: Principal | null,
    raw: RawRequest | null,
    body: Record<string, unknown>,
    refused: AbortSignal | null,
  ): RequestFacts => {
    const { idempotencyKey: _key, ...content } = body
    const { id, ip, protocol, accept, ifNoneMatch, headers } = call
    const keyScope = spec.idempotent ?? spec.id
    return {
      id,
      ip,
      protocol,
      accept,
      ifNoneMatch,
      headers,
      keyScope,
      raw,
      idempotencyKey: spec.idempotent === undefined ? null : idempotencyKeyOf(call.idempotencyKey, body),
      // Computed on demand: most requests need neither.
      get fingerprint() {
        return keccakOf({ operation: keyScope, params: call.params, body: content })
      },
      lastEventId: spec.streams ? call.lastEventId : null,
      cookie: spec.readsCookie ? call.cookie : null,
      checkCaller: () => authenticate(spec, call.credentials),
      countTool: () => countTool(call, spec),
      countMessage: async () => countIn(call, 'tools_messages', await findSender(call, spec)),
      countBuild: async () => {
        if (spec.buildRate !== undefined) await countIn(call, spec.buildRate, caller)
      },
      get signal() {
        return AbortSignal.any([call.gone(), deps.draining, ...(refused === null ? [] : [refused])])
      },
      call: (other, nested) => answer(other, nestedCall(call, nested)),
    }
  }

  /** Runs a handler that may wait. The wait ends when the caller is refused meanwhile, and no answer is shown after the end of a token. */
  const runWaiting = async (
    call: OperationCall,
    spec: OperationSpec,
    caller: Principal | null,
    run: (refused: AbortSignal | null) => Promise<AnyAnswer>,
  ): Promise<AnyAnswer> => {
    const check = () => authenticate(spec, call.credentials)
    const isRefused = async (): Promise<boolean> => {
      try {
        await check()
        return false
      } catch (error) {
        return isRefusal(error)
      }
    }
    const reply = await (caller === null ? run(null) : whileAllowed(deps.revocations, holderOf(caller), isRefused, run))
    await check()
    return reply
  }

  const handle = async (spec: OperationSpec, call: OperationCall): Promise<AnyAnswer> => {
    const caller = await admit(call, spec)
    const params = readParams(spec, call.params)
    const query = queryOf(call, spec, caller)
    const raw = spec.rawBody === undefined ? null : await call.readRaw(spec.rawBody)
    const sent = spec.method === 'POST' && raw === null ? await call.readBody() : {}
    const body = readBody(spec, sent)
    if (spec.needsOperator) assertOperator(deps.settings)
    if (spec.earning && caller?.wallet) await deps.identities.assertCanEarn(deps.database.rows, caller.wallet)
    // The registry ties each handler to the type of its operation; here the operation itself has checked the values.
    const handler = handlers[spec.id] as unknown as (input: unknown) => Promise<AnyAnswer>
    const run = (refused: AbortSignal | null) =>
      handler({ params, query, body, caller, request: factsOf(call, spec, caller, raw, sent, refused) })
    const answered = () => (mayWait(query) ? runWaiting(call, spec, caller, run) : run(null))
    const reply = await (spec.fromReplica ? deps.database.readList(answered) : answered())
    if (checksAnswers) assertDeclared(spec, reply)
    return reply
  }

  const answer: Calls = async (spec, call) => {
    try {
      return await handle(spec, call)
    } catch (error) {
      throw error instanceof ServiceError ? withHint(error, spec, deps.chain) : error
    }
  }
  return answer
}

/** A call of another operation for the same client. */
const nestedCall = (call: OperationCall, { protocol, params, search, body, headers = {} }: NestedCall): OperationCall => ({
  ...call,
  protocol,
  params,
  search,
  credentials: { ...call.credentials, namedWallet: new URLSearchParams(search).get('wallet') },
  idempotencyKey: undefined,
  ifNoneMatch: null,
  lastEventId: null,
  cookie: null,
  headers,
  readBody: async () => body,
  readRaw: () => Promise.reject(new Error('a tool has no raw body')),
  notes: { caller: call.notes.caller, headers: () => undefined },
})
