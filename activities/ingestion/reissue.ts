import { type Candidate, isRefusal } from '../../domain/ingestion/candidate.ts'
import type { ProviderRules } from '../../domain/ingestion/provider.ts'
import { isReissuable } from '../../domain/lanes/reissue.ts'
import type { JobInput } from '../../schemas/catalogue/job-input.ts'
import type { Clock } from '../common/clock.ts'
import type { Rows } from '../database/database.ts'
import { countMissingStarters, findReissueId, type ReissueDeps } from '../lanes/reissue.ts'

/** Finds which listed candidates of a page are listed again: at most as many as starter jobs are missing. */
export const createReissues = (rows: Rows, rules: ProviderRules<unknown>, deps: ReissueDeps & { clock: Clock }) => {
  let missing: number | null = null
  return {
    /** The job of a listed candidate under its next id; null where the candidate is not listed again now. */
    find: async ({ key, job }: Candidate): Promise<JobInput | null> => {
      if (rules.isReissued !== true || job === null || isRefusal(job)) return null
      if (!isReissuable({ isStarter: job.onboardingWaiverEligible, hasSecretAnswer: job.verifierMode === 'deterministic' })) return null
      const now = deps.clock.now()
      missing ??= await countMissingStarters(rows, deps, now)
      if (missing === 0) return null
      const id = await findReissueId(rows, { provider: rules.provider, itemKey: key }, now)
      return id === null ? null : { ...job, id }
    },
    /** Counts a job that was listed or proposed. */
    take: (): void => {
      missing = Math.max(0, (missing ?? 0) - 1)
    },
  }
}
