import type { CallToolResult } from '@modelcontextprotocol/server'
import { quoteStrangers } from '../../domain/postings/quoted-text.ts'
import { ERRORS, type ErrorCode, type NextAction } from '../../schemas/errors.ts'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { invalidRequest, problemOf, serviceErrorOf } from '../http/problem.ts'
import { type Arguments, inputOf, parseDetail, type ToolCall, type ToolRequest } from './arguments.ts'
import { requiredArguments, type ToolName, type ToolOperation } from './descriptors.ts'
import { hintsOf } from './hints.ts'
import { headersOfMeta, metaOfAnswer } from './meta.ts'
import { asToolCall, toolCall } from './next-actions.ts'
import { jobUri, sessionUri } from './resources.ts'
import { shortForm } from './short-form.ts'

/** Largest answer, in bytes of JSON, of a list that can be read by pages, and the part of it that its next actions may take. */
const ANSWER_SIZE = 12_000
const NEXT_ACTIONS_SIZE = 1_500

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

type Body = Readonly<Record<string, unknown>>

const contentOf = (body: Body, ...more: CallToolResult['content']): Pick<CallToolResult, 'structuredContent' | 'content'> => ({
  structuredContent: { ...body },
  content: [{ type: 'text', text: JSON.stringify(body) }, ...more],
})

/** The session of an answer as a resource, which shows its state at any later time; without one, the job of a shortened answer. */
const linkOf = ({ sessionId, jobId }: Body, isCut: boolean): CallToolResult['content'] => {
  const link = (name: string, title: string, uri: string): CallToolResult['content'] => [
    { type: 'resource_link', name, title, uri, mimeType: 'application/json' },
  ]
  if (typeof sessionId === 'string') return link('session', 'The session as it is now', sessionUri(sessionId))
  return isCut && typeof jobId === 'string' ? link('job', 'The whole definition of the job', jobUri(jobId)) : []
}

/** Arguments that the tool requires and no failed rule names. */
const acceptedOf = (tool: ToolName, sent: Arguments, errors: readonly { pointer: string }[]): Arguments => {
  const refused = new Set(errors.map(({ pointer }) => pointer.split('/')[1]))
  const accepted = requiredArguments(tool).filter((name) => sent[name] !== undefined && !refused.has(name))
  return Object.fromEntries(accepted.map((name) => [name, sent[name]]))
}

/** The same tool with other arguments resolves what the document of all operations resolves over HTTP. */
const asRepeat = (action: NextAction, tool: ToolName, accepted: Arguments): NextAction =>
  action.path === '/openapi.json' ? toolCall(tool, accepted, 'Correct what errors[] names, and call again.') : action

/** The problem document of a failure, with its next actions as tool calls. Logs a failure of the service itself. */
export const problemBody = (
  { baseUrl, logger }: ServiceDeps,
  thrown: unknown,
  requestId: string,
  sent: Arguments,
  tool?: ToolName,
): Body => {
  const error = serviceErrorOf(thrown)
  if (ERRORS[error.code].status >= 500) logger.error({ err: error.cause ?? error, code: error.code, requestId }, 'tool call failed')
  const problem = problemOf(error, baseUrl, requestId)
  const facts = [(problem.details ?? {}) as Arguments, sent]
  const next = (problem.nextActions as NextAction[]).map((action) => asToolCall(action, facts))
  if (tool === undefined) return { ...problem, nextActions: next }
  const accepted = acceptedOf(tool, sent, problem.errors ?? [])
  return { ...problem, nextActions: next.map((action) => asRepeat(action, tool, accepted)) }
}

const readList = async (spec: ToolOperation, sent: Arguments, request: ToolRequest): Promise<Body> =>
  (await request.call(spec, inputOf(spec, sent))).body as Body

const isPaged = ({ query }: OperationSpec): boolean => query !== undefined && 'limit' in query.shape && 'cursor' in query.shape

