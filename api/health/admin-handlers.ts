import type * as operations from '../../schemas/health/admin-operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { createAdminStatus } from './admin-status.ts'
import type { HealthReader } from './handlers.ts'
import { createJobTimeline } from './job-timeline.ts'

/** What operators read beside the state of the service. */
export const createHealthAdminHandlers = (deps: ApiDeps, readHealth: HealthReader): HandlersOf<typeof operations> => {
  const readStatus = createAdminStatus(deps, readHealth)
  return {
    getAdminStatus: async () => ({ status: 200, body: await readStatus() }),
    getJobTimeline: createJobTimeline(deps),
  }
}
