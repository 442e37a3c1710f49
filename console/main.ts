import { once } from 'node:events'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { readSettings, type Settings } from './settings.ts'

const settingsOrExit = (): Settings => {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error((error as Error).message)
    return process.exit(1)
  }
}

const main = async (): Promise<void> => {
  const settings = settingsOrExit()
  const logger = pino({ level: settings.LOG_LEVEL, name: 'console' })
  const ending = new AbortController()
  const app = createApp({ settings, logger, ending: ending.signal })
  const server = createServer({ maxHeaderSize: 16_384, headersTimeout: 15_000, requestTimeout: 30_000 }, app.callback())
  server.listen(settings.CONSOLE_PORT, settings.HOST)
  await once(server, 'listening')
  logger.info({ url: settings.url, api: settings.CONSOLE_API_URL }, 'listening')
  const stop = (signal: string): void => {
    logger.info({ signal }, 'draining')
    // Streams end at once, so that only requests that are under way remain.
    ending.abort()
    server.close(() => process.exit(0))
    server.closeIdleConnections()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

await main()
