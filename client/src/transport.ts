import { describeMisfit, findMisfit } from './answers/shapes.ts'
import { ANSWERS, PROBLEM, SHAPES } from './generated/shapes.ts'
import { convertAmounts, isRecord, parseJson } from './json.ts'
import { ConnectionError, type ProblemDocument, ServiceProblem, UnexpectedAnswer } from './problems.ts'
import type { ServiceRequest } from './requests.ts'

/** What came of one attempt. `retryAfterSeconds` is the header of that name. */
export type Outcome =
  | { kind: 'answer'; status: number; body: unknown; retryAfterSeconds: number | undefined }
  | { kind: 'problem'; error: ServiceProblem; retryAfterSeconds: number | undefined }
  | { kind: 'unexpected'; error: UnexpectedAnswer; retryAfterSeconds: number | undefined }
  | Unreachable

type Unreachable = { kind: 'unreachable'; error: ConnectionError }

type Attempt = { token?: string | undefined; signal: AbortSignal | undefined }

const EXCERPT_CHARACTERS = 200

/** `Retry-After` in seconds; a date counts from now by the clock of the machine. */
const readRetryAfter = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after')?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - Date.now()) / 1_000))
}

/** Takes a token out of a text that is shown. */
const redact = (text: string, token: string | undefined): string =>
  token === undefined || token === '' ? text : text.replaceAll(token, '[token]')

const hostOf = ({ url }: ServiceRequest): string => new URL(url).host

/** What is odd in a parsed body; undefined where it is what it has to be. The body of a 202 that is no final answer is not checked. */
const findFault = ({ operation, row }: ServiceRequest, status: number, isAnswer: boolean, parsed: unknown): string | undefined => {
  if (parsed === undefined) return 'it is not JSON'
  const isPending = status === 202 && !row.statuses.includes(status)
  const shape = isAnswer ? (isPending ? undefined : ANSWERS[operation]) : PROBLEM
  const misfit = shape === undefined ? undefined : findMisfit(SHAPES, shape, parsed)
  return misfit && describeMisfit(misfit)
}

/** Reads a whole response into what it means for its request. */
const readResponse = async (request: ServiceRequest, response: Response, token: string | undefined): Promise<Outcome> => {
  const { row } = request
  const { status, headers } = response
  const contentType = headers.get('content-type') ?? ''
  const retryAfterSeconds = readRetryAfter(headers)
  const isJson = /\bjson\b/i.test(contentType)
  const isAnswer = (response.ok || row.statuses.includes(status)) && !contentType.includes('problem+json')
  const answer = (body: unknown): Outcome => ({ kind: 'answer', status, body, retryAfterSeconds })
  if (isAnswer && row.answers === 'bytes') return answer(new Uint8Array(await response.arrayBuffer()))
  const text = await response.text()
  if (isAnswer && row.answers !== undefined && !isJson) return answer(text)
  // An accepted message has no answer of its own.
  if (isAnswer && text === '' && status === 202 && row.statuses.includes(status)) return answer('')
  const parsed = isJson ? parseJson(text) : undefined
  const odd = findFault(request, status, isAnswer, parsed)
  if (odd === undefined && isAnswer) return answer(convertAmounts(parsed, row.amounts))
  if (odd === undefined && !response.ok)
    return { kind: 'problem', error: new ServiceProblem(request, parsed as ProblemDocument), retryAfterSeconds }
  const expected = response.ok ? 'no answer of the service' : 'no problem document of the service'
  const fault = `${hostOf(request)} gives ${expected}: ${redact(odd ?? 'it is a problem document', token)}`
  // An answer about tokens is not shown: it may hold one.
  const excerpt = row.path.startsWith('/auth/') ? '' : redact(text, token).slice(0, EXCERPT_CHARACTERS)
  return { kind: 'unexpected', error: new UnexpectedAnswer(request, { status, contentType, excerpt, fault }), retryAfterSeconds }
}

/** Message of an error with that of its cause, which says what happened to the connection. */
const describeFault = (error: unknown): string => {
  if (!isRecord(error)) return String(error)
  const { message, cause } = error
  const { message: inner, code } = isRecord(cause) ? cause : {}
  return [message, inner || code].filter((text) => typeof text === 'string' && text !== '').join(': ') || String(error)
}

/** Sends requests, each once. Rejects only with the reason of an aborted signal. */
export const createTransport = ({ fetch, timeoutMs }: { fetch: typeof globalThis.fetch; timeoutMs: number }) => {
  /** Runs a step under a time-out; `unreachable` when it fails. `close` ends the connection. */
  const guarded = async <Result>(
    request: ServiceRequest,
    { token, signal }: Attempt,
    step: (response: Response, close: () => void) => Promise<Result>,
  ): Promise<Result | Unreachable> => {
    signal?.throwIfAborted()
    const connection = new AbortController()
    const close = (): void => connection.abort()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      close()
    }, timeoutMs)
    try {
      const ended = signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal])
      const { url, method, body } = request
      const headers = { ...request.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      return await step(await fetch(url, { method, headers, signal: ended, ...(body !== undefined && { body }) }), close)
    } catch (error) {
      close()
      signal?.throwIfAborted()
      const fault = isLate ? `no whole answer within ${timeoutMs / 1_000} seconds` : describeFault(error)
      return { kind: 'unreachable', error: new ConnectionError(request, redact(fault, token), isLate ? undefined : { cause: error }) }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** Sends a request and reads its whole answer. */
    send: (request: ServiceRequest, attempt: Attempt): Promise<Outcome> =>
      guarded(request, attempt, (response) => readResponse(request, response, attempt.token)),

    /** Opens a stream of events; the time-out ends with the headers. `close` ends the connection. */
    open: (request: ServiceRequest, attempt: Attempt): Promise<Exclude<Outcome, { kind: 'answer' }> | OpenStream> =>
      guarded(request, attempt, async (response, close) => {
        const isStream = response.ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
        if (isStream && response.body !== null) return { kind: 'stream', chunks: response.body, close }
        const outcome = await readResponse(request, response, attempt.token)
        if (outcome.kind !== 'answer') return outcome
        const wrong = { status: 200, contentType: '', excerpt: '', fault: `${hostOf(request)} gives no stream of events` }
        return { kind: 'unexpected', error: new UnexpectedAnswer(request, wrong), retryAfterSeconds: undefined }
      }),
  }
}

export interface OpenStream {
  readonly kind: 'stream'
  readonly chunks: ReadableStream<Uint8Array>
  close(): void
}

export type Transport = ReturnType<typeof createTransport>
