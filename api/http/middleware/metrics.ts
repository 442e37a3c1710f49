import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Metrics } from '../../observability/metrics.ts'
import type { Refused } from '../wire-refusals.ts'

interface ObserveDeps {
  metrics: Metrics
  logger: Logger
}

/** Methods a label may show; anything else is `other`, so that callers cannot grow the series. */
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']

/** One log line and the series of a request. No query string is logged, so no `?token=` either. */
export const observe =
  ({ metrics, logger }: ObserveDeps): Middleware =>
  async (ctx, next) => {
    const started = performance.now()
    await next()
    const seconds = (performance.now() - started) / 1000
    const method = METHODS.includes(ctx.method) ? ctx.method : 'other'
    const path = (ctx.state.template as string | undefined) ?? 'other'
    metrics.requests.inc({ method, path, status: String(ctx.status) })
    metrics.duration.observe({ method, path }, seconds)
    if (ctx.status === 401) metrics.authFailures.inc({ code: String(ctx.state.code) })
    logger.info(
      {
        method,
        path,
        status: ctx.status,
        ms: Math.round(seconds * 1000),
        requestId: ctx.state.requestId,
        ...(ctx.state.subject !== undefined && { subject: ctx.state.subject }),
        ...(ctx.state.code !== undefined && { code: ctx.state.code }),
      },
      'request',
    )
  }

/** Log line and count of an answer that the server gave in place of the application. */
export const observeRefused =
  ({ metrics, logger }: ObserveDeps) =>
  ({ status, ...refused }: Refused): void => {
    const labels = { method: 'other', path: 'other' }
    metrics.requests.inc({ ...labels, status: String(status) })
    logger.info({ ...labels, status, ...refused }, 'request')
  }
