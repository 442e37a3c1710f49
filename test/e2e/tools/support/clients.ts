// The official clients of the protocol, in both of its eras, behind one interface.
import { Client, type ClientOptions, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { OAuthClientProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { NextAction } from '../../../../schemas/errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a tool answered.
export type Body = Record<string, any> & { nextActions?: NextAction[] }
export type Arguments = Record<string, unknown>

/** Result of a tool call. */
export interface ToolAnswer {
  isError: boolean
  body: Body
  /** The content blocks of type text. */
  texts: string[]
  /** Addresses of the resources that it links. */
  links: string[]
  /** What it says beside its content. */
  meta: Arguments
}

/** A tool as the client reads it. */
export interface ListedTool {
  name: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown> | undefined
}

interface CallOptions {
  signal?: AbortSignal
  /** What the call says beside its arguments. */
  meta?: Arguments
  onprogress?: (note: { progress: number }) => void
}

export interface ToolClient {
  listTools(): Promise<ListedTool[]>
  callTool(name: string, sent?: Arguments, options?: CallOptions): Promise<ToolAnswer>
  /** JSON of a resource. */
  readResource(uri: string): Promise<Body>
  listResourceTemplates(): Promise<string[]>
  listPrompts(): Promise<string[]>
  /** Text of a prompt. */
  getPrompt(name: string, sent?: Record<string, string>): Promise<string>
  /** Sends this token with every later message; undefined for none. */
  useToken(token: string | undefined): void
  close(): Promise<void>
}

interface RawResult {
  isError?: boolean | undefined
  structuredContent?: unknown
  content?: unknown
  _meta?: unknown
}

const answerOf = ({ isError = false, structuredContent, content, _meta = {} }: RawResult): ToolAnswer => {
  const blocks = content as { type: string; text: string; uri: string }[]
  return {
    isError,
    body: structuredContent as Body,
    texts: blocks.filter(({ type }) => type === 'text').map(({ text }) => text),
    links: blocks.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri),
    meta: _meta as Arguments,
  }
}

const jsonOf = ({ contents: [first] }: { contents: object[] }): Body => JSON.parse((first as { text: string }).text)
const textOf = ({ messages }: { messages: { content: unknown }[] }): string =>
  messages.map(({ content }) => (content as { text: string }).text).join('\n')
/** Parameters of a call, without what it does not say. */
const paramsOf = (name: string, sent?: Arguments, meta?: Arguments) => ({
  name,
  ...(sent && { arguments: sent }),
  ...(meta && { _meta: meta }),
})

const named = <Item>(items: Item[], name: (item: Item) => string): string[] => items.map(name)

/** A `fetch` that sends the current token, to each of the services in turn. */
const withToken = (bases: readonly string[], current: () => string | undefined, onSent: (base: string) => void) => {
  let sent = 0
  return (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(input)
    const base = bases[sent % bases.length] ?? ''
    sent += 1
    onSent(base)
    const headers = new Headers(init.headers)
    const token = current()
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    return fetch(`${base}${pathname}${search}`, { ...init, headers })
  }
}

/** The message in an HTTP answer 401: the clients throw it as text, where a host would begin the flow of OAuth. */
const refusedMessage = (error: unknown): { result?: RawResult; error?: object } => {
  const [, text] =
    /^(?:Streamable HTTP error: )?Error POSTing to endpoint[^{]*(\{.*\})/s.exec(error instanceof Error ? error.message : '') ?? []
  if (text === undefined) throw error
  return JSON.parse(text)
}

/** The answer of a refused call as a client without OAuth reads it. */
const reading = (connection: Connection): Connection => ({
  ...connection,
  callTool: (...sent) => connection.callTool(...sent).catch((error: unknown) => answerOf(refusedMessage(error).result ?? {})),
  readResource: (uri) =>
    connection.readResource(uri).catch((error: unknown) => {
      throw refusedMessage(error).error ?? error
    }),
})

export type Connection = Omit<ToolClient, 'useToken'>

/** A program that speaks the protocol on its standard input and output. */
export interface ToolProgram {
  command: string
  args: string[]
  env: Record<string, string>
  stderr: 'ignore' | 'inherit'
}

/** A client that signs in by OAuth: a call without a token that counts throws, after the provider was given the address of the page. */
export interface SigningClient extends Connection {
  /** Exchanges what the browser brought back. */
  finishSignIn(back: URLSearchParams): Promise<void>
}

interface Connect {
  overHttp(url: URL, fetch: ReturnType<typeof withToken>): Promise<Connection>
  withSignIn(url: URL, authProvider: OAuthClientProvider): Promise<SigningClient>
  overStdio(program: ToolProgram): Promise<Connection>
}

const INFO = { name: 'test', version: '1.0.0' }

const connectNew = (options: ClientOptions): Connect => {
  const connect = async (transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Connection> => {
    const client = new Client(INFO, options)
    await client.connect(transport)
    return {
      listTools: async () => (await client.listTools()).tools,
      callTool: async (name, sent, { meta, ...options } = {}) => answerOf(await client.callTool(paramsOf(name, sent, meta), options)),
      readResource: async (uri) => jsonOf(await client.readResource({ uri })),
      listResourceTemplates: async () => named((await client.listResourceTemplates()).resourceTemplates, ({ uriTemplate }) => uriTemplate),
      listPrompts: async () => named((await client.listPrompts()).prompts, ({ name }) => name),
      getPrompt: async (name, sent) => textOf(await client.getPrompt({ name, ...(sent && { arguments: sent }) })),
      close: () => client.close(),
    }
  }
  return {
    overHttp: (url, fetch) => connect(new StreamableHTTPClientTransport(url, { fetch })),
    withSignIn: async (url, authProvider) => {
      const transport = new StreamableHTTPClientTransport(url, { authProvider })
      return { ...(await connect(transport)), finishSignIn: (back) => transport.finishAuth(back) }
    },
    overStdio: (program) => connect(new StdioClientTransport(program)),
  }
}

const connectOldOver = async (transport: OldTransport | OldStdioTransport): Promise<Connection> => {
  const client = new OldClient(INFO)
  // The old line declares its transport without exact optional members.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, sent, { meta, ...options } = {}) =>
      answerOf((await client.callTool(paramsOf(name, sent, meta), undefined, options)) as RawResult),
    readResource: async (uri) => jsonOf(await client.readResource({ uri })),
    listResourceTemplates: async () => named((await client.listResourceTemplates()).resourceTemplates, ({ uriTemplate }) => uriTemplate),
    listPrompts: async () => named((await client.listPrompts()).prompts, ({ name }) => name),
    getPrompt: async (name, sent) => textOf(await client.getPrompt({ name, ...(sent && { arguments: sent }) })),
    close: () => client.close(),
  }
}

const connectOld: Connect = {
  overHttp: (url, fetch) => connectOldOver(new OldTransport(url, { fetch })),
  withSignIn: async (url, authProvider) => {
    const transport = new OldTransport(url, { authProvider: authProvider as OldProvider })
    return { ...(await connectOldOver(transport)), finishSignIn: (back) => transport.finishAuth(back.get('code') ?? '') }
  },
  overStdio: (program) => connectOldOver(new OldStdioTransport(program)),
}

const CONNECTS = {
  'client 2, by its default': connectNew({}),
  'client 2, pinned to 2026-07-28': connectNew({ versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  'client 1': connectOld,
} satisfies Record<string, Connect>

export type ClientKind = keyof typeof CONNECTS
export const CLIENT_KINDS = Object.keys(CONNECTS) as ClientKind[]

interface ConnectOptions {
  kind?: ClientKind
  token?: string
  /** Names of the lists of tools; without them it is the default list. */
  toolset?: string
  /** Gets the base address of the service that each message goes to. */
  onSent?: (base: string) => void
}

/** Connects a client to the service at `base`, or sends its messages to several services in turn. */
export const connectTools = async (base: string | readonly string[], options: ConnectOptions = {}): Promise<ToolClient> => {
  const { kind = 'client 2, pinned to 2026-07-28', toolset, onSent = () => undefined } = options
  let { token } = options
  const bases = typeof base === 'string' ? [base] : base
  const url = new URL(`${bases[0]}/mcp${toolset === undefined ? '' : `?toolset=${toolset}`}`)
  const overHttp = await CONNECTS[kind].overHttp(
    url,
    withToken(bases, () => token, onSent),
  )
  const connection = reading(overHttp)
  return {
    ...connection,
    useToken: (next) => {
      token = next
    },
  }
}

/** Connects a client to a program that it starts. The program has the token. */
export const connectProgram = (kind: ClientKind, program: ToolProgram): Promise<Connection> => CONNECTS[kind].overStdio(program)

/** Connects a client that knows the address of the service alone. */
export const connectSigning = (kind: ClientKind, base: string, provider: OAuthClientProvider): Promise<SigningClient> =>
  CONNECTS[kind].withSignIn(new URL(`${base}/mcp`), provider)
