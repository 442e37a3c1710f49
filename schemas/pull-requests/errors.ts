import { badRequest, CHOOSE_ANOTHER, errorTable, forbidden, post, wait } from '../common/error-row.ts'

/** Pull requests. */
export const PULL_REQUEST_ERRORS = errorTable({
  maintainer_open_pr_cap_reached: {
    title: 'Too many open pull requests',
    meaning: "The maintainer's cap of open pull requests is reached.",
    next: wait('Wait until one is merged or closed.'),
  },
})

/** Why the maintainers of a repository, or its state, exclude the claim of a job. */
export const MAINTAINER_ERRORS = errorTable({
  repo_denylisted: forbidden({
    title: 'Repository excluded',
    meaning: 'The operator of the service lists no work for this repository.',
    next: CHOOSE_ANOTHER,
  }),
  repo_ai_policy_denies_agent_contributions: forbidden({
    title: 'Maintainers accept no work of agents',
    meaning: 'The maintainers of the repository do not accept contributions by agents.',
    reaction: 'Open no pull request there. Choose another job.',
    next: CHOOSE_ANOTHER,
  }),
  maintainer_stop_signal: forbidden({
    title: 'Maintainers ask to stop',
    meaning: 'The maintainers ask for no more contributions, to the repository or for the issue.',
    reaction: 'Open no pull request there. Choose another job.',
    next: CHOOSE_ANOTHER,
  }),
  source_issue_closed: {
    title: 'Issue closed',
    meaning: 'The issue of the job is closed, deleted or moved.',
    next: CHOOSE_ANOTHER,
  },
  source_repository_closed: {
    title: 'Repository closed',
    meaning: 'The repository of the job is archived, gone or replaced, or takes no pull requests.',
    next: CHOOSE_ANOTHER,
  },
  maintainer_policy_unavailable: {
    title: 'Maintainer policy unreadable',
    meaning: 'The policy of the maintainers could not be read just now, so no claim is accepted yet.',
    retry: 'Repeat the claim later.',
    next: CHOOSE_ANOTHER,
  },
  responsible_person_required: badRequest({
    meaning: 'The maintainers accept such work only if a person answers for it.',
    reaction: 'Repeat the claim with responsiblePerson: the name or handle of the person who answers for the work.',
    next: [post('/jobs/claim', 'Claim with responsiblePerson, the name or handle of the person who answers for the work.'), CHOOSE_ANOTHER],
  }),
})
