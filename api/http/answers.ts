import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { isTagged, type OperationSpec } from '../../schemas/operations/operation.ts'

/** What a handler gave, whatever its operation. */
export interface AnyAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
  etag?: string
  serialised?: Buffer
}

/** An answer that differs in status or shape from what its operation declares: a defect of ours. */
export class AnswerMismatch extends Error {}

/** Bodies that were found to be as declared; one that is kept and sent again is not looked at again. */
const declared = new WeakSet<object>()

/** Compares an answer with the declared response. Used outside production. */
export const assertDeclared = (spec: OperationSpec, answer: AnyAnswer): void => {
  if (answer.serialised !== undefined && declared.has(answer.serialised)) return
  const schema = spec.responses[answer.status]
  if (schema === undefined) throw new AnswerMismatch(`${spec.id} answered the undeclared status ${answer.status}`)
  const parsed = schema.safeParse(answer.body)
  if (parsed.success && answer.serialised !== undefined) declared.add(answer.serialised)
  if (parsed.success) return
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new AnswerMismatch(`${spec.id} answered a body that its operation does not declare: ${issues.join('; ')}`)
}

const PRIVATE = 'private, no-store'

/** Cache-Control of an answer: what the operation says, and the private variant as soon as a token was present. */
const cacheControl = (spec: OperationSpec, tokenPresent: boolean): string => {
  const declared = spec.cache ?? PRIVATE
  if (!tokenPresent || declared.startsWith('private')) return declared
  return declared.startsWith('public') ? declared.replace('public', 'private') : `private, ${declared}`
}

/** Strong tag of a text, for bodies that have no version of their own. */
export const tagOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('base64url').slice(0, 27)

const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '')
    return tag === '*' || tag === etag
  })

/** Sends an answer: body, validators, caching; 304 when the caller has it already. */
export const sendAnswer = (ctx: Context, spec: OperationSpec, answer: AnyAnswer): void => {
  const text = answer.serialised ?? (spec.produces === undefined ? JSON.stringify(answer.body) : String(answer.body))
  ctx.status = answer.status
  ctx.set('cache-control', cacheControl(spec, ctx.get('authorization') !== ''))
  if (spec.auth !== 'metrics') ctx.vary('Authorization')
  for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value)
  const cacheable = answer.status === 200 && isTagged(spec)
  if (cacheable || answer.etag !== undefined) {
    const etag = `"${answer.etag ?? tagOf(text)}"`
    ctx.set('etag', etag)
    if (matches(ctx.get('if-none-match'), etag)) {
      ctx.status = 304
      return
    }
  }
  // Before the body: Koa looks a type up for one that has none.
  ctx.set('content-type', spec.produces ?? 'application/json; charset=utf-8')
  ctx.body = text
}
