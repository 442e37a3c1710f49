import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'

const TRIES = 5
const SCRAPE_MS = 1_000
/** Naming of the other metrics: counters end in _total, times are seconds. */
const NAMES = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Reads the metrics of the Temporal runtime as Prometheus text. Rejects after a second. */
export type EngineFigures = () => Promise<string>

/**
 * Installs the Temporal runtime with our logger. It publishes its metrics on a port of its own only: a free local one, which the worker reads
 * for its own page. Another process may take the port before the runtime does, so this is tried several times.
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
    const port = await findFreePort()
    try {
      Runtime.install({ ...options, telemetryOptions: { metrics: { prometheus: { bindAddress: `127.0.0.1:${port}`, ...NAMES } } } })
      return async () => (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) })).text()
    } catch (error) {
      if (left === 1) throw error
    }
  }
}
