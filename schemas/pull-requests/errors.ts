import { errorTable, WAIT } from '../common/error-row.ts'

/** Pull requests. */
export const PULL_REQUEST_ERRORS = errorTable({
  maintainer_open_pr_cap_reached: {
    title: 'Too many open pull requests',
    meaning: "The maintainer's cap of open pull requests is reached.",
    reaction: 'Wait until one is merged or closed.',
    nextActions: [WAIT],
  },
})
