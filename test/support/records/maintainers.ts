import type { Database } from '../../../activities/database/database.ts'
import type { PolicyReader } from '../../../activities/pull-requests/policy-reader.ts'
import { storeIssue, storePolicy } from '../../../activities/pull-requests/policy-records.ts'
import { maintainedWork } from '../../../domain/pull-requests/policy/standing.ts'
import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { policyOf } from '../../domain/builders/maintainers.ts'

/** A code host on which every repository has the same policy and every issue is open, without the host. */
export const createMaintainers = (
  { rows }: Pick<Database, 'rows'>,
  changes: Partial<RepositoryPolicy> = {},
): Pick<PolicyReader, 'refreshJob'> => ({
  refreshJob: async (job) => {
    const work = maintainedWork(job)
    if (work === null) return
    await storePolicy(rows, work.repo, policyOf(work.repo, changes))
    if (work.issueNumber !== null)
      await storeIssue(rows, work.repo, { number: work.issueNumber, state: 'open', verdict: 'allows', reason: null, quote: null })
  },
})
