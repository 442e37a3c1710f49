import { createEventStreamReader } from '../../../domain/paid-verification/mcp-failure/event-stream.ts'
import { isAnswerText, type JsonObject, parseReply, type Reply } from '../../../domain/paid-verification/mcp-failure/reply.ts'
import { MAX_TOOLS, parseToolPage } from '../../../domain/paid-verification/mcp-failure/tools.ts'
import type { InconclusiveReason } from '../../../schemas/paid-verification/profiles/execution.ts'
import { MCP_REVISIONS } from '../../../schemas/paid-verification/profiles/mcp-failure.ts'
import type { GuardedFetch, OutboundAnswer, OutboundRequest } from '../../outbound/guarded-fetch.ts'

const MAX_PAGES = 20
const MAX_ANSWER_BYTES = 256 * 1_024
/** Gateways that cannot reach the server behind them, and a server that asks to come later. */
const UNREACHABLE_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])
const SESSION_ID = /^[\x21-\x7e]{1,256}$/

/** Ends the run of a profile without a verdict. */
export class TargetFault extends Error {
  readonly reason: InconclusiveReason
  constructor(reason: InconclusiveReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** A bearer token; null sends none. */
export type Token = string | null

export interface Session {
  token: Token
  id: string | null
  revision: string
  hasTools: boolean
}

export interface McpTarget {
  fetch: GuardedFetch
  endpoint: string
  signal: AbortSignal
  /** Time for one answer, and for all together. */
  answerMs: number
  totalMs: number
  /** Bytes of all answers together. */
  totalBytes: number
}

type Failed = Extract<OutboundAnswer, { ok: false }>
type Success = Extract<OutboundAnswer, { ok: true }>

const faultOf = ({ failure, detail }: Failed): TargetFault => {
  switch (failure) {
    case 'refused':
      return new TargetFault('target_unreachable', 'The service does not connect to this address.')
    case 'redirected':
      return new TargetFault('target_unreachable', 'The target redirects; the service sends a message to the named endpoint only.')
    case 'too_large':
      return new TargetFault('ambiguous_evidence', 'The target sends more than the profile reads.')
    case 'encoding':
      return new TargetFault('ambiguous_evidence', 'The target sends a coding that was not asked for.')
    default:
      return new TargetFault('target_unreachable', `The target does not answer: ${detail}.`)
  }
}

/** Creates a client of one target over Streamable HTTP, bounded in time and bytes. Each failure of the connection is a `TargetFault`. */
export const createMcpConnection = ({ fetch, endpoint, signal, answerMs, totalMs, totalBytes }: McpTarget) => {
  const deadline = performance.now() + totalMs
  let bytesLeft = totalBytes
  let lastId = 0

  const send = (request: Partial<OutboundRequest>): Promise<OutboundAnswer> => {
    signal.throwIfAborted()
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) throw new TargetFault('target_unreachable', `The run does not end within ${totalMs} ms.`)
    const timeoutMs = Math.ceil(Math.min(answerMs, leftMs))
    return fetch({ signal, url: endpoint, timeoutMs, maxBytes: Math.min(MAX_ANSWER_BYTES, bytesLeft), redirects: 0, ...request })
  }

  const headersFor = (token: Token, session: Session | null): Record<string, string> => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session && { 'mcp-protocol-version': session.revision }),
    ...(session?.id && { 'mcp-session-id': session.id }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  })

  /** Reads an answer, of a stream as far as the message that answers `id`. */
  const post = async (body: string, headers: Record<string, string>, id: number | null): Promise<Success> => {
    const stream = createEventStreamReader()
    const isEnough = (chunk: Buffer): boolean => stream.read(chunk).some((text) => isAnswerText(text, id))
    const answer = await send({ body, headers, isEnough })
    signal.throwIfAborted()
    if (!answer.ok) throw faultOf(answer)
    bytesLeft -= answer.body.length
    if (UNREACHABLE_STATUSES.has(answer.status))
      throw new TargetFault('target_unreachable', `The target answers with status ${answer.status}.`)
    return answer
  }

  const replyOf = ({ status, headers, body }: Success, id: number | null): Reply => {
    const reply = parseReply({ status, contentType: headers['content-type'] ?? '', body }, id)
    if (reply.kind === 'unreadable') throw new TargetFault('ambiguous_evidence', `The target breaks off an answer (status ${status}).`)
    return reply
  }

  const nextRequest = (method: string, params?: JsonObject) => {
    lastId += 1
    return { id: lastId, body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, ...(params && { params }) }) }
  }

  /** Sends a request; `token` replaces that of the session. */
  const request = async (session: Session, method: string, params?: JsonObject, token: Token = session.token): Promise<Reply> => {
    const { id, body } = nextRequest(method, params)
    return replyOf(await post(body, headersFor(token, session), id), id)
  }

  const initialize = async (token: Token): Promise<{ reply: Reply; sessionId: string | null }> => {
    const [revision] = MCP_REVISIONS
    const clientInfo = { name: 'paid-verification', version: '1' }
    const { id, body } = nextRequest('initialize', { protocolVersion: revision, capabilities: {}, clientInfo })
    const answer = await post(body, headersFor(token, null), id)
    const given = answer.headers['mcp-session-id']
    return { reply: replyOf(answer, id), sessionId: typeof given === 'string' && SESSION_ID.test(given) ? given : null }
  }

  const notify = async (session: Session, method: string, params?: JsonObject): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })
    return (await post(body, headersFor(session.token, session), null)).status
  }

  return {
    request,
    initialize,
    notify,

    /** Sends a text that is no JSON. */
    async sendMalformed(session: Session): Promise<Reply> {
      return replyOf(await post('{"jsonrpc":"2.0","id":', headersFor(session.token, session), null), null)
    },

    /** Opens a session. A target that cannot is not judged. */
    async open(token: Token): Promise<Session> {
      const { reply, sessionId } = await initialize(token)
      if (reply.status === 401 || reply.status === 403)
        throw new TargetFault(
          'ambiguous_evidence',
          `The target refuses ${token === null ? 'a request without a credential' : 'the credential'}.`,
        )
      if (reply.kind !== 'result')
        throw new TargetFault('ambiguous_evidence', `The target does not answer initialize (status ${reply.status}).`)
      const { protocolVersion, capabilities } = reply.result
      const revision = MCP_REVISIONS.find((one) => one === protocolVersion)
      if (revision === undefined)
        throw new TargetFault('ambiguous_evidence', `The target speaks none of the revisions ${MCP_REVISIONS.join(', ')}.`)
      const hasTools = typeof capabilities === 'object' && capabilities !== null && 'tools' in capabilities
      const session = { token, id: sessionId, revision, hasTools }
      await notify(session, 'notifications/initialized')
      return session
    },

    /** All tools of a session, page by page. */
    async listTools(session: Session): Promise<JsonObject[]> {
      if (!session.hasTools) return []
      const tools: JsonObject[] = []
      let cursor: string | null = null
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const reply: Reply = await request(session, 'tools/list', cursor === null ? {} : { cursor })
        const page = reply.kind === 'result' ? parseToolPage(reply.result) : null
        if (page === null) throw new TargetFault('ambiguous_evidence', `The target does not list its tools (status ${reply.status}).`)
        tools.push(...page.tools)
        if (tools.length > MAX_TOOLS) break
        if (page.nextCursor === null) return tools
        cursor = page.nextCursor
      }
      throw new TargetFault('ambiguous_evidence', `The target lists more than ${MAX_TOOLS} tools or ${MAX_PAGES} pages.`)
    },

    /** Sends a request and gives it up as soon as it has left; the target sees the connection close. Returns its id. */
    async abandon(session: Session, method: string): Promise<number> {
      const { id, body } = nextRequest(method, {})
      const givenUp = new AbortController()
      const any = AbortSignal.any([signal, givenUp.signal])
      const answer = await send({ body, headers: headersFor(session.token, session), signal: any, onSent: () => givenUp.abort() })
      signal.throwIfAborted()
      if (!answer.ok && !givenUp.signal.aborted) throw faultOf(answer)
      return id
    },

    /** Ends a session, if the target keeps one. Its answer does not matter. */
    async close(session: Session): Promise<void> {
      if (session.id === null || signal.aborted || deadline <= performance.now()) return
      await send({ method: 'DELETE', headers: headersFor(session.token, session), timeoutMs: 1_000, maxBytes: 1_024, isEnough: () => true })
    },

    bytesRead: () => totalBytes - bytesLeft,
  }
}
export type McpConnection = ReturnType<typeof createMcpConnection>
