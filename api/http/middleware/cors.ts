import type { Middleware } from 'koa'

const ALLOW_METHODS = 'GET, HEAD, POST, OPTIONS'
const ALLOW_HEADERS = [
  'authorization',
  'baggage',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'payment-signature',
  'sign-in-with-x',
  'traceparent',
  'tracestate',
  'verification-payment',
  'verification-target-authorization',
  'x-payment',
  'x-request-id',
].join(', ')
const EXPOSE_HEADERS = [
  'etag',
  'idempotent-replayed',
  'mcp-protocol-version',
  'mcp-session-id',
  'payment-required',
  'payment-response',
  'retry-after',
  'www-authenticate',
  'x-payment-required',
  'x-payment-response',
  'x-request-id',
].join(', ')

export interface CorsRules {
  /** Allowed origins; `*` allows every one. Empty: no CORS headers at all. */
  origins: readonly string[]
  maxAgeSeconds: number
}

/** CORS headers for allowed origins. Credentials are never allowed: no route uses cookies. */
export const cors =
  ({ origins, maxAgeSeconds }: CorsRules): Middleware =>
  async (ctx, next) => {
    const origin = ctx.get('origin')
    if (origins.length > 0) ctx.vary('Origin')
    if (origin !== '' && (origins.includes('*') || origins.includes(origin))) {
      ctx.set('access-control-allow-origin', origin)
      ctx.set('access-control-expose-headers', EXPOSE_HEADERS)
      if (ctx.method === 'OPTIONS') {
        ctx.set('access-control-allow-methods', ALLOW_METHODS)
        ctx.set('access-control-allow-headers', ALLOW_HEADERS)
        ctx.set('access-control-max-age', String(maxAgeSeconds))
      }
    }
    await next()
  }
