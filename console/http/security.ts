import type { Middleware } from 'koa'

/** What a page may load: files of the console, and nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Sets the headers of every answer. Pages are kept by no cache: they hold what only their reader may see. */
export const secureHeaders: Middleware = async (ctx, next) => {
  ctx.set(HEADERS)
  ctx.set('cache-control', 'no-store')
  ctx.vary('Cookie')
  await next()
}

/**
 * Whether a form comes from a page of the console: its browser says `same-origin` (Fetch Metadata), or, if it says nothing, names the
 * origin. A request that says neither is refused, so that no other site posts with the cookie of a reader.
 */
export const isOwnForm = (headers: { site: string; origin: string }, url: string): boolean =>
  headers.site === '' ? headers.origin === new URL(url).origin : headers.site === 'same-origin'
