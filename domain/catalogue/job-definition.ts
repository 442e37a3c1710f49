import type { ExpectedOutput, JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { JobView } from '../../schemas/catalogue/shapes.ts'
import type { Hex } from '../common/hashes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { toDisplay } from '../common/money.ts'

/** Content lifecycle of a job at an instant; `stale` is derived, never stored. */
export const lifecycleState = (job: JobRecord, now: number): JobView['lifecycle']['state'] =>
  job.lifecycleStatus === 'open' && job.staleAt !== null && job.staleAt <= now ? 'stale' : job.lifecycleStatus

/** Wire form of a job's lifecycle at `now` (epoch ms). */
export const jobLifecycle = (job: JobRecord, now: number): JobView['lifecycle'] => ({
  status: job.lifecycleStatus,
  state: lifecycleState(job, now),
  createdAt: iso(job.createdAt),
  updatedAt: iso(job.updatedAt),
  staleAt: isoOrNull(job.staleAt),
})

/** Wire form of a job's origin and review state. */
export function jobTrust(job: JobRecord): Pick<JobView, 'listingStatus' | 'contentTrust' | 'provenance'> {
  const curated = job.postingRoute === 'curated'
  return {
    listingStatus: job.delistedAt === null ? 'listed' : 'delisted',
    contentTrust: curated && job.ingestedFrom === null ? 'operator-curated' : 'external-unreviewed',
    provenance: {
      posterAddress: job.posterAddress,
      posterTier: curated ? 'operator-curated' : 'external-self-serve',
      postingRoute: job.postingRoute,
      firstSeenAt: iso(job.createdAt),
      specHash: job.specHash,
    },
  }
}

/** Public path of a definition. */
export const definitionPath = (jobId: string): string => `/jobs/definition?jobId=${encodeURIComponent(jobId)}`

/** Reward in whole units as a number, for display only; calculations use base units. */
export const displayReward = (raw: bigint, decimals: number): number => Number(toDisplay(raw, decimals))

/** Derives 32 bytes from a text with a secret of the service. */
export type DeriveSalt = (text: string) => Hex

/** A definition with its hashes and its reward in base units. */
export interface BuiltJob {
  definition: JobDefinition
  /** What opens the commitments of the definition; empty for a job without any. */
  expectedOutputs: ExpectedOutput[]
  specHash: Hex
  chainJobId: Hex
  rewardRaw: bigint
}
