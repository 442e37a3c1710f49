// Messages of the Model Context Protocol, as far as the bridge reads them: JSON-RPC 2.0, one message a line.
import { isObject, parseJson } from '../../src/json.ts'
import type { LocalProblem } from '../failures.ts'

export type MessageId = string | number

/** A message of a client: its text, which is sent as it is, and what the bridge reads of it. */
export interface Message {
  text: string
  /** Present for a request, which has an answer. */
  id?: MessageId
  method?: string
  params: Readonly<Record<string, unknown>>
}

/** Codes of JSON-RPC. */
export const RPC = { notJson: -32_700, notAMessage: -32_600, failed: -32_000 } as const

const findId = (id: unknown): MessageId | undefined => (typeof id === 'string' || typeof id === 'number' ? id : undefined)

/** Parses a line. Returns what is wrong with it where it is no single message. */
export const parseMessage = (text: string | undefined): Message | { code: number; fault: string } => {
  const parsed = text === undefined ? undefined : parseJson(text)
  if (text === undefined || parsed === undefined) return { code: RPC.notJson, fault: 'The line is not JSON in UTF-8, or is too long.' }
  if (Array.isArray(parsed)) return { code: RPC.notAMessage, fault: 'Send one message at a time.' }
  if (!isObject(parsed)) return { code: RPC.notAMessage, fault: 'A message is an object.' }
  const { method, params } = parsed
  const id = findId(parsed.id)
  return {
    text,
    ...(typeof method === 'string' && { method }),
    ...(typeof method === 'string' && id !== undefined && { id }),
    params: isObject(params) ? params : {},
  }
}

/** Line of an error that answers a message; `id` is null where the message has none that can be read. */
export const errorLine = (id: MessageId | null, error: { code: number; message: string; data?: unknown }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error })

/** Line of an error of the bridge itself, in plain words: what happened, and what helps. */
export const failureLine = (id: MessageId | null, { title, detail, code, advice = [] }: LocalProblem): string =>
  errorLine(id, { code: RPC.failed, message: [detail, ...advice].join(' '), data: { title, detail, code, advice } })

/** A message as one line: JSON has line ends between its parts only. */
export const asLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ')

const REVISION = 'io.modelcontextprotocol/protocolVersion'

/** Parameter that `Mcp-Name` repeats, by method. Source: Streamable HTTP of the revision 2026-07-28, "Standard Request Headers". */
const NAMES = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/** A text as the value of a header: printable ASCII as it is, anything else in Base64. Source: the same, "Value Encoding". */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** Headers that the protocol derives from a message. `negotiated` is the revision that a client of 2025 agreed on with the service. */
export const protocolHeaders = ({ id, method, params }: Message, negotiated: string | undefined): Record<string, string> => {
  const meta = isObject(params._meta) ? params._meta : {}
  const revision = meta[REVISION]
  if (method === undefined || id === undefined || typeof revision !== 'string')
    return negotiated === undefined ? {} : { 'mcp-protocol-version': negotiated }
  const name = params[NAMES.get(method) ?? '']
  return {
    'mcp-protocol-version': headerValue(revision),
    'mcp-method': headerValue(method),
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  }
}

/** Problem document of an answer: that of a refused tool, of a resource that cannot be read, or of the whole message. */
export const findProblemIn = (answer: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isObject(answer)) return undefined
  const { result, error } = answer
  const content = isObject(result) && result.isError === true ? result.structuredContent : undefined
  const data = isObject(error) ? error.data : undefined
  return [content, data, answer].find((one): one is Record<string, unknown> => isObject(one) && typeof one.status === 'number')
}
