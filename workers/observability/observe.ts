import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Database } from '../../activities/database/database.ts'
import { observeJournal } from '../../activities/observability/journal.ts'
import { observeProcess } from '../../activities/observability/process.ts'
import type { Settings } from '../../schemas/settings.ts'
import { observeActivities } from './activity-log.ts'
import { createWorkerFigures, type WorkerFiguresDeps } from './metrics.ts'
import { startMetricsServer } from './metrics-server.ts'

/** Observers that log and count transactions and activities. */
export const createObservers = (database: Database, logger: Logger) => {
  const registry = new Registry()
  observeProcess(registry, database)
  return { registry, journal: observeJournal(registry, logger), activities: observeActivities(registry, logger) }
}

interface WorkerPageDeps extends WorkerFiguresDeps {
  settings: Settings
  isLocal: boolean
  logger: Logger
}

/** Publishes the worker's metrics on the configured port. When the port is taken, the worker runs without them. */
export const publishFigures = async (deps: WorkerPageDeps): Promise<() => Promise<void>> => {
  const { settings, isLocal, logger } = deps
  const { WORKER_METRICS_PORT: port, HOST: host } = settings
  if (port === undefined) return async () => undefined
  const figures = createWorkerFigures(deps)
  try {
    const server = await startMetricsServer({ settings, isLocal, port, host, figures, logger })
    logger.info({ metrics: `http://${host}:${server.port}/metrics` }, 'metrics are published')
    return server.close
  } catch (error) {
    logger.error({ err: error, port }, 'the metrics port is taken by another process; the worker runs without metrics')
    return async () => undefined
  }
}
