import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Health and metrics. */
export const HEALTH_ERRORS = {
  metrics_auth_unconfigured: errorRow(
    503,
    'Metrics secret missing',
    'Metrics need a bearer secret and none is configured.',
    'Configure the secret.',
  ),
} as const satisfies Record<string, ErrorRow>
