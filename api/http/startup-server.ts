import Koa from 'koa'
import type { Logger } from 'pino'
import type { Clock } from '../../activities/common/clock.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { commonHeaders, requestId } from './middleware/headers.ts'
import { problems } from './middleware/problems.ts'

/**
 * Serves requests until the chain node has answered: `/health/live` is 200, every other path is 503 `service_starting`. The clock and
 * the local conveniences depend on which chain it is.
 */
export const createStartupApp = (deps: { logger: Logger; clock: Clock; baseUrl: string }): Koa => {
  const app = new Koa()
  app.use(requestId())
  app.use(commonHeaders(deps.clock))
  app.use(problems(deps))
  app.use((ctx) => {
    if (ctx.path === '/health/live') ctx.body = { live: true }
    else
      throw new ServiceError('service_starting', {
        reason: 'chain_not_identified',
        detail: 'The service is starting and its chain does not answer yet.',
      })
  })
  return app
}
