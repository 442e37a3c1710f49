import { errorTable } from '../common/error-row.ts'

/** Pull requests. */
export const PULL_REQUEST_ERRORS = errorTable({
  maintainer_open_pr_cap_reached:
    "409 | Too many open pull requests | The maintainer's cap of open pull requests is reached. | Wait until one is merged or closed. | wait",
})
