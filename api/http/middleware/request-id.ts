import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'

const PRINTABLE = /^[\x20-\x7e]{1,128}$/

/** Echoes a caller's request id of 1 to 128 printable characters, or makes one. On every answer except OPTIONS. */
export const requestId = (): Middleware => async (ctx, next) => {
  const sent = ctx.get('x-request-id')
  const id = PRINTABLE.test(sent) ? sent : randomUUID()
  ctx.state.requestId = id
  if (ctx.method !== 'OPTIONS') ctx.set('x-request-id', id)
  await next()
}
