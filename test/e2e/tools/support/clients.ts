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

const answerOf = ({ isError = false, structuredContent, content }: RawResult): ToolAnswer => ({
  isError,
  body: structuredContent as Body,
  texts: (content as { type: string; text: string }[]).filter(({ type }) => type === 'text').map(({ text }) => text),
})

const jsonOf = ({ contents: [first] }: { contents: object[] }): Body => JSON.parse((first as { text: string }).text)
const textOf = ({ messages: [first] }: { messages: { content: unknown }[] }): string => (first?.content as { text: string }).text
const named = <Item>(items: Item[], name: (item: Item) => string): string[] => items.map(name)

/** A `fetch` that sends the current token. */
const withToken = (current: () => string | undefined) => {
  return (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const token = current()
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
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

/** Connects a client to the service at `base`. `toolset` names the lists of tools; without one it is the default list. */
export const connectTools = async (
  base: string,
  { kind = 'client 2, pinned to 2026-07-28', token, toolset }: { kind?: ClientKind; token?: string; toolset?: string } = {},
): Promise<ToolClient> => {
  let current = token
  const url = new URL(`${base}/mcp${toolset === undefined ? '' : `?toolset=${toolset}`}`)
  const connection = await CONNECTS[kind](url, withToken(() => current))
  return {
    ...connection,
    useToken: (next) => {
      current = next
    },
  }
}
