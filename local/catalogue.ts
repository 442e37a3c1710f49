import type { BuiltJob } from '../domain/catalogue/job-definition.ts'
import { buildJob } from '../domain/verification/listing.ts'
import { VERIFIER_MODES, type VerifierMode } from '../schemas/catalogue/job-definition.ts'
import { JobInput, type JobInputBody } from '../schemas/catalogue/job-input.ts'
import { ANALYSIS_JOBS } from './catalogue/analysis.ts'
import { CODING_JOBS } from './catalogue/coding.ts'
import { GOVERNANCE_JOBS } from './catalogue/governance.ts'
import { REVIEWED_JOBS } from './catalogue/reviewed.ts'

/** Asset the seeds pay in. */
export interface SeedAsset {
  symbol: string
  decimals: number
}

const BODIES: readonly JobInputBody[] = [...CODING_JOBS, ...ANALYSIS_JOBS, ...GOVERNANCE_JOBS, ...REVIEWED_JOBS]

/** Jobs a fresh local catalogue begins with. */
export const seedJobs = (asset: SeedAsset = { symbol: 'USDC', decimals: 6 }): JobInput[] =>
  BODIES.map((body) => JobInput.parse({ ...body, rewardAsset: asset.symbol }))

/** The stored form of a seed; modes without a handler are allowed here, since such jobs are stored paused. */
export const buildSeed = (input: JobInput, asset: SeedAsset): BuiltJob =>
  buildJob(input, { assetDecimals: new Map([[asset.symbol, asset.decimals]]), handlerModes: new Set(VERIFIER_MODES) })

/** What the catalogue knows of a job when it is topped up. */
export interface CataloguedJob {
  id: string
  /** True while somebody may claim it. */
  claimable: boolean
}

export interface CatalogueDoor {
  listJobs(): Promise<CataloguedJob[]>
  /** Stores a job; `lifecycleStatus` is paused for a mode without handler. */
  insertJob(job: BuiltJob, lifecycleStatus: 'open' | 'paused'): Promise<void>
  /** Modes whose handler exists. */
  handlerModes: ReadonlySet<VerifierMode>
  asset: SeedAsset
}

const reissue = (id: string, number: number): string => (number === 1 ? id : `${id}-r${number}`)

/** Ids of the seed and its reissues that exist already. */
function lineOf(id: string, jobs: ReadonlyMap<string, CataloguedJob>): CataloguedJob[] {
  const line: CataloguedJob[] = []
  for (let job = jobs.get(id); job !== undefined; job = jobs.get(reissue(id, line.length + 1))) line.push(job)
  return line
}

/** Jobs to insert so that every seed has a claimable issue, or a paused one where no handler exists. */
export function missingJobs(
  jobs: readonly CataloguedJob[],
  { handlerModes, asset }: Pick<CatalogueDoor, 'handlerModes' | 'asset'>,
): JobInput[] {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  return seedJobs(asset).flatMap((seed) => {
    const line = lineOf(seed.id, byId)
    const served = handlerModes.has(seed.verifierMode) ? line.some((job) => job.claimable) : line.length > 0
    return served ? [] : [{ ...seed, id: reissue(seed.id, line.length + 1) }]
  })
}

/** Fills the catalogue of a local stack, at every start: used-up seeds come back as `<id>-r<n>`. Answers how many jobs were inserted. */
export async function seedCatalogue(door: CatalogueDoor): Promise<number> {
  const missing = missingJobs(await door.listJobs(), door)
  for (const input of missing) {
    await door.insertJob(buildSeed(input, door.asset), door.handlerModes.has(input.verifierMode) ? 'open' : 'paused')
  }
  return missing.length
}
