import type * as adminOperations from '../../schemas/health/admin-operations.ts'
import type * as publicOperations from '../../schemas/health/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps, ServiceDeps } from '../deps.ts'
import { createAdminStatus } from './admin-status.ts'
import { createJobTimeline } from './job-timeline.ts'
import { createQueue } from './queue.ts'
import { createHealthReader, type HealthReader } from './reader.ts'
import { healthReport } from './report.ts'

/** Health, liveness, metrics and the gas sponsor, which is switched off. */
export const createPublicHealth = (deps: ServiceDeps, readHealth: HealthReader): HandlersOf<typeof publicOperations> => ({
  getHealth: async () => {
    const health = healthReport(deps, await readHealth())
    return { status: health.serviceHealth.ok ? 200 : 503, body: health }
  },
  getLiveness: async () => ({ status: 200, body: { live: true } }),
  getGasHealth: async () => ({ status: 200, body: { ok: true, backend: 'bundler', enabled: false, mode: 'disabled' } }),
  getGasCapabilities: async () => ({ status: 200, body: { enabled: false } }),
  getMetrics: async () => ({ status: 200, body: await deps.metrics.registry.metrics() }),
})

/** What everyone and what operators read of the service. One reader, so that both reports share their probes. */
export const createHealthHandlers = (deps: ApiDeps): HandlersOf<typeof publicOperations & typeof adminOperations> => {
  const readHealth = createHealthReader(deps)
  const readStatus = createAdminStatus(deps, readHealth)
  return {
    ...createPublicHealth(deps, readHealth),
    getAdminStatus: async () => ({ status: 200, body: await readStatus() }),
    getJobTimeline: createJobTimeline(deps),
    listQueue: createQueue(deps, readHealth),
  }
}
