import { type ErrorRow, errorRow } from '../common/error-row.ts'

/** Pull requests. */
export const PULL_REQUEST_ERRORS = {
  maintainer_open_pr_cap_reached: errorRow(
    409,
    'Too many open pull requests',
    "The maintainer's cap of open pull requests is reached.",
    'Wait until one is merged or closed.',
  ),
} as const satisfies Record<string, ErrorRow>
