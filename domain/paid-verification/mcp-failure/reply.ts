import { createEventStreamReader } from './event-stream.ts'

export type JsonObject = Record<string, unknown>

/** What a target answers to one message. */
export type Reply =
  | { kind: 'result'; status: number; result: JsonObject }
  /** `code` and `message` are null where the error lacks them; `idMatches`: it names the request, or null where its id was unreadable. */
  | { kind: 'error'; status: number; code: number | null; message: string | null; idMatches: boolean }
  /** No message of JSON-RPC that answers. */
  | { kind: 'none'; status: number }

/** A reply, or `unreadable`: JSON that breaks off, or a stream that ends before its answer. It shows nothing about the target's rules. */
export type ParsedReply = Reply | { kind: 'unreadable'; status: number }

export interface HttpAnswer {
  status: number
  contentType: string
  body: Uint8Array
}

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const parseMessage = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && value.jsonrpc === '2.0' ? value : null
  } catch {
    return null
  }
}

/** Whether a message answers a request. An error without id answers any: the target could not read the request. */
const isAnswer = (message: JsonObject, id: number | null): boolean =>
  'result' in message ? message.id === id : 'error' in message && (message.id === id || message.id === null || message.id === undefined)

/** Whether a text is a message of JSON-RPC that answers the request. */
export const isAnswerText = (text: string, id: number | null): boolean => {
  const message = parseMessage(text)
  return message !== null && isAnswer(message, id)
}

const isJsonText = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The answer to the request of this id, from JSON or an event stream. Other messages of a stream are skipped. */
export const parseReply = ({ status, contentType, body }: HttpAnswer, id: number | null): ParsedReply => {
  const isStream = /^text\/event-stream\b/i.test(contentType)
  const texts = isStream ? createEventStreamReader().read(body) : [new TextDecoder().decode(body)]
  const message = texts.map(parseMessage).find((one) => one !== null && isAnswer(one, id))
  if (message === undefined || message === null) {
    const isBroken = isStream || (/^application\/json\b/i.test(contentType) && body.length > 0 && !texts.every(isJsonText))
    return { kind: isBroken ? 'unreadable' : 'none', status }
  }
  if (isJsonObject(message.result)) return { kind: 'result', status, result: message.result }
  if (!('error' in message)) return { kind: 'none', status }
  const { code, message: text }: JsonObject = isJsonObject(message.error) ? message.error : {}
  return {
    kind: 'error',
    status,
    code: Number.isInteger(code) ? Number(code) : null,
    message: typeof text === 'string' ? text : null,
    idMatches: message.id === id || (id === null && message.id === undefined),
  }
}

/** A reply in few words, without text of the target. */
export const describeReply = (reply: Reply): string => {
  if (reply.kind === 'error') return `error ${reply.code ?? 'without a code'} (status ${reply.status})`
  return reply.kind === 'result' ? `a result (status ${reply.status})` : `status ${reply.status} without a message of JSON-RPC`
}
