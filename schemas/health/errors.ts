import { errorTable } from '../common/error-row.ts'

/** Health and metrics. */
export const HEALTH_ERRORS = errorTable({
  metrics_auth_unconfigured: '503 | Metrics secret missing | Metrics need a bearer secret and none is configured. | Configure the secret.',
})
