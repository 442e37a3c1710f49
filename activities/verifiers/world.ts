import type { Settings } from '../../schemas/config.ts'
import { createPullRequests } from '../codehost/pull-requests.ts'
import { createReachable } from '../evidence/reachable.ts'
import { createRevisions } from '../evidence/revision.ts'
import { createGuardedFetch } from '../outbound/guarded-fetch.ts'
import type { VerifierWorld } from './handler.ts'

/** The world as the handlers of a process see it: everything goes through the one guarded fetch. */
export const createVerifierWorld = (settings: Settings): VerifierWorld => {
  const fetch = createGuardedFetch({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS })
  return {
    readPullRequest: createPullRequests({ settings, fetch }),
    readRevision: createRevisions({ settings, fetch }),
    isReachable: createReachable(fetch),
  }
}