/** The answer as the caller asks for it: with the members of its short form, or whole, and with the texts of strangers quoted. */
const cut = (spec: ToolOperation, sent: Arguments, body: Body): Body => {
  const members = parseDetail(spec, sent) === 'short' ? spec.tool.short?.members : undefined
  const quoted = quoteStrangers(body)
  return members === undefined ? quoted : shortForm(quoted, members)
}

/** Number of leading rows of a list that fit into an answer beside its other members; -1 when all do. */
const rowsThatFit = (body: Body): number => {
  const rows = Object.values(body).find((member) => Array.isArray(member)) as unknown[]
  const sizes = rows.map((row) => sizeOf(row) + 1)
  let room = ANSWER_SIZE - NEXT_ACTIONS_SIZE - (sizeOf(body) - sizes.reduce((sum, size) => sum + size, 0))
  return sizes.findIndex((size) => {
    room -= size
    return room < 0
  })
}

/** The shorter list of a list that is kept and answered again: the same object is the same list. */
const shortLists = new WeakMap<Body, Body>()

/** A list that is too long for its reader, with fewer rows; its `nextCursor` leads on. */
const readFewer = async (spec: ToolOperation, sent: Arguments, request: ToolRequest, whole: Body): Promise<Body> => {
  const known = shortLists.get(whole)
  if (known !== undefined) return known
  const fitting = rowsThatFit(cut(spec, sent, whole))
  const short = fitting === -1 ? whole : await readList(spec, { ...sent, limit: Math.max(1, fitting) }, request)
  shortLists.set(whole, short)
  return short
}

const shortened = (body: Body, whole: Body): CallToolResult['content'] => {
  if (body === whole) return []
  const text = `The answer has ${body.limit} rows in place of ${whole.limit}, to stay below ${ANSWER_SIZE} bytes; nextCursor leads to the others.`
  return [{ type: 'text', text }]
}

/** The answer with what can be done next, as tool calls. */
const withNext = (tool: ToolName, body: Body, sent: Arguments): Body => {
  const own = (body.nextActions ?? []) as NextAction[]
  const facts = [body, sent]
  const next = own.length > 0 ? own.map((action) => asToolCall(action, facts)) : hintsOf(tool, body, sent)
  return next.length === 0 ? body : { ...body, nextActions: next }
}

/** Calls the operation of a tool for the client of a message. A refusal is a result, with the problem document of the operation. */
export const invokeTool = async (
  deps: ServiceDeps,
  spec: ToolOperation,
  { sent, meta }: ToolCall,
  request: ToolRequest,
): Promise<CallToolResult> => {
  const given = (sent ?? {}) as Arguments
  const started = deps.clock.now()
  const note = (code?: string): void =>
    deps.logger.info(
      { tool: spec.tool.name, requestId: request.id, ms: deps.clock.now() - started, ...(code !== undefined && { code }) },
      'tool call',
    )
  try {
    await request.countTool()
    if (typeof given !== 'object' || Array.isArray(given))
      throw invalidRequest([{ pointer: '', rule: 'object', message: 'must be an object of arguments' }])
    const { body: answered, headers } = await request.call(spec, { ...inputOf(spec, given), headers: headersOfMeta(spec, meta) })
    const read = answered as Body
    const body = isPaged(spec) ? await readFewer(spec, given, request, read) : read
    note()
    const shown = cut(spec, given, withNext(spec.tool.name, body, given))
    const content = contentOf(shown, ...shortened(body, read), ...linkOf(body, parseDetail(spec, given) === 'short'))
    return { ...content, ...metaOfAnswer(spec, headers) }
  } catch (thrown) {
    const problem = problemBody(deps, thrown, request.id, given, spec.tool.name)
    note(String(problem.code))
    request.noteRefusal(problem.code as ErrorCode)
    return { isError: true, ...contentOf(problem) }
  }
}
