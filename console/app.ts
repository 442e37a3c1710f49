import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from 'pino'
import { addActions } from './actions/routes.ts'
import { createServiceClock } from './clock.ts'
import { addCodec } from './http/codec.ts'
import { NoPage } from './http/failures.ts'
import { addFiles, addSignIn, addTime } from './http/own-routes.ts'
import { addPages } from './http/page-routes.ts'
import { createReaders } from './http/readers.ts'
import { secureHeaders } from './http/security.ts'
import type { Settings } from './settings.ts'

export interface AppDeps {
  settings: Settings
  logger: Logger
  /** Aborts the streams when the process ends. */
  ending: AbortSignal
}

/** The console as a Koa application. It holds no data: every page calls the API with the token of its reader. */
export const createApp = ({ settings, logger, ending }: AppDeps): Koa => {
  const clock = createServiceClock(settings)
  const readers = createReaders({ settings, logger, clock })
  const app = new Koa()
  const router = new Router()
  const deps = { settings, logger, clock, readers, ending }
  addPages(router, deps)
  addActions(router, deps)
  addTime(router, deps)
  addSignIn(router, deps)
  addFiles(router)
  addCodec(router, settings)

  app.use(secureHeaders)
  app.use(async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined) throw new NoPage()
    } catch (error) {
      await readers.showFailure(ctx, null, error)
    }
  })
  app.use(router.routes())
  app.on('error', (error: NodeJS.ErrnoException) => {
    // The reader left before the end of the answer, as the reader of a live page always does.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') logger.debug({ err: error }, 'reader left')
    else logger.error({ err: error }, 'request failed')
  })
  return app
}
