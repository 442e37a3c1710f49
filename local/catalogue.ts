import type { BuiltJob } from '../domain/catalogue/job-definition.ts'
import { buildJob } from '../domain/verification/listing.ts'
import { VERIFIER_MODES, type VerifierMode } from '../schemas/catalogue/job-definition.ts'
import { JobInput, type JobInputBody } from '../schemas/catalogue/job-input.ts'
import type { ChainFile } from '../schemas/chain/chain-file.ts'
import { ANALYSIS_JOBS } from './catalogue/analysis.ts'
import { CODING_JOBS } from './catalogue/coding.ts'
import { GOVERNANCE_JOBS } from './catalogue/governance.ts'
import { REVIEWED_JOBS } from './catalogue/reviewed.ts'

/** Asset the seeds pay in. */
export type SeedAsset = Pick<ChainFile['asset'], 'symbol' | 'decimals'>
export const USDC: SeedAsset = { symbol: 'USDC', decimals: 6 }

const BODIES: readonly JobInputBody[] = [...CODING_JOBS, ...ANALYSIS_JOBS, ...GOVERNANCE_JOBS, ...REVIEWED_JOBS]

/** Jobs a fresh local catalogue begins with. */
export const seedJobs = (asset: SeedAsset = USDC): JobInput[] =>
  BODIES.map((body) => JobInput.parse({ ...body, rewardAsset: asset.symbol }))

/** The stored form of a seed; modes without a handler are allowed here, since such jobs are stored paused. */
export const buildSeed = (input: JobInput, asset: SeedAsset): BuiltJob =>
  buildJob(input, { assetDecimals: new Map([[asset.symbol, asset.decimals]]), handlerModes: new Set(VERIFIER_MODES) })

/** A job of the catalogue, as far as seeding needs it. */
export interface CataloguedJob {
  id: string
  /** Whether a worker may claim it. */
  claimable: boolean
}

export interface CatalogueStore {
  listJobs(): Promise<CataloguedJob[]>
  /** Stores a job; `lifecycleStatus` is paused for a mode without handler. */
  insertJob(job: BuiltJob, lifecycleStatus: 'open' | 'paused'): Promise<void>
  /** Modes whose handler exists. */
  handlerModes: ReadonlySet<VerifierMode>
  asset: SeedAsset
}

const reissue = (id: string, number: number): string => (number === 1 ? id : `${id}-r${number}`)

/** The seed and its reissues that exist. */
function lineOf(id: string, jobs: ReadonlyMap<string, CataloguedJob>): CataloguedJob[] {
  const line: CataloguedJob[] = []
  for (let job = jobs.get(id); job !== undefined; job = jobs.get(reissue(id, line.length + 1))) line.push(job)
  return line
}

/** Jobs to insert, so that every seed has a claimable job, or a paused one without a handler. */
export function missingJobs(
  jobs: readonly CataloguedJob[],
  { handlerModes, asset }: Pick<CatalogueStore, 'handlerModes' | 'asset'>,
): JobInput[] {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  return seedJobs(asset).flatMap((seed) => {
    const line = lineOf(seed.id, byId)
    const served = handlerModes.has(seed.verifierMode) ? line.some((job) => job.claimable) : line.length > 0
    return served ? [] : [{ ...seed, id: reissue(seed.id, line.length + 1) }]
  })
}

/** Fills the catalogue of a local stack at every start: used-up seeds are reissued as `<id>-r<n>`. Returns the number of inserted jobs. */
export async function seedCatalogue(store: CatalogueStore): Promise<number> {
  const missing = missingJobs(await store.listJobs(), store)
  for (const input of missing)
    await store.insertJob(buildSeed(input, store.asset), store.handlerModes.has(input.verifierMode) ? 'open' : 'paused')
  return missing.length
}
