import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'

const TRIES = 5
const SCRAPE_MS = 1_000
/** Names as the rest of the page has them: counters end in _total, times are seconds. */
const NAMES = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }

const anyPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The engine's own figures as Prometheus text. Rejects when they do not come in time. */
export type EngineFigures = () => Promise<string>

const scrape =
  (port: number): EngineFigures =>
  async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) })
    return response.text()
  }

/**
 * Installs the engine's runtime with our log. Its figures can only be had on a port of its own: one that is free, on this machine
 * alone, which the worker's page reads and joins. Between the choice and the use somebody may take it, hence the tries.
 */
export const installRuntime = async (logger: Logger, withFigures: boolean): Promise<EngineFigures> => {
  const options = {
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => logger.warn({ level, ...meta }, message)),
    shutdownSignals: [],
  }
  if (!withFigures) {
    Runtime.install(options)
    return async () => ''
  }
  for (let left = TRIES; ; left--) {
    const port = await anyPort()
    try {
      Runtime.install({ ...options, telemetryOptions: { metrics: { prometheus: { bindAddress: `127.0.0.1:${port}`, ...NAMES } } } })
      return scrape(port)
    } catch (error) {
      if (left === 1) throw error
    }
  }
}
