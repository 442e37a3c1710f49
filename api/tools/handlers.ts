import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { codesOf } from '../../schemas/common/error-row.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import { SCOPE_NAMES } from '../../schemas/identity/delegate-terms.ts'
import { TOKEN_ERRORS } from '../../schemas/identity/errors.ts'
import { boundedPointer } from '../../schemas/operations/field-errors.ts'
import {
  type AcceptedTypes,
  type HandlersOf,
  type RawRequest,
  type RequestFacts,
  TOOLSETS,
  type Toolset,
} from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type * as operations from '../../schemas/tools/operations.ts'
import { PROTOCOL_REVISIONS, RPC_ID_CHARACTERS, STATELESS_REVISION } from '../../schemas/tools/record.ts'
import type { ServiceDeps } from '../deps.ts'
import { TOOLS_DESCRIPTION } from '../discovery/indexes.ts'
import { toolNames } from '../discovery/manifest.ts'
import { bodyFault, parseLoosely } from '../http/body.ts'
import type { ToolRequest } from './arguments.ts'
import { createToolServer } from './server.ts'

const JSON_TYPE = 'application/json'
const STREAM = 'text/event-stream'

type McpAnswer = Awaited<ReturnType<HandlersOf<typeof operations>['sendMcpMessage']>>

const refusal = (status: 400 | 403 | 404, code: number, message: string, id: string | number | null = null): McpAnswer => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message } },
})

/** Names of this service: that of its address, others that are configured, and those of the own machine for a local one. */
const hostNames = ({ baseUrl, isLocal, settings }: ServiceDeps): string[] => [
  new URL(baseUrl).hostname,
  ...settings.MCP_HOSTS,
  ...(isLocal ? localhostAllowedHostnames() : []),
]

/** Refuses a message that a page of another site sends in the name of its reader (DNS rebinding), and an unknown page. */
const findStranger = (deps: ServiceDeps, { headers: { host, origin } }: RawRequest): McpAnswer | null => {
  if (!validateHostHeader(host, hostNames(deps)).ok) return refusal(403, -32000, 'The header Host names another service.')
  if (origin === undefined) return null
  const allowed = [new URL(deps.baseUrl).origin, ...deps.settings.CORS_ORIGINS]
  return allowed.includes(origin) || allowed.includes('*') ? null : refusal(403, -32000, 'The page of the header Origin is not allowed.')
}

const NOT_JSON = refusal(400, -32700, 'The message is not JSON in UTF-8, or names a member twice.')

/** The message, which may name a member twice; undefined for bytes that are not JSON in UTF-8. */
const readMessage = (bytes: Buffer): unknown => {
  try {
    return parseLoosely(bytes)
  } catch {
    return undefined
  }
}

/** Whether the id of a message can be repeated as it is. Larger numbers are rounded when they are read. */
const isId = (id: unknown): boolean =>
  typeof id === 'string' ? id.length <= RPC_ID_CHARACTERS && !id.includes('\0') : id === null || Number.isSafeInteger(id)

/** Refuses a message that readers may read differently, or only one whose `member` they may; without an id that would be another one. */
const faultOfText = (bytes: Buffer, message: unknown, member?: 'id'): McpAnswer | null => {
  const fault = bodyFault(bytes, member)
  if (fault === null) return null
  if (fault.rule === 'unique') return NOT_JSON
  const { id = null } = message as { id?: string | number | null }
  const place = boundedPointer(fault.pointer)
  return refusal(
    400,
    -32600,
    `${place} has more digits than a number keeps: send it as text.`,
    isId(id) && bodyFault(bytes, 'id') === null ? id : null,
  )
}

const findFault = (message: unknown): McpAnswer | null => {
  if (Array.isArray(message)) return refusal(400, -32600, 'Send one message at a time.')
  if (typeof message !== 'object' || message === null) return refusal(400, -32600, 'A message is an object.')
  const { id = null, method } = message as { id?: string | number | null; method?: unknown }
  if (!isId(id))
    return refusal(
      400,
      -32600,
      `An id is a text of at most ${RPC_ID_CHARACTERS} characters without U+0000, or a whole number up to 2^53 - 1.`,
    )
  // The service sends no messages of its own, so there is nothing to listen to.
  return method === 'subscriptions/listen' ? refusal(404, -32601, 'The service opens no streams.', id) : null
}

/** Answers a message of a 2025 revision with JSON, without a session. */
const answerSessionEra = async (message: Request, parsedBody: unknown, server: ReturnType<typeof createToolServer>): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(message, { parsedBody })
}

/** What the protocol library and a tool get of a message. */
type MessageFacts = ToolRequest & Pick<RequestFacts, 'accept'>

/** The message for the protocol library, which gets the body parsed, and `Accept` by name: it knows no other form. */
const requestOf = (deps: ServiceDeps, { host: _host, ...headers }: RawRequest['headers'], { accept, signal }: MessageFacts): Request => {
  const types = [JSON_TYPE, STREAM].filter(accept.takes)
  return new Request(`${deps.baseUrl}/mcp`, { method: 'POST', headers: { ...headers, accept: types.join(', ') }, signal })
}

/** Whether a client of the protocol asks for a stream. One that names no type, such as a browser, gets the document. */
const asksForStream = ({ takes, names }: AcceptedTypes): boolean => takes(STREAM) && (names(STREAM) || !takes(JSON_TYPE))

/** Statuses that the protocol library answers with; any other is a fault of the service. */
const STATUSES = [200, 202, 400, 403, 404, 406, 415, 500] as const
type Status = (typeof STATUSES)[number]

/** Parameter that names what a method calls. Such a message counts as the call. */
const CALLS = new Map<unknown, string>([
  ['tools/call', 'name'],
  ['resources/read', 'uri'],
])

