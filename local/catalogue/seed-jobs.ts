import { HANDLER_MODES } from '../../activities/verification/registry.ts'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { buildJob, type ListingTerms } from '../../domain/verification/listing.ts'
import { JobInput } from '../../schemas/catalogue/job-input.ts'
import { VERIFIER_MODES } from '../../schemas/catalogue/job-terms.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ANALYSIS_JOBS } from './analysis.ts'
import { CODING_JOBS } from './coding.ts'
import { GOVERNANCE_JOBS } from './governance.ts'
import { REVIEWED_JOBS } from './reviewed.ts'
import type { Seed } from './terms.ts'

/** Asset the seeds pay in. */
export type SeedAsset = Pick<ChainFile['asset'], 'symbol' | 'decimals'>
export const USDC: SeedAsset = { symbol: 'USDC', decimals: 6 }

const SEEDS: readonly Seed[] = [...CODING_JOBS, ...ANALYSIS_JOBS, ...GOVERNANCE_JOBS, ...REVIEWED_JOBS]

const parseSeed = (seed: Seed, number: number, asset: SeedAsset): JobInput =>
  JobInput.parse({ ...(typeof seed === 'function' ? seed(number) : seed), rewardAsset: asset.symbol })

/** Jobs a fresh local catalogue begins with, or their reissue of a number. */
export const seedJobs = (asset: SeedAsset = USDC, number = 1): JobInput[] => SEEDS.map((seed) => parseSeed(seed, number, asset))

/** Who lists the seeds, with the salts of the service. */
export type SeedAuthor = Pick<ListingTerms, 'posterAddress' | 'deriveSalt'>

/** The stored form of a seed; modes without a handler are allowed here, since such jobs are stored paused. */
export const buildSeed = (input: JobInput, asset: SeedAsset, author: SeedAuthor): BuiltJob =>
  buildJob(input, { assetDecimals: new Map([[asset.symbol, asset.decimals]]), handlerModes: new Set(VERIFIER_MODES), ...author })

/** A job of the catalogue, as far as seeding needs it. */
export interface CataloguedJob {
  id: string
  /** Whether a worker may claim it. */
  claimable: boolean
}

const reissue = (id: string, number: number): string => (number === 1 ? id : `${id}-r${number}`)

/** The seed and its reissues that exist. */
function lineOf(id: string, jobs: ReadonlyMap<string, CataloguedJob>): CataloguedJob[] {
  const line: CataloguedJob[] = []
  for (let job = jobs.get(id); job !== undefined; job = jobs.get(reissue(id, line.length + 1))) line.push(job)
  return line
}

/** Jobs to insert, so that every seed has a claimable job, or a paused one without a handler. Used-up seeds are reissued as `<id>-r<n>`. */
export const missingJobs = (
  jobs: readonly CataloguedJob[],
  asset: SeedAsset,
  author: SeedAuthor,
): { job: BuiltJob; status: 'open' | 'paused' }[] => {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  return SEEDS.flatMap((seed) => {
    const { id, verifierMode } = parseSeed(seed, 1, asset)
    const line = lineOf(id, byId)
    const hasHandler = HANDLER_MODES.has(verifierMode)
    const isServed = hasHandler ? line.some((job) => job.claimable) : line.length > 0
    if (isServed) return []
    const number = line.length + 1
    const input = { ...parseSeed(seed, number, asset), id: reissue(id, number) }
    return [{ job: buildSeed(input, asset, author), status: hasHandler ? 'open' : 'paused' }]
  })
}
