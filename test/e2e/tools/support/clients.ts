// The official clients of the protocol, in both of its eras, behind one interface.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
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
}

/** A tool as the client reads it. */
export interface ListedTool {
  name: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown> | undefined
}

export interface ToolClient {
  listTools(): Promise<ListedTool[]>
  callTool(name: string, sent?: Arguments): Promise<ToolAnswer>
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
}

const answerOf = ({ isError = false, structuredContent, content }: RawResult): ToolAnswer => {
  const blocks = content as { type: string; text: string; uri: string }[]
  return {
    isError,
    body: structuredContent as Body,
    texts: blocks.filter(({ type }) => type === 'text').map(({ text }) => text),
    links: blocks.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri),
  }
}

const jsonOf = ({ contents: [first] }: { contents: object[] }): Body => JSON.parse((first as { text: string }).text)
const textOf = ({ messages }: { messages: { content: unknown }[] }): string =>
  messages.map(({ content }) => (content as { text: string }).text).join('\n')
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

type Connection = Omit<ToolClient, 'useToken'>
type Connect = (url: URL, fetch: ReturnType<typeof withToken>) => Promise<Connection>

const INFO = { name: 'test', version: '1.0.0' }

const connectNew =
  (options: ClientOptions): Connect =>
  async (url, fetch) => {
    const client = new Client(INFO, options)
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }))
    return {
      listTools: async () => (await client.listTools()).tools,
      callTool: async (name, sent) => answerOf(await client.callTool({ name, ...(sent && { arguments: sent }) })),
      readResource: async (uri) => jsonOf(await client.readResource({ uri })),
      listResourceTemplates: async () => named((await client.listResourceTemplates()).resourceTemplates, ({ uriTemplate }) => uriTemplate),
      listPrompts: async () => named((await client.listPrompts()).prompts, ({ name }) => name),
      getPrompt: async (name, sent) => textOf(await client.getPrompt({ name, ...(sent && { arguments: sent }) })),
      close: () => client.close(),
    }
  }

const connectOld: Connect = async (url, fetch) => {
  const client = new OldClient(INFO)
  // The old line declares its transport without exact optional members.
  await client.connect(new OldTransport(url, { fetch }) as Parameters<typeof client.connect>[0])
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, sent) => answerOf((await client.callTool({ name, ...(sent && { arguments: sent }) })) as RawResult),
    readResource: async (uri) => jsonOf(await client.readResource({ uri })),
    listResourceTemplates: async () => named((await client.listResourceTemplates()).resourceTemplates, ({ uriTemplate }) => uriTemplate),
    listPrompts: async () => named((await client.listPrompts()).prompts, ({ name }) => name),
    getPrompt: async (name, sent) => textOf(await client.getPrompt({ name, ...(sent && { arguments: sent }) })),
    close: () => client.close(),
  }
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
  const connection = await CONNECTS[kind](
    url,
    withToken(bases, () => token, onSent),
  )
  return {
    ...connection,
    useToken: (next) => {
      token = next
    },
  }
}