const isCallOf = (message: unknown): boolean => {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: Record<string, unknown> | null }
  const named = CALLS.get(method)
  return named !== undefined && typeof params?.[named] === 'string'
}

/**
 * Counts a message before anything of it but its method is looked at, as each further look costs more. A call that is one too many is answered by
 * its tool; throws the refusal of any other message.
 */
const countFirst = async (
  { id, signal, call, accept, countTool, countMessage }: Pick<RequestFacts, Exclude<keyof MessageFacts, 'noteRefusal'> | 'countMessage'>,
  message: unknown,
): Promise<{ isRefused: boolean; counted: Omit<MessageFacts, 'noteRefusal'> }> => {
  const isCall = isCallOf(message)
  const counting = isCall ? countTool() : countMessage()
  if (!isCall) await counting
  const isRefused = await counting.then(
    () => false,
    () => true,
  )
  return { isRefused, counted: { id, signal, call, accept, countTool: () => counting } }
}

/** A list of tools, as both generations of the protocol ask for it. */
const FIRST_LISTS = [
  { headers: {}, params: {} },
  {
    headers: { 'mcp-protocol-version': STATELESS_REVISION, 'mcp-method': 'tools/list' },
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
].map(({ headers, params }) => ({
  headers: { 'content-type': JSON_TYPE, ...headers },
  message: { jsonrpc: '2.0', id: 0, method: 'tools/list', params },
}))

const NO_CALLS: MessageFacts = {
  id: 'start',
  signal: new AbortController().signal,
  call: () => Promise.reject(new Error('a list calls nothing')),
  accept: { takes: () => true, names: () => true, prefersPage: false },
  countTool: async () => undefined,
  noteRefusal: () => undefined,
}

const answerOf = async (response: Response): Promise<McpAnswer> => {
  const status = STATUSES.find((known) => known === response.status)
  if (status === undefined) throw new Error(`the protocol library answered ${response.status}`)
  const text = await response.text()
  return {
    status,
    // Only the check of answers outside production reads it.
    get body() {
      return status === 202 ? '' : JSON.parse(text)
    },
    serialised: Buffer.from(text),
  } as Extract<McpAnswer, { status: Status }>
}

/** Refusals of the token of a message. Another 401 is about what a tool was given, and no new token helps. */
const NEEDS_TOKEN: ReadonlySet<ErrorCode> = new Set([...codesOf(TOKEN_ERRORS), 'missing_token', 'delegate_ended'])

/** Challenge of a message that needs a token of its sender, with every scope that the person can narrow (RFC 9728, 5.1). */
const challengeOf = (baseUrl: string): string =>
  `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="${SCOPE_NAMES.join(' ')}"`

/** The answer of a call whose sender is unknown, from which a client learns where to sign in. Its body says the same to any other. */
const asUnauthorised = (answer: McpAnswer, baseUrl: string): McpAnswer =>
  answer.status === 200 ? { ...answer, body: answer.body, status: 401, headers: { 'www-authenticate': challengeOf(baseUrl) } } : answer

/** The endpoint of the Model Context Protocol. Each message has its own server: nothing is kept between two of them. */
export const createToolHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const answer = async (raw: RawRequest, message: unknown, sets: readonly Toolset[], facts: MessageFacts): Promise<Response> => {
    const request = requestOf(deps, raw.headers, facts)
    if (await isLegacyRequest(request, message)) return answerSessionEra(request, message, createToolServer(deps, sets, facts))
    const handler = createMcpHandler(() => createToolServer(deps, sets, facts))
    return handler.fetch(request, { parsedBody: message })
  }
  // Else the first message would pay for what the library makes when it is first used.
  for (const { headers, message } of FIRST_LISTS)
    answer({ bytes: Buffer.alloc(0), headers }, message, TOOLSETS, NO_CALLS)
      .then(answerOf)
      .catch((error: unknown) => deps.logger.error({ err: error }, 'the first list of tools failed'))
  return {
    async getMcpInfo({ request }) {
      // A client of the protocol that asks for a stream takes 405 as "there is none".
      if (asksForStream(request.accept))
        throw new ServiceError('method_not_allowed', { detail: 'The service opens no streams.', details: { allow: ['POST'] } })
      const url = `${deps.baseUrl}/mcp`
      return {
        status: 200,
        body: {
          name: PRODUCT_NAME,
          description: TOOLS_DESCRIPTION,
          type: 'mcp_protocol_endpoint',
          transport: 'streamable_http',
          protocolVersions: PROTOCOL_REVISIONS,
          connect: { url },
          install: { mcpServers: { 'agent-work': { type: 'http', url } } },
          toolsets: TOOLSETS.map((name) => ({ name, url: `${url}?toolset=${name}`, tools: toolNames(operationList, name) })),
          plainHttpAlternative: `${deps.baseUrl}/openapi.json`,
        },
      }
    },
    async sendMcpMessage({ query: { toolset }, request }) {
      const { raw } = request
      if (raw === null) throw new Error('no raw body')
      const stranger = findStranger(deps, raw)
      if (stranger !== null) return stranger
      const message = readMessage(raw.bytes)
      const { isRefused, counted } = await countFirst(request, message)
      if (message === undefined) return NOT_JSON
      const fault = faultOfText(raw.bytes, message, isRefused ? 'id' : undefined) ?? findFault(message)
      if (fault !== null) return fault
      const refused: ErrorCode[] = []
      const reply = await answerOf(await answer(raw, message, toolset, { ...counted, noteRefusal: (code) => refused.push(code) }))
      return refused.some((code) => NEEDS_TOKEN.has(code)) ? asUnauthorised(reply, deps.baseUrl) : reply
    },
  }
}
