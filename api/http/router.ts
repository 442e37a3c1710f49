import type { ServerResponse } from 'node:http'
import type { Context, Middleware } from 'koa'
import { assertMetricsSecret } from '../../activities/observability/metrics-secret.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { callerAddress } from '../../domain/http/caller-address.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RateBucketName } from '../../schemas/http/rate-buckets.ts'
import type { Caller } from '../../schemas/identity/authorisation.ts'
import {
  capabilitiesNeeded,
  type HandlersOf,
  type OperationSpec,
  type RawRequest,
  type RequestFacts,
} from '../../schemas/operations/operation.ts'
import type { OPERATIONS } from '../../schemas/operations/registry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Credentials, createAuthentication } from '../identity/authenticate.ts'
import { withHint } from '../identity/hints.ts'
import { type AnyAnswer, assertDeclared, sendAnswer } from './answers.ts'
import { readBytes, readJsonObject } from './body.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { readBody, readParams, readQuery } from './input.ts'
import { createRateLimits } from './rate-limits.ts'
import { allowedMethods, createRoutes } from './routes.ts'

/** One handler per operation of the registry; a missing one does not type-check. */
export type Handlers = HandlersOf<typeof OPERATIONS>

/** A handler as the router calls it: input and answer are checked against the operation, not against the type. */
export type AnyHandler = (input: never) => Promise<AnyAnswer>
export type HandlerMap = Readonly<Record<string, AnyHandler>>

/** Throws at startup for an operation without a handler or without authorisation. */
export const assertComplete = (operations: readonly OperationSpec[], handlers: HandlerMap): void => {
  for (const spec of operations) {
    if (handlers[spec.id] === undefined) throw new Error(`no handler for the operation ${spec.id}`)
    const needsToken = spec.auth === 'wallet' || spec.auth === 'wallet_only'
    if (spec.auth === undefined || (needsToken && spec.action === undefined)) throw new Error(`no authorisation entry for ${spec.id}`)
    if (spec.role !== undefined && (!needsToken || capabilitiesNeeded(spec).length === 0))
      throw new Error(`the role-gated operation ${spec.id} needs a token and a capability`)
  }
}

