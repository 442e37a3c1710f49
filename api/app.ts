import Koa from 'koa'
import { ServiceError } from '../schemas/errors.ts'
import type { OperationSpec } from '../schemas/operations/operation.ts'
import { operationList } from '../schemas/operations/registry.ts'
import type { ServiceDeps } from './deps.ts'
import type { HandlerMap } from './http/calls.ts'
import { compression } from './http/middleware/compression.ts'
import { cors } from './http/middleware/cors.ts'
import { closeWhileDraining, commonHeaders, requestId } from './http/middleware/headers.ts'
import { observe, observeRefused } from './http/middleware/metrics.ts'
import { problems } from './http/middleware/problems.ts'
import { traced } from './http/middleware/tracing.ts'
import { createRouter } from './http/router.ts'
import { REFUSED } from './http/server.ts'

/** The API as one Koa application. Stops for an operation without handler or authorisation. */
export const createApp = (deps: ServiceDeps, handlers: HandlerMap, operations: readonly OperationSpec[] = operationList): Koa => {
  const { settings, clock, logger } = deps
  const app = new Koa()
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A client that leaves a stream.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') logger.error({ err: error }, 'an answer could not be sent')
  })
  app.on(REFUSED, observeRefused(deps))
  app.use(requestId())
  app.use(traced(deps.settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined))
  app.use(observe(deps))
  app.use(closeWhileDraining(deps.draining))
  app.use(commonHeaders(clock))
  app.use(cors({ origins: settings.CORS_ORIGINS, maxAgeSeconds: settings.CORS_MAX_AGE_SECONDS }))
  app.use(problems(deps))
  app.use(compression())
  app.use(createRouter(operations, handlers, deps))
  return app
}

/**
 * Serves requests until the chain node has answered: `/health/live` is 200, every other path is 503 `service_starting`. The clock and
 * the local conveniences depend on which chain it is.
 */
export const createStartupApp = (deps: Pick<ServiceDeps, 'logger' | 'clock' | 'baseUrl'>): Koa => {
  const app = new Koa()
  app.use(requestId())
  app.use(commonHeaders(deps.clock))
  app.use(problems(deps))
  app.use((ctx) => {
    if (ctx.path !== '/health/live')
      throw new ServiceError('service_starting', {
        reason: 'chain_not_identified',
        detail: 'The service is starting and its chain does not answer yet.',
      })
    ctx.body = { live: true }
  })
  return app
}
