// A service for tools: a sign-in that a test can bend, and the official server of the protocol behind it.
import type { ServerResponse } from 'node:http'
import { createMcpHandler, isLegacyRequest, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { checksumAddress } from '../../../client/cli/key/address.ts'
import { delegateStatement } from '../../../domain/identity/delegate-terms.ts'
import type { DelegateTerms } from '../../../schemas/identity/delegate-terms.ts'
import { json, problem, type Received, type Script, type ScriptedService, startScriptedService } from './scripted-service.ts'

const ASSET = { symbol: 'USDC', address: '0x5fbdb2315678afecb367f032d93f642f64180aa3', decimals: 6 }
const ISSUED_AT = '2030-01-02T03:04:05.000Z'
const DAY_MS = 86_400_000

interface Asked {
  wallet: string
  delegate?: DelegateTerms & { name: string; days: number }
}

/** Text that the service asks a wallet to sign for a delegate. */
const grantText = (host: string, { wallet, delegate }: Asked): string => {
  if (delegate === undefined) throw new Error('no delegate is asked for')
  const { name, days, ...terms } = delegate
  const statement = delegateStatement({ name, host: null, id: null }, terms, Date.parse(ISSUED_AT) + days * DAY_MS, ASSET)
  return [
    `${host} wants you to sign in with your Ethereum account:\n${checksumAddress(wallet.toLowerCase())}`,
    statement,
    `URI: http://${host}\nVersion: 1\nChain ID: 31337\nNonce: 0123456789abcdef\nIssued At: ${ISSUED_AT}`,
  ].join('\n\n')
}

/** What a test sees and decides of the tools. */
interface ToolState {
  /** Changes the text that a wallet is asked to sign. */
  bend: (text: string) => string
  /** Token that the service accepts now. */
  valid: string
  issued: number
  /** Members of the problem that refuses every other token. */
  refusal: object
  /** Called by the tool `count` after each note that it sent. */
  onNote: (progress: number) => Promise<void>
  /** Calls of the tool `wait` that were cancelled. */
  cancelled: number
  waiting: number
}

const createServer = (state: ToolState): McpServer => {
  const server = new McpServer({ name: 'tools', version: '1.0.0' })
  server.registerTool('echo', { inputSchema: z.object({ text: z.string(), times: z.number().default(1) }) }, async ({ text, times }) => ({
    content: [{ type: 'text', text: text.repeat(times) }],
    structuredContent: { times },
  }))
  server.registerTool('count', { inputSchema: z.object({ to: z.number() }) }, async ({ to }, { mcpReq: { _meta, notify } }) => {
    for (let progress = 1; progress <= to; progress += 1) {
      const progressToken = _meta?.progressToken ?? 0
      await notify({ method: 'notifications/progress', params: { progressToken, progress, total: to } })
      await state.onNote(progress)
    }
    return { content: [{ type: 'text', text: `counted to ${to}` }], structuredContent: { to } }
  })
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_sent, { mcpReq: { signal } }) => {
    state.waiting += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    state.cancelled += 1
    return { content: [] }
  })
  return server
}

/** Answers by the official server, with a stream where the client takes one. A client that leaves aborts the tool. */
const answer = async (state: ToolState, { url, headers, body }: Received, response: ServerResponse): Promise<void> => {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const request = new Request(`http://tools.example${url}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
    signal: gone.signal,
  })
  const parsedBody: unknown = JSON.parse(body)
  const transport = new WebStandardStreamableHTTPServerTransport()
  const isOld = await isLegacyRequest(request.clone(), parsedBody)
  if (isOld) await createServer(state).connect(transport)
  const answered = isOld
    ? await transport.handleRequest(request, { parsedBody })
    : await createMcpHandler(() => createServer(state)).fetch(request, { parsedBody })
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.flushHeaders()
  gone.signal.addEventListener('abort', () => void transport.close())
  for await (const chunk of answered.body ?? []) response.write(chunk)
  response.end()
}

export interface ToolService extends ScriptedService {
  state: ToolState
}

/** Starts the service; `scripts` replaces parts of it. Its tokens are `token-1`, `token-2`, … */
export const startToolService = async (scripts: Record<string, Script> = {}, port?: number): Promise<ToolService> => {
  const state: ToolState = {
    bend: (text) => text,
    valid: 'none',
    issued: 0,
    refusal: { reason: 'capability_grant_expired' },
    onNote: async () => undefined,
    cancelled: 0,
    waiting: 0,
  }
  const service = await startScriptedService(
    {
      'GET /pool': (_request, response) => json(response, 200, { available: true, chainId: 31_337, asset: ASSET }),
      'POST /auth/nonce': ({ body, headers }, response) =>
        json(response, 200, { message: state.bend(grantText(headers.host ?? '', JSON.parse(body) as Asked)) }),
      'POST /auth/verify': (_request, response) => {
        state.issued += 1
        state.valid = `token-${state.issued}`
        json(response, 200, { token: state.valid, tokenKind: 'delegate', capabilityGrantId: `grant-${state.issued}`, expiresAt: ISSUED_AT })
      },
      'POST /auth/logout': (_request, response) => json(response, 200, { status: 'logged_out' }),
      'POST /mcp': (request, response, number) => {
        if (request.headers.authorization !== `Bearer ${state.valid}`) return problem(response, 401, 'delegate_ended', state.refusal)
        const script = scripts.tools
        return script === undefined ? answer(state, request, response) : script(request, response, number)
      },
      ...scripts,
    },
    port,
  )
  return { ...service, state }
}
