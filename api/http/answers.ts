import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { PAGE_POLICY } from '../../pages/style.ts'
import {
  type AcceptedTypes,
  type Answer,
  type AnswerHeaders,
  accessOf,
  type HandlersOf,
  isTagged,
  type OperationSpec,
} from '../../schemas/operations/operation.ts'

/** An answer of any operation. */
export interface AnyAnswer {
  status: number
  body: unknown
  headers?: AnswerHeaders
  etag?: string
  serialised?: Buffer
  page?: () => string | Promise<string>
  stream?: () => AsyncIterable<string>
}

/** The answer does not match the status or shape its operation declares: a defect of the service. */
class AnswerMismatch extends Error {}

/** Cached bodies that were already checked. */
const checkedBodies = new WeakSet<object>()

/** Compares an answer with the declared response. Used outside production. */
export const assertDeclared = (spec: OperationSpec, answer: AnyAnswer): void => {
  if (answer.serialised !== undefined && checkedBodies.has(answer.serialised)) return
  const schema = spec.responses[answer.status]
  if (schema === undefined) throw new AnswerMismatch(`${spec.id} answered the undeclared status ${answer.status}`)
  const parsed = schema.safeParse(answer.body)
  if (parsed.success && answer.serialised !== undefined) checkedBodies.add(answer.serialised)
  if (parsed.success) return
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new AnswerMismatch(`${spec.id} answered a body that its operation does not declare: ${issues.join('; ')}`)
}

const PRIVATE = 'private, no-store'

/** Headers of an answer with private work, from an operation whose other answers may be stored. */
export const NO_STORE = { 'cache-control': PRIVATE } as const

/** Cache-Control of the page of an answer that never changes: a new version of the service can change how it looks. */
const RENDERED = 'public, max-age=300'

/** Cache-Control of an answer: its own or the one that the operation declares, made private when a token was sent. */
const cacheControl = (ofAnswer: string, { tokenPresent, isPage }: { tokenPresent: boolean; isPage: boolean }): string => {
  const declared = isPage && ofAnswer.includes('immutable') ? RENDERED : ofAnswer
  if (!tokenPresent || declared.startsWith('private')) return declared
  return declared.startsWith('public') ? declared.replace('public', 'private') : `private, ${declared}`
}

/** Strong ETag of a body without a version. */
export const tagOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('base64url').slice(0, 27)

/** The tag with which the caller names the answer it has; null when it has another one. A weak tag names the same content. */
const heldTag = (ifNoneMatch: string, etag: string): string | null => {
  const candidates = ifNoneMatch.split(',').map((candidate) => candidate.trim())
  if (candidates.includes('*')) return etag
  return candidates.find((tag) => tag.replace(/^W\//, '') === etag) ?? null
}

/** Bytes that wait for the reader before the next text is asked for. */
const STREAM_BUFFER = 16_384
/** A reader that takes nothing for so long is disconnected. */
const STALLED_MS = 60_000

/** Sends text as it comes. The headers go at once, and no proxy may keep anything back. */
const sendStream = (ctx: Context, text: AsyncIterable<string>): void => {
  ctx.set('cache-control', 'no-cache, no-transform')
  ctx.set('x-accel-buffering', 'no')
  ctx.body = Readable.from(text, { objectMode: false, highWaterMark: STREAM_BUFFER })
  ctx.flushHeaders()
  const { res } = ctx
  let taken = -1
  const watch = setInterval(() => {
    const sent = res.socket?.bytesWritten ?? 0
    if (res.writableLength > 0 && sent === taken) res.destroy()
    taken = sent
  }, STALLED_MS)
  res.once('close', () => clearInterval(watch))
}

/** A type as the service sends it, so that a range with its charset takes it, too. */
const inUtf8 = (type: string): string => `${type}; charset=utf-8`

const JSON_TYPE = inUtf8('application/json')
const HTML = inUtf8('text/html')

export const acceptedTypes = (ctx: Context): AcceptedTypes => ({
  takes: (type) => ctx.accepts(inUtf8(type)) !== false,
  names: (type) => ctx.accepts().some((range) => range.toLowerCase() === type),
  get prefersPage() {
    return prefersPage(ctx)
  },
})

/** Whether the reader prefers a page to `types`, as a browser does. One without a wish gets none. */
export const prefersPage = (ctx: Context, types: readonly string[] = [JSON_TYPE]): boolean => ctx.accepts(...types, HTML) === HTML

const pageOf = async (ctx: Context, { hasPage }: OperationSpec, { page }: AnyAnswer): Promise<string | null> =>
  hasPage && page !== undefined && prefersPage(ctx) ? page() : null

/** The address as a target of a `Link` header, which ends at `>`. */
const linkTarget = (url: string): string => url.replaceAll(/[<>"]/g, (character) => encodeURIComponent(character))

/** Makes the answer a page, which loads nothing and runs the script that copies alone. */
export const markAsPage = (ctx: Context): void => {
  ctx.set('content-security-policy', PAGE_POLICY)
  ctx.set('content-type', HTML)
}

/** A body as it is sent: JSON unless the operation produces another type. */
const asSent = ({ produces }: OperationSpec, body: unknown): string | Buffer => {
  if (produces === undefined) return JSON.stringify(body)
  return Buffer.isBuffer(body) ? body : String(body)
}

/** Sends an answer: body, validators, caching; 304 when the caller already has it. */
export const sendAnswer = async (ctx: Context, spec: OperationSpec, answer: AnyAnswer): Promise<void> => {
  const asPage = await pageOf(ctx, spec, answer)
  const text = asPage ?? answer.serialised ?? asSent(spec, answer.body)
  ctx.status = answer.status
  const { 'cache-control': own, ...headers } = answer.headers ?? {}
  const ofAnswer = typeof own === 'string' ? own : (spec.cache ?? PRIVATE)
  ctx.set('cache-control', cacheControl(ofAnswer, { tokenPresent: ctx.get('authorization') !== '', isPage: asPage !== null }))
  if (accessOf(spec) !== 'metrics') ctx.vary('Authorization')
  if (spec.hasPage) ctx.vary('Accept')
  if (asPage !== null) ctx.set('link', `<${linkTarget(ctx.req.url ?? '/')}>; rel="alternate"; type="application/json"`)
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  const cacheable = answer.status === 200 && isTagged(spec) && !ctx.response.get('cache-control').includes('no-store')
  if (cacheable || answer.etag !== undefined) {
    // A page is another form of the answer, with a tag of its own.
    const etag = `"${asPage === null ? (answer.etag ?? tagOf(text)) : tagOf(asPage)}"`
    const held = heldTag(ctx.get('if-none-match'), etag)
    ctx.set('etag', held ?? etag)
    if (held !== null) {
      ctx.status = 304
      return
    }
  }
  // Set before the body: Koa would guess a missing type.
  if (asPage === null) ctx.set('content-type', spec.produces ?? JSON_TYPE)
  else markAsPage(ctx)
  if (answer.stream !== undefined && ctx.method !== 'HEAD') sendStream(ctx, answer.stream())
  else ctx.body = text
  if (text.length === 0 && answer.stream === undefined) ctx.remove('content-type')
}

/** Handlers of operations whose contract this chain does not have: each answers, or throws, the same. */
export const createUnconfiguredHandlers = <Specs extends Readonly<Record<string, OperationSpec>>>(
  operations: Specs,
  answer: () => Promise<Answer<Specs[keyof Specs]>>,
) => Object.fromEntries(Object.keys(operations).map((name) => [name, answer])) as unknown as HandlersOf<Specs>
