import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import { ERRORS, type ServiceError } from '../../../schemas/errors.ts'
import { acceptedTypes, markAsPage, prefersPage } from '../answers.ts'
import { problemPage } from '../pages/problem-page.ts'
import { problemOf, serviceErrorOf } from '../problem.ts'

const PROBLEM = 'application/problem+json'

/** Whether a refusal is one of a token: RFC 6750 names no error where none was sent. A stream takes its token from the query. */
const isTokenPresented = (ctx: Context): boolean => /^Bearer /i.test(ctx.get('authorization')) || ctx.query.token !== undefined

/** Whether a browser opened an address, or sent the form of a page. */
const isOfBrowser = (ctx: Context): boolean =>
  (['GET', 'HEAD'].includes(ctx.method) || Boolean(ctx.is('application/x-www-form-urlencoded'))) &&
  acceptedTypes(ctx).names('text/html') &&
  prefersPage(ctx, [PROBLEM, 'application/json'])

const answer = (ctx: Context, error: ServiceError, baseUrl: string): void => {
  const problem = problemOf(error, baseUrl, ctx.state.requestId)
  ctx.status = problem.status
  if (error.info.headers !== undefined) ctx.set(error.info.headers)
  // Clients of streams and tools that take any text are no browsers.
  const asPage = isOfBrowser(ctx)
  ctx.body = asPage ? problemPage(problem, { isForm: ctx.method === 'POST' }) : JSON.stringify(problem)
  if (asPage) markAsPage(ctx)
  else ctx.set('content-type', PROBLEM)
  ctx.set('cache-control', 'private, no-store')
  for (const header of ['etag', 'content-encoding']) ctx.remove(header)
  if (problem.retryAfterSeconds !== undefined) ctx.set('retry-after', String(problem.retryAfterSeconds))
  // The rest of a body that is too large is never read, so the connection cannot carry another request.
  if (problem.status === 413) ctx.set('connection', 'close')
  if (problem.status === 401) ctx.set('www-authenticate', isTokenPresented(ctx) ? 'Bearer error="invalid_token"' : 'Bearer')
  const allow = error.info.details?.allow
  if (problem.status === 405 && Array.isArray(allow)) ctx.set('allow', allow.join(', '))
  ctx.state.code = problem.code
}

/** Turns every failure into a problem document; an unknown error becomes `internal_error` and is logged. */
export const problems =
  ({ baseUrl, logger }: { baseUrl: string; logger: Logger }): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const error = serviceErrorOf(thrown)
      if (ERRORS[error.code].status >= 500)
        logger.error({ err: error.cause ?? error, code: error.code, requestId: ctx.state.requestId }, 'request failed')
      answer(ctx, error, baseUrl)
    }
  }
