import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { Logger } from 'pino'
import { isProblem } from '../../client/src/index.ts'
import type { View } from '../view.ts'

/** Readers without the operators' view of events learn of changes this often. */
const TICK_MS = 30_000

/**
 * Tells a page that something changed, by the event stream of the API: every event for an operator, those of one session or job for its page.
 * It says only that something changed; the page then asks for itself again.
 */
export const followEvents = (
  ctx: Context,
  { client, access, query }: View,
  { ending, logger }: { ending: AbortSignal; logger: Logger },
): void => {
  const out = new PassThrough()
  const closed = new AbortController()
  const signal = AbortSignal.any([closed.signal, ending])
  const seesAll = access.may('listAdminSessions')
  const { sessionId, jobId } = query
  const input = { scope: seesAll ? ('all' as const) : ('own' as const), ...(sessionId && { sessionId }), ...(jobId && { jobId }) }
  const send = (event: string): void => {
    if (!out.writableEnded) out.write(`event: ${event}\ndata: \n\n`)
  }
  const follow = async (): Promise<void> => {
    try {
      for await (const item of client.streamEvents(input, { signal })) if (item.kind === 'event' || item.kind === 'gap') send('changed')
    } catch (error) {
      // A token that another request has renewed ends its stream. The browser opens the next one with the new cookie, or learns that there is none.
      const isOver = signal.aborted || (isProblem(error) && error.status === 401)
      if (!isOver) {
        // An API that refuses the stream is not asked again at once.
        out.write(`retry: ${TICK_MS}\n\n`)
        logger.warn({ err: error }, 'the event stream of a page ended')
      }
    } finally {
      out.end()
    }
  }
  const tick = seesAll ? undefined : setInterval(() => send('changed'), TICK_MS)
  ctx.req.on('close', () => {
    clearInterval(tick)
    closed.abort()
  })
  ctx.set({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  ctx.status = 200
  ctx.body = out
  out.write('retry: 3000\n\n')
  void follow()
}
