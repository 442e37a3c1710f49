import type { Middleware } from 'koa'
import type { Clock } from '../../../activities/common/clock.ts'

/** Headers of every answer; `Date` is the service clock, which a local run may move. */
export const commonHeaders =
  (clock: Clock): Middleware =>
  async (ctx, next) => {
    ctx.set('date', new Date(clock.now()).toUTCString())
    ctx.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
    ctx.set('x-content-type-options', 'nosniff')
    ctx.set('content-security-policy', "frame-ancestors 'none'")
    await next()
  }