const urlParts = (url: string): { path: string; search: string } => {
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

/** Aborted when the client has gone. */
const goneSignal = (response: ServerResponse): AbortSignal => {
  const aborted = new AbortController()
  if (response.closed) aborted.abort()
  else response.once('close', () => aborted.abort())
  return aborted.signal
}

const readRaw = async (ctx: Context, { limitBytes, headers }: NonNullable<OperationSpec['rawBody']>): Promise<RawRequest> => ({
  bytes: await readBytes(ctx.req, limitBytes),
  headers: Object.fromEntries(Object.keys(headers).flatMap((name) => (ctx.get(name) === '' ? [] : [[name, ctx.get(name)]]))),
})

const assertOperator = ({ OPERATOR_KEY }: ApiDeps['settings']): void => {
  if (OPERATOR_KEY !== undefined) return
  throw new ServiceError('chain_backend_required', {
    reason: 'operator_key_missing',
    detail: 'This service has no operator key: it serves reads and sends no transactions.',
  })
}

type RouterDeps = Pick<ApiDeps, 'settings' | 'isLocal' | 'database' | 'clock' | 'tokens' | 'metrics' | 'draining'>

/** Koa middleware that answers the operations: match, authenticate, count, read, check, handle, answer. */
export const createRouter = (operations: readonly OperationSpec[], handlers: HandlerMap, deps: RouterDeps): Middleware => {
  assertComplete(operations, handlers)
  const match = createRoutes(operations)
  const authenticate = createAuthentication(deps)
  const count = createRateLimits(deps)
  const checksAnswers = deps.settings.NODE_ENV !== 'production'

  const countIn = async (ctx: Context, bucket: RateBucketName, caller: { ip: string; wallet: string | null }): Promise<void> => {
    const { headers, refusal } = await count(bucket, caller)
    ctx.set(headers)
    if (refusal !== null) throw refusal
  }

  const readRequest = async (ctx: Context, spec: OperationSpec, ip: string, caller: Caller | null, credentials: Credentials) => {
    const raw = spec.rawBody === undefined ? null : await readRaw(ctx, spec.rawBody)
    const body = spec.method === 'POST' && raw === null ? await readJsonObject(ctx.req, deps.settings.BODY_LIMIT_BYTES) : {}
    const { idempotencyKey: _key, ...content } = body
    const key = spec.idempotent === undefined ? null : idempotencyKeyOf(ctx.req.headers['idempotency-key']?.toString(), body)
    const request: RequestFacts = {
      id: ctx.state.requestId,
      ip,
      idempotencyKey: key,
      // Computed on demand: most requests need neither.
      get fingerprint() {
        return keccakOf({ operation: spec.idempotent ?? spec.id, params: ctx.state.params, body: content })
      },
      protocol: 'http',
      ifNoneMatch: ctx.get('if-none-match') || null,
      lastEventId: spec.streams ? ctx.get('last-event-id') || null : null,
      raw,
      checkCaller: () => authenticate(spec, credentials),
      countBuild: async () => {
        if (spec.buildRate !== undefined) await countIn(ctx, spec.buildRate, { ip, wallet: caller?.wallet ?? null })
      },
      get signal() {
        return AbortSignal.any([goneSignal(ctx.res), deps.draining])
      },
    }
    return { body: readBody(spec, body), request }
  }

  /** Only streams read a token of the query: their clients may be unable to send headers. */
  const credentialsOf = (ctx: Context, spec: OperationSpec, search: string): Credentials => {
    const query = new URLSearchParams(search)
    const { authorization } = ctx.req.headers
    const token = spec.streams ? query.get('token') : null
    return { authorization: authorization ?? (token === null ? undefined : `Bearer ${token}`), namedWallet: query.get('wallet') }
  }

  const admit = async (ctx: Context, spec: OperationSpec, credentials: Credentials, ip: string): Promise<Caller | null> => {
    if (spec.auth === 'metrics') assertMetricsSecret(deps, credentials.authorization)
    const caller = await authenticate(spec, credentials)
    ctx.state.wallet = caller?.wallet
    if (spec.rate !== undefined) await countIn(ctx, spec.rate, { ip, wallet: caller?.wallet ?? null })
    return caller
  }

  const answer = async (ctx: Context, spec: OperationSpec, search: string): Promise<void> => {
    const ip = callerAddress(ctx.req.socket.remoteAddress, ctx.get('x-forwarded-for'), deps.settings.TRUSTED_PROXIES)
    const credentials = credentialsOf(ctx, spec, search)
    const caller = await admit(ctx, spec, credentials, ip)
    const params = readParams(spec, ctx.state.params)
    const { query, ignored } = readQuery(spec, search)
    const ignoredParams = ignored.filter((name) => name !== 'wallet' || caller?.token !== null)
    if (ignoredParams.length > 0 && spec.method === 'GET')
      ctx.set('ignored-query', ignoredParams.map(encodeURIComponent).join(', ').slice(0, 500))
    const { body, request } = await readRequest(ctx, spec, ip, caller, credentials)
    if (spec.needsOperator) assertOperator(deps.settings)
    // The registry ties each handler to the type of its operation; here the operation itself has checked the values.
    const handle = handlers[spec.id] as unknown as (input: unknown) => Promise<AnyAnswer>
    const reply = await handle({ params, query, body, caller, request })
    if (checksAnswers) assertDeclared(spec, reply)
    sendAnswer(ctx, spec, reply)
  }

  return async (ctx) => {
    const { path, search } = urlParts(ctx.req.url ?? '/')
    const found = match(path)
    if (found === null) throw new ServiceError('not_found')
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const allow = allowedMethods(found)
    if (method === 'OPTIONS') {
      ctx.set('allow', allow.join(', '))
      ctx.status = 204
      return
    }
    const spec = found.methods.get(method)
    if (spec === undefined) {
      ctx.set('allow', allow.join(', '))
      throw new ServiceError('method_not_allowed', { details: { allow } })
    }
    ctx.state.template = spec.path
    ctx.state.params = found.params
    try {
      await answer(ctx, spec, search)
    } catch (error) {
      throw error instanceof ServiceError ? withHint(error, spec) : error
    }
  }
}
