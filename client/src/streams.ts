import { findToken, type TokenSource } from './calls.ts'
import { type Event, OPERATIONS, type StreamItem } from './generated/operations.ts'
import { isRecord, parseJson } from './json.ts'
import { UnexpectedAnswer } from './problems.ts'
import { buildRequest } from './requests.ts'
import { type Failure, retryDelayMs } from './retries.ts'
import { type Frame, FrameTooLong, readFrames } from './sse.ts'
import { sleep, untilAborted } from './timing.ts'
import type { OpenStream, Transport } from './transport.ts'

export interface StreamDeps {
  readonly baseUrl: string
  readonly transport: Transport
  readonly tokens: TokenSource
  readonly maxRetries: number
}

/** Shortest wait before a stream that ended is opened again. */
const REOPEN_MS = 1_000

/** Opens one connection to the stream of events; renews a refused token once. */
export const openEvents = async (
  { baseUrl, transport, tokens }: StreamDeps,
  input: object,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenStream | Failure> => {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const request = buildRequest('streamEvents', input, baseUrl, { headers })
  for (let isRenewed = false; ; isRenewed = true) {
    const token = await findToken(request, { signal }, tokens)
    const opened = await transport.open(request, { token, signal })
    const isRefused = opened.kind === 'problem' && opened.error.status === 401
    if (!isRefused || isRenewed || token === undefined || !tokens.canSignIn) return opened
    tokens.drop(token)
  }
}

const isEvent = (data: Record<string, unknown>): data is Record<string, unknown> & Event =>
  data.type === 'event_bus' && typeof data.id === 'string' && typeof data.topic === 'string'

/** What a frame says; undefined for a frame that says nothing to a reader of events. */
export const readItem = ({ event, data: text = '' }: Frame): StreamItem | { kind: 'auth_expired' } | undefined => {
  if (event === 'auth_expired') return { kind: 'auth_expired' }
  const data = parseJson(text)
  if (!isRecord(data)) return undefined
  if (event === 'gap') return { kind: 'gap', lastDelivered: String(data.lastDelivered) }
  return isEvent(data) ? { kind: 'event', event: data } : undefined
}

/**
 * The next frame; undefined when the connection ended or broke. Rejects with the reason of the signal, or with `UnexpectedAnswer` when the
 * stream sends what no event is.
 */
export const nextFrame = async (
  frames: AsyncGenerator<Frame, void, undefined>,
  signal: AbortSignal | undefined,
): Promise<Frame | undefined> => {
  try {
    const { value, done } = await untilAborted(frames.next(), signal)
    return done ? undefined : value
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof FrameTooLong)) return undefined
    const { method, path } = OPERATIONS.streamEvents
    const answer = { status: 200, contentType: 'text/event-stream', excerpt: '', fault: error.message }
    throw new UnexpectedAnswer({ operation: 'streamEvents', method, path }, answer)
  }
}

/** Events as they happen. A connection that ends is opened again after the last event, so that none is lost and none comes twice. */
export async function* streamEvents(
  deps: StreamDeps,
  { lastEventId: first, ...input }: { lastEventId?: string | bigint | undefined },
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamItem, void, undefined> {
  let lastEventId = first === undefined ? undefined : String(first)
  let failures = 0

  /** Waits until the stream can be opened again. Throws a failure that a repeat does not cure. */
  const pause = async (failure: Failure): Promise<void> => {
    const delay = failures < deps.maxRetries ? retryDelayMs({ isRepeatable: true }, failure, failures) : null
    if (delay === null) throw failure.error
    failures += 1
    await sleep(delay, signal)
  }

  for (;;) {
    signal?.throwIfAborted()
    const opened = await openEvents(deps, input, lastEventId, signal)
    if (opened.kind !== 'stream') {
      await pause(opened)
      continue
    }
    failures = 0
    const frames = readFrames(opened.chunks)
    try {
      for (let frame = await nextFrame(frames, signal); frame !== undefined; frame = await nextFrame(frames, signal)) {
        const item = readItem(frame)
        if (item?.kind === 'auth_expired') break
        if (item?.kind === 'event') lastEventId = item.event.id
        if (item !== undefined) yield item
      }
    } finally {
      opened.close()
    }
    await sleep(REOPEN_MS * (1 + Math.random()), signal)
  }
}
