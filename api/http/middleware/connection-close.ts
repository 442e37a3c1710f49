import type { Middleware } from 'koa'

/** While the process drains, each answer is the last of its connection: the caller's next request goes to another process. */
export const lastAnswer =
  (draining: AbortSignal): Middleware =>
  async (ctx, next) => {
    await next()
    if (draining.aborted) ctx.set('connection', 'close')
  }
