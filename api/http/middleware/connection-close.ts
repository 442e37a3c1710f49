import type { Middleware } from 'koa'

/** Closes each connection after its answer while the process drains: the caller's next request goes to another process. */
export const closeWhileDraining =
  (draining: AbortSignal): Middleware =>
  async (ctx, next) => {
    await next()
    if (draining.aborted) ctx.set('connection', 'close')
  }
