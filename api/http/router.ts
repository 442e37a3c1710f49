import type { ServerResponse } from 'node:http'
import type { Context, Middleware } from 'koa'
import { callerAddress } from '../../domain/http/caller-address.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { capabilitiesNeeded, needsToken, type OperationSpec, type RawRequest } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import type { Credentials } from '../identity/authenticators.ts'
import { acceptedTypes, sendAnswer } from './answers.ts'
import { readBytes, readJsonObject } from './body.ts'
import { createCalls, type HandlerMap, type OperationCall } from './calls.ts'
import { allowedMethods, createRoutes } from './routes.ts'

/** Throws at startup for an operation without a handler or without authorisation. */
export const assertComplete = (operations: readonly OperationSpec[], handlers: HandlerMap): void => {
  for (const spec of operations) {
    if (handlers[spec.id] === undefined) throw new Error(`no handler for the operation ${spec.id}`)
    if (spec.auth.length === 0 || (needsToken(spec) && spec.action === undefined)) throw new Error(`no authorisation entry for ${spec.id}`)
    if (spec.role !== undefined && (!needsToken(spec) || capabilitiesNeeded(spec).length === 0))
      throw new Error(`the role-gated operation ${spec.id} needs a token and a capability`)
  }
}

/** Aborted when the client has gone. */
const goneSignal = (response: ServerResponse): AbortSignal => {
  const aborted = new AbortController()
  if (response.closed) aborted.abort()
  else response.once('close', () => aborted.abort())
  return aborted.signal
}

/** The named headers that a request has. */
const headersOf = (ctx: Context, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (ctx.get(name) === '' ? [] : [[name, ctx.get(name)]])))

const readRaw = async (ctx: Context, rule: NonNullable<OperationSpec['rawBody']>): Promise<RawRequest> => {
  const names = Object.keys({ ...rule.headers, ...rule.optionalHeaders })
  return { bytes: await readBytes(ctx.req, rule.limitBytes), headers: headersOf(ctx, names) }
}

/** Only streams read a token of the query: their clients may be unable to send headers. */
const credentialsOf = (ctx: Context, spec: OperationSpec, search: string): Credentials => {
  const query = new URLSearchParams(search)
  const { authorization } = ctx.req.headers
  const token = spec.streams ? query.get('token') : null
  return { authorization: authorization ?? (token === null ? undefined : `Bearer ${token}`), namedWallet: query.get('wallet') }
}

/** Koa middleware that answers the operations: match, call, answer. */
export const createRouter = (operations: readonly OperationSpec[], handlers: HandlerMap, deps: ServiceDeps): Middleware => {
  assertComplete(operations, handlers)
  const match = createRoutes(operations)
  const call = createCalls(handlers, deps)

  const callOf = (ctx: Context, spec: OperationSpec, search: string): OperationCall => ({
    id: ctx.state.requestId,
    ip: callerAddress(ctx.req.socket.remoteAddress, ctx.get('x-forwarded-for'), deps.settings.TRUSTED_PROXIES),
    protocol: 'http',
    accept: acceptedTypes(ctx),
    credentials: {
      ...credentialsOf(ctx, spec, search),
      ...(spec.isResource && { resource: `${deps.baseUrl}${spec.path}` }),
    },
    params: ctx.state.params,
    search,
    idempotencyKey: ctx.req.headers['idempotency-key']?.toString(),
    ifNoneMatch: ctx.get('if-none-match') || null,
    cookie: ctx.get('cookie') || null,
    headers: headersOf(ctx, Object.keys(spec.headers ?? {})),
    lastEventId: ctx.get('last-event-id') || null,
    readBody: () => readJsonObject(ctx.req, spec.bodyLimitBytes ?? deps.settings.BODY_LIMIT_BYTES),
    readRaw: (rule) => readRaw(ctx, rule),
    gone: () => goneSignal(ctx.res),
    counted: { isDone: false },
    notes: {
      caller: (caller) => {
        ctx.state.subject = caller?.subject
      },
      headers: (headers) => ctx.set(headers),
    },
  })

  return async (ctx) => {
    const [path = '/', ...rest] = (ctx.req.url ?? '/').split('?')
    const search = rest.join('?')
    const found = match(path)
    if (found === null) throw new ServiceError('not_found')
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const spec = found.methods.get(method)
    if (spec === undefined) {
      const allow = allowedMethods(found)
      if (method !== 'OPTIONS') throw new ServiceError('method_not_allowed', { details: { allow } })
      ctx.set('allow', allow.join(', '))
      ctx.status = 204
      return
    }
    ctx.state.template = spec.path
    ctx.state.params = found.params
    await sendAnswer(ctx, spec, await call(spec, callOf(ctx, spec, search)))
  }
}
