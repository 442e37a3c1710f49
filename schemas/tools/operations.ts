import { z } from 'zod'
import { operation, PUBLIC, TOOLSETS } from '../operations/operation.ts'
import { literal, OpenObject, shape } from '../operations/values.ts'
import { RPC_ID_CHARACTERS } from './record.ts'

const endpoint = { tags: ['Tools'], auth: PUBLIC } as const

/** Largest message. Source: http, "Tool surface". */
const MESSAGE_BYTES = 65_536

const NAMES = TOOLSETS.join('|')

/** Names of tool lists, separated by commas; `all` is every one. */
const ToolsetQuery = z
  .string()
  .regex(new RegExp(`^(all|(${NAMES})(,(${NAMES})){0,${TOOLSETS.length - 1}})$`), {
    error: `must be all, or some of ${TOOLSETS.join(', ')}, separated by commas`,
  })
  .transform((text) => TOOLSETS.filter((name) => text === 'all' || text.split(',').includes(name)))
  .default(['worker'])
  .meta({ examples: ['worker,savings'] })

export const getMcpInfo = operation('getMcpInfo', 'GET /mcp', {
  summary: 'How to connect a client of the Model Context Protocol.',
  description: 'A client that asks for an event stream gets 405: the service opens none.',
  ...endpoint,
  responses: {
    200: z.object({
      name: z.string(),
      description: z.string(),
      type: literal('mcp_protocol_endpoint'),
      transport: literal('streamable_http'),
      protocolVersions: z.array(z.string()).describe('Revisions of the protocol that the service speaks, newest first.'),
      connect: z.object({ url: z.url() }),
      install: OpenObject.describe('Entry for the configuration file of a client.'),
      toolsets: z
        .array(z.object({ name: z.enum(TOOLSETS), url: z.url(), tools: z.array(z.string()) }))
        .describe('Lists of tools, each with the address that shows it.'),
      plainHttpAlternative: z.url().describe('OpenAPI document of the same functions.'),
    }),
  },
  errors: ['method_not_allowed'],
  cache: 'public, max-age=300',
})

const RpcId = z.union([z.string().max(RPC_ID_CHARACTERS), z.int(), z.null()]).describe('Id of the request that is answered.')
const version = { jsonrpc: literal('2.0') }

/** Source: the protocol's schema of a request and of a notification. */
const RpcMessage = z.strictObject({
  ...version,
  id: z.union([z.string(), z.int()]).optional().describe('Absent for a notification, which is answered 202.'),
  method: z.string(),
  params: z.looseObject({ _meta: OpenObject.optional() }).optional(),
})
const RpcResult = shape('JsonRpcResult', 'Result of a message (JSON-RPC 2.0).', { ...version, id: RpcId, result: OpenObject })
const RpcError = shape('JsonRpcError', 'Refusal of a message (JSON-RPC 2.0).', {
  ...version,
  id: RpcId.optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
})

export const sendMcpMessage = operation('sendMcpMessage', 'POST /mcp', {
  isResource: true,
  summary: 'One message of the Model Context Protocol, in the revisions of 2025 and 2026.',
  description:
    'Each request is answered by itself, with JSON, by any process. A tool that is refused answers 200 with `isError: true` and the problem document of its operation; without an accepted token where one is needed the same answer is 401, and `WWW-Authenticate` leads to the sign-in by OAuth.',
  ...endpoint,
  query: z.object({ toolset: ToolsetQuery.describe('`all`, or names of tool lists, separated by commas.') }),
  rawBody: {
    limitBytes: MESSAGE_BYTES,
    shape: RpcMessage,
    headers: {},
    optionalHeaders: {
      host: 'Name of this service; any other is refused.',
      origin: 'Page that sends the message; an unknown one is refused.',
      accept: 'Both `application/json` and `text/event-stream`, or none.',
      'content-type': 'Must be `application/json`.',
      'mcp-protocol-version': 'Revision of the protocol that the client speaks.',
      'mcp-method': 'Method of the message; needed from the revision 2026-07-28 on.',
      'mcp-name': 'Name of the tool or prompt, or address of the resource; needed from the revision 2026-07-28 on.',
    },
  },
  responses: {
    200: z.union([RpcResult, RpcError]),
    202: literal(''),
    400: RpcError,
    401: z.union([RpcResult, RpcError]),
    403: RpcError,
    404: RpcError,
    406: RpcError,
    415: RpcError,
    500: RpcError,
  },
  errors: ['rate_limited'],
  examples: {
    query: { toolset: 'worker' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getPlatformCapabilities', arguments: {} } },
    responses: {
      200: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{…}' }], structuredContent: { what: '…' } } },
      202: '',
    },
  },
})
