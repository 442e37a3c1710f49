import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../../activities/database/database.ts'
import { observeProcess } from '../../activities/observability/process.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Series of `GET /metrics`. A path label is the template of an operation or `other`. */
export const createMetrics = (database: Pick<Database, 'pool' | 'replica'>) => {
  const registry = new Registry()
  observeProcess(registry, database)
  const registers = [registry]
  const stateStore = new Gauge({ name: 'state_store_backend', help: 'Backend that holds the records.', labelNames: ['backend'], registers })
  stateStore.set({ backend: 'postgres' }, 1)
  return {
    registry,
    requests: new Counter({ name: 'http_requests_total', help: 'Answered requests.', labelNames: ['method', 'path', 'status'], registers }),
    duration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time until the answer was ready.',
      labelNames: ['method', 'path'],
      buckets: SECONDS,
      registers,
    }),
    authFailures: new Counter({ name: 'auth_failures_total', help: 'Answers of status 401.', labelNames: ['code'], registers }),
    rateRejections: new Counter({ name: 'rate_limit_rejections_total', help: 'Requests over a limit.', labelNames: ['bucket'], registers }),
  }
}
export type Metrics = ReturnType<typeof createMetrics>
