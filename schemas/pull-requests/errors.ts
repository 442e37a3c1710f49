import { errorTable, wait } from '../common/error-row.ts'

/** Pull requests. */
export const PULL_REQUEST_ERRORS = errorTable({
  maintainer_open_pr_cap_reached: {
    title: 'Too many open pull requests',
    meaning: "The maintainer's cap of open pull requests is reached.",
    next: wait('Wait until one is merged or closed.'),
  },
})
