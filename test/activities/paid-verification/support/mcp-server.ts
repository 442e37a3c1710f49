// Targets of the failure profile: the official server of the protocol, and what a test puts in front of it.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createMcpHandler, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { startHttpServer, type Tls } from '../../support/http-server.ts'

/** A message as it reaches a target. */
interface Received {
  method: string
  id: unknown
  session: string | undefined
  authorization: string | undefined
  body: string
}

/** Answers a message in place of the server; false leaves it to the server. */
export type Intercept = (received: Received, response: ServerResponse, request: IncomingMessage) => boolean | Promise<boolean>

export interface TargetOptions {
  /** Demands this token on every request. */
  token?: string
  /** Sends JSON instead of event streams. */
  json?: boolean
  /** Keeps no sessions. */
  stateless?: boolean
  tls?: Tls
  intercept?: Intercept
}

interface Seen {
  /** Calls of tools that ran. */
  calls: string[]
  messages: Received[]
  /** Sessions that are open. */
  sessions: Set<string>
}

const createServer = (seen: Seen): McpServer => {
  const server = new McpServer({ name: 'target', version: '1.0.0' })
  const ran = (name: string) => async () => {
    seen.calls.push(name)
    return { content: [{ type: 'text' as const, text: name }] }
  }
  server.registerTool('read', { inputSchema: z.object({ path: z.string() }), annotations: { readOnlyHint: true } }, ran('read'))
  server.registerTool('clock', { inputSchema: z.object({}), annotations: { readOnlyHint: true } }, ran('clock'))
  server.registerTool('wipe', { inputSchema: z.object({}), annotations: { readOnlyHint: false, destructiveHint: true } }, ran('wipe'))
  return server
}

const parse = (body: string): { method?: unknown; id?: unknown } => {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** Answers of the official server, with a transport for each session. */
const createAnswers = ({ json = false, stateless = false }: TargetOptions, seen: Seen) => {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const handler = createMcpHandler(() => createServer(seen))
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      onsessioninitialized: (id) => {
        transports.set(id, transport)
        seen.sessions.add(id)
      },
      onsessionclosed: (id) => {
        seen.sessions.delete(id)
      },
    })
    await createServer(seen).connect(transport)
    return transport
  }
  return async (asked: Request): Promise<Response> => {
    if (stateless) return handler.fetch(asked)
    const id = asked.headers.get('mcp-session-id')
    const transport = id === null ? await open() : transports.get(id)
    return transport === undefined ? new Response(null, { status: 404 }) : transport.handleRequest(asked)
  }
}

export type Target = Awaited<ReturnType<typeof startTarget>>

/** Starts a target on a free port. */
export const startTarget = async (options: TargetOptions = {}) => {
  const seen: Seen = { calls: [], messages: [], sessions: new Set() }
  const answer = createAnswers(options, seen)
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const content = await buffer(request)
    const { method, id } = parse(content.toString())
    const { 'mcp-session-id': session, authorization } = request.headers
    const received: Received = {
      method: typeof method === 'string' ? method : String(request.method),
      id,
      session: typeof session === 'string' ? session : undefined,
      authorization,
      body: content.toString(),
    }
    seen.messages.push(received)
    if (await options.intercept?.(received, response, request)) return
    if (options.token !== undefined && authorization !== `Bearer ${options.token}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    const headers = new Headers(Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]))
    const hasBody = request.method === 'POST'
    const reply = await answer(
      new Request(`${server.url}/mcp`, { method: request.method ?? 'GET', headers, ...(hasBody && { body: content }) }),
    )
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    if (reply.body === null) response.end()
    else
      Readable.fromWeb(reply.body)
        .on('error', () => undefined)
        .pipe(response)
  }
  const server = await startHttpServer((request, response) => {
    response.on('error', () => undefined)
    serve(request, response).catch(() => response.destroy())
  }, options.tls)
  return { ...server, endpoint: `${server.url}/mcp`, seen }
}

/** Sends a message of JSON-RPC. */
export const sendJson = (response: ServerResponse, message: object, status = 200): true => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  return true
}
