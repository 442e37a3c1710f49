import { isObject, isRecord, parseJson } from '../../src/json.ts'
import { readFrames } from '../../src/sse.ts'
import { untilAborted } from '../../src/timing.ts'
import { notSignedIn, unreachable } from '../failures.ts'
import { asLine, errorLine, findProblemIn, type Message, protocolHeaders, RPC } from './messages.ts'
import { type BridgeTokens, isTokenRefusal, type Refusal } from './tokens.ts'

export interface ForwardDeps {
  /** Address of the endpoint of the protocol. */
  url: string
  tokens: BridgeTokens
  /** Writes one message to the client. */
  write: (line: string) => void
  note: (text: string) => void
  /** Waits until the client has read what was written: one that gets a note together with its result drops the note. */
  pause: () => Promise<void>
}

/** Longest message of the service, in characters. */
const MESSAGE_CHARACTERS = 16_000_000

const UNAUTHORISED = 401
const ADDRESS = 'Its address comes from --base-url, AGENT_WORK_URL or the stack of this checkout.'
const ARRIVED =
  'The message may have arrived: look at what it was to change before you send it again. A repeated claim or submission has no second effect.'

const describeFault = (error: unknown): string => {
  const { message, cause } = isRecord(error) ? error : {}
  const { message: inner, code } = isRecord(cause) ? cause : {}
  return [message, inner || code].filter((text) => typeof text === 'string' && text !== '').join(': ') || String(error)
}

/** Sends messages to the service, each in a request of its own, and writes their answers. Throws where a request gets none. */
export const createForwarder = ({ url, tokens, write, note, pause }: ForwardDeps) => {
  /** Revision that a client of 2025 agreed on with the service. */
  let negotiated: string | undefined

  const send = async (message: Message, token: string, signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(url, {
        method: 'POST',
        // Another address must not get the token.
        redirect: 'error',
        headers: {
          ...protocolHeaders(message, negotiated),
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: message.text,
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      throw unreachable(`The service cannot be reached: ${describeFault(error)}.`, ADDRESS, 'The next message tries again.')
    }
  }

  const readWhole = async (response: Response, signal: AbortSignal): Promise<string> => {
    try {
      return await response.text()
    } catch (error) {
      signal.throwIfAborted()
      throw unreachable(`The answer of the service broke off: ${describeFault(error)}.`, ARRIVED)
    }
  }

  const noteRevision = ({ method }: Message, { result }: Readonly<Record<string, unknown>>): void => {
    if (method === 'initialize' && isObject(result) && typeof result.protocolVersion === 'string') negotiated = result.protocolVersion
  }

  /** Writes the messages of a stream as they come; the last one is the answer. */
  const relayStream = async (message: Message, chunks: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> => {
    let hasNotes = false
    let isAnswered = false
    try {
      for await (const { data = '' } of readFrames(chunks, MESSAGE_CHARACTERS)) {
        const parsed = parseJson(data)
        if (!isObject(parsed)) continue
        const isAnswer = !('method' in parsed)
        if (isAnswer && hasNotes) await pause()
        signal.throwIfAborted()
        if (isAnswer) noteRevision(message, parsed)
        write(asLine(data))
        hasNotes ||= !isAnswer
        isAnswered ||= isAnswer
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!isAnswered) throw unreachable(`The answer of the service broke off: ${describeFault(error)}.`, ARRIVED)
    }
    if (!isAnswered && message.id !== undefined) throw unreachable('The answer of the service ended without a result.', ARRIVED)
  }

  /** Writes an answer that came as a whole. */
  const relay = (message: Message, { status, headers }: Response, text: string, parsed: unknown): void => {
    const { id } = message
    if (id === undefined) {
      if (status >= 400) note(`The service answered ${status} to a message without an answer.`)
      return
    }
    const answer = isObject(parsed) ? parsed : {}
    noteRevision(message, answer)
    const problem = findProblemIn(parsed)
    if (answer.id === id && ('result' in answer || 'error' in answer)) write(asLine(text))
    // A message that the service could not read is refused without its id.
    else if (isObject(answer.error)) write(JSON.stringify({ jsonrpc: '2.0', id, error: answer.error }))
    else if (problem !== undefined)
      write(errorLine(id, { code: RPC.failed, message: `${problem.title ?? 'Refused'}: ${problem.detail ?? status}`, data: problem }))
    else
      throw unreachable(`What answers is not the service: status ${status}, ${headers.get('content-type') ?? 'no content type'}.`, ADDRESS)
  }

  const findRefusal = (status: number, parsed: unknown): Refusal | undefined => {
    const problem = findProblemIn(parsed)
    if (problem !== undefined) return isTokenRefusal(problem) ? problem : undefined
    return status === UNAUTHORISED ? {} : undefined
  }

  return async (message: Message, signal: AbortSignal): Promise<void> => {
    let token = await untilAborted(tokens.current(), signal)
    for (let isRepeated = false; ; isRepeated = true) {
      const response = await send(message, token, signal)
      const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
      if (isStream && response.ok && response.body !== null) return relayStream(message, response.body, signal)
      const text = await readWhole(response, signal)
      const parsed = parseJson(text)
      const refusal = findRefusal(response.status, parsed)
      if (refusal === undefined) return relay(message, response, text, parsed)
      if (isRepeated)
        throw notSignedIn('The service refuses the new token of this program, too.', `It says: ${refusal.detail ?? 'nothing'}`)
      token = await untilAborted(tokens.replace(token, refusal), signal)
    }
  }
}
export type Forward = ReturnType<typeof createForwarder>
