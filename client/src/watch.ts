import { ConnectionError, isProblem, UnexpectedAnswer } from './problems.ts'
import type { Failure } from './retries.ts'
import { type Frame, readFrames } from './sse.ts'
import { nextFrame, openEvents, readItem, type StreamDeps } from './streams.ts'
import { backoffMs, sleep } from './timing.ts'
import type { Input, WatchedState } from './types.ts'

/** Times of a watch, in milliseconds. */
export const WATCH_TIMES = {
  /** A read without an event: not every change of a session is one, and a connection can end without a sign. */
  idleMs: 30_000,
  /** Time for the first bytes of a stream; a proxy that holds them back holds back the events too. */
  firstBytesMs: 5_000,
  /** Time without any answer after which a watch gives up. */
  patienceMs: 300_000,
  /** Shortest time between two reads. */
  pauseMs: 1_000,
  /** Longest wait of a poll, in seconds. */
  waitSeconds: 25,
}

export type WatchTimes = Readonly<typeof WATCH_TIMES>

/** Failures of the stream, one after the other, after which a watch polls instead. */
const STREAM_FAILURES = 3

export interface WatchDeps extends StreamDeps {
  readonly getSession: (input: Input<'getSession'>, signal: AbortSignal | undefined) => Promise<WatchedState>
  readonly times: WatchTimes
}

const isTerminal = (state: WatchedState): boolean => 'lifecycle' in state && state.lifecycle.terminal

/** What a reader sees of a state. */
const fingerprint = (state: WatchedState): string => {
  if (!('lifecycle' in state)) return JSON.stringify([state.status, state.stage, state.txHash])
  const { status, chainState, waitingFor, disposition, disputeId, lifecycle } = state
  return JSON.stringify([status, chainState, waitingFor, disposition, disputeId, lifecycle.terminal])
}

const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof UnexpectedAnswer && error.status >= 500) || (isProblem(error) && error.retryable)

/** Whether the stream can be there in a moment: the service starts, or was not reached. A service with too many readers is polled. */
const isPassing = (failure: Failure): boolean =>
  failure.kind === 'unreachable' || (isOutage(failure.error) && !isProblem(failure.error, 'too_many_waits', 'rate_limited'))

type Wake = 'changed' | 'idle' | 'ended' | 'unusable'

/** Waits on a stream until it reports something, the time is over, it ends, or it sends what no event is. */
const createListener = (frames: AsyncGenerator<Frame, void, undefined>, signal: AbortSignal | undefined) => {
  let pending: Promise<Frame | 'ended' | 'unusable'> | undefined
  let lastEventId: string | undefined
  const receive = async (): Promise<Frame | 'ended' | 'unusable'> => {
    try {
      return (await nextFrame(frames, signal)) ?? 'ended'
    } catch (error) {
      if (error instanceof UnexpectedAnswer) return 'unusable'
      throw error
    }
  }
  const next = async (milliseconds: number): Promise<Frame | Exclude<Wake, 'changed'>> => {
    pending ??= receive()
    const timer = new AbortController()
    const idle = sleep(milliseconds, timer.signal).then(() => 'idle' as const)
    idle.catch(() => undefined)
    try {
      const first = await Promise.race([pending, idle])
      if (first !== 'idle') pending = undefined
      return first
    } finally {
      timer.abort()
    }
  }
  return {
    get lastEventId(): string | undefined {
      return lastEventId
    },
    /** Whether the first bytes come, end before they do, or do not come in time. */
    begin: async (milliseconds: number): Promise<Wake> => {
      const first = await next(milliseconds)
      return typeof first === 'string' ? first : 'changed'
    },
    wake: async (milliseconds: number): Promise<Wake> => {
      for (const endAt = performance.now() + milliseconds; ; ) {
        const frame = await next(Math.max(0, endAt - performance.now()))
        if (typeof frame === 'string') return frame
        const item = readItem(frame)
        if (item?.kind === 'auth_expired') return 'ended'
        if (item?.kind === 'event') lastEventId = item.event.id
        if (item !== undefined) return 'changed'
      }
    },
  }
}

/** States of a session until the terminal one: woken by its events, or by long polls where no stream comes through. */
export async function* watchSession(
  deps: WatchDeps,
  sessionId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchedState, void, undefined> {
  const { times } = deps
  let shown: string | undefined
  let lastEventId: string | undefined
  let streamFailures = 0

  /** Reads through outages: a service that restarts ends no watch. */
  const read = async (waitSeconds?: number): Promise<WatchedState> => {
    for (let failures = 0, beganAt = performance.now(); ; failures += 1) {
      try {
        return await deps.getSession({ sessionId, waitSeconds }, signal)
      } catch (error) {
        signal?.throwIfAborted()
        // Too many waits are open: a read without a wait is answered.
        if (waitSeconds !== undefined && isProblem(error, 'too_many_waits')) return await read()
        if (!isOutage(error) || performance.now() - beganAt > times.patienceMs) throw error
        await sleep(backoffMs(failures), signal)
      }
    }
  }

  const isNew = (state: WatchedState): boolean => {
    const print = fingerprint(state)
    if (print === shown) return false
    shown = print
    return true
  }

  /** Yields what the events of one connection lead to; returns whether the session has ended. */
  async function* follow(): AsyncGenerator<WatchedState, boolean, undefined> {
    const opened = await openEvents(deps, { sessionId, limit: 1 }, lastEventId, signal).catch((error: unknown) => {
      signal?.throwIfAborted()
      if (!isOutage(error)) throw error
      return { kind: 'no_token' } as const
    })
    if (opened.kind !== 'stream') {
      streamFailures = opened.kind === 'no_token' || isPassing(opened) ? streamFailures + 1 : STREAM_FAILURES
      return false
    }
    try {
      const listener = createListener(readFrames(opened.chunks), signal)
      const beginning = await listener.begin(times.firstBytesMs)
      if (beginning !== 'changed') {
        streamFailures = beginning === 'ended' ? streamFailures + 1 : STREAM_FAILURES
        return false
      }
      streamFailures = 0
      // What changed before the stream was open is in this read, what changes later is in its events.
      let wake: Wake = 'changed'
      for (; wake === 'changed' || wake === 'idle'; wake = await listener.wake(times.idleMs)) {
        lastEventId = listener.lastEventId ?? lastEventId
        const state = await read()
        if (isNew(state)) yield state
        if (isTerminal(state)) return true
      }
      if (wake === 'unusable') streamFailures = STREAM_FAILURES
      return false
    } finally {
      opened.close()
    }
  }

  for (let waitSeconds: number | undefined; ; ) {
    const beganAt = performance.now()
    const state = await read(waitSeconds)
    const wasNew = isNew(state)
    if (wasNew) yield state
    if (isTerminal(state)) return
    if (streamFailures < STREAM_FAILURES) {
      if (yield* follow()) return
      if (streamFailures < STREAM_FAILURES) await sleep(times.pauseMs * (1 + Math.random()), signal)
    } else {
      // A service that does not hold the answer is not asked without a pause.
      if (!wasNew && waitSeconds !== undefined) await sleep(Math.max(0, times.pauseMs - (performance.now() - beganAt)), signal)
      waitSeconds = times.waitSeconds
    }
  }
}
