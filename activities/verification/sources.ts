import type { Settings } from '../../schemas/settings.ts'
import { createGuardedFetch } from '../outbound/guarded-fetch.ts'
import { createPullRequests } from '../pull-requests/reader.ts'
import { createRevisions } from './article-revision.ts'
import type { VerifierSources } from './handler.ts'
import { createReachable } from './reachable-url.ts'

/** Creates the sources of a process's handlers. All of them use the guarded fetch. */
export const createVerifierSources = (settings: Settings): VerifierSources => {
  const fetch = createGuardedFetch({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS })
  return {
    readPullRequest: createPullRequests({ settings, fetch }),
    readRevision: createRevisions({ settings, fetch }),
    isReachable: createReachable(fetch),
  }
}
