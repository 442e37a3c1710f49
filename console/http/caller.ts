import { isIP } from 'node:net'
import type { Context } from 'koa'

/**
 * Address of who asks the console: that of the connection, or with trusted proxies the hop that many places from the right of
 * `X-Forwarded-For`. The API limits sign-ins by it.
 */
export const callerOf = (ctx: Context, trustedProxies: number): string | undefined => {
  const hops = ctx.get('x-forwarded-for').split(',')
  const named = trustedProxies === 0 ? '' : (hops.at(-trustedProxies) ?? '').trim()
  return isIP(named) === 0 ? ctx.req.socket.remoteAddress : named
}
