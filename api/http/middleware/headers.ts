import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Clock } from '../../../activities/common/clock.ts'

/**
 * Headers of every answer; `Date` is the service clock, which a local run may move. Search engines list no private answer, and no page learns
 * its address, which can be its key; that of any other page stays with this service.
 */
export const commonHeaders =
  (clock: Clock): Middleware =>
  async (ctx, next) => {
    ctx.set('date', new Date(clock.now()).toUTCString())
    ctx.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
    ctx.set('x-content-type-options', 'nosniff')
    ctx.set('content-security-policy', "frame-ancestors 'none'")
    ctx.set('referrer-policy', 'same-origin')
    await next()
    if (ctx.response.get('cache-control')?.startsWith('private') !== true) return
    ctx.set('referrer-policy', 'no-referrer')
    ctx.set('x-robots-tag', 'noindex, nofollow')
  }

const PRINTABLE = /^[\x20-\x7e]{1,128}$/

/** Echoes a caller's request id of 1 to 128 printable characters, or makes one. On every answer except OPTIONS. */
export const requestId = (): Middleware => async (ctx, next) => {
  const sent = ctx.get('x-request-id')
  const id = PRINTABLE.test(sent) ? sent : randomUUID()
  ctx.state.requestId = id
  if (ctx.method !== 'OPTIONS') ctx.set('x-request-id', id)
  await next()
}

/** Closes each connection after its answer while the process drains: the caller's next request goes to another process. */
export const closeWhileDraining =
  (draining: AbortSignal): Middleware =>
  async (ctx, next) => {
    await next()
    if (draining.aborted) ctx.set('connection', 'close')
  }
