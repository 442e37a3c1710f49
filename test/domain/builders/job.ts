import type { BuiltJob } from '../../../domain/catalogue/job-definition.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { buildJob, type ListingTerms } from '../../../domain/verification/listing.ts'
import { JobInput, type JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import type { JobRecord } from '../../../schemas/catalogue/record.ts'

/** An author without an address, whose salts are hashes of what they depend on. */
export const AUTHOR = { posterAddress: null, deriveSalt: (text: string) => sha256Of(text) }

export const LISTING: ListingTerms = {
  ...AUTHOR,
  assetDecimals: new Map([['USDC', 6]]),
  handlerModes: new Set(VERIFIER_MODES),
  deniedRepos: ['w3c/*'],
}

export const jobBody = (changes: Partial<JobInputBody> = {}): JobInputBody => ({
  id: 'job-1',
  title: 'Retry policy for a client',
  description: 'Design the retry policy of a client.',
  category: 'coding',
  rewardAmount: 2,
  lane: 'oss-anchored',
  verifierMode: 'benchmark',
  verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  ...changes,
})

export const prBody = (changes: Partial<JobInputBody> = {}): JobInputBody => {
  const { verifierTerms: _terms, ...body } = jobBody()
  return {
    ...body,
    title: 'Implement acme/widgets issue: keep the last row',
    verifierMode: 'codehost_pr',
    outputSchemaRef: 'schema://jobs/codehost-pr-evidence-output',
    source: { type: 'codehost_issue', repo: 'acme/widgets', issueNumber: 7, issueUrl: 'https://codehost.example/acme/widgets/issues/7' },
    ...changes,
  }
}

export const builtJob = (body: JobInputBody = jobBody()): BuiltJob => buildJob(JobInput.parse(body), LISTING)

export const NOW = Date.UTC(2026, 2, 1, 12)

export const jobRecord = (built: BuiltJob = builtJob(), changes: Partial<JobRecord> = {}): JobRecord => ({
  id: built.definition.id,
  definition: built.definition,
  specHash: built.specHash,
  chainJobId: built.chainJobId,
  rewardRaw: built.rewardRaw,
  rewardAsset: built.definition.rewardAsset,
  version: 1,
  lifecycleStatus: 'open',
  staleAt: NOW + 14 * 86_400_000,
  createdAt: NOW,
  updatedAt: NOW,
  listedAt: NOW,
  ingestedFrom: null,
  delistedAt: null,
  delistReason: null,
  postingRoute: 'curated',
  posterAddress: `0x${'ab'.repeat(20)}`,
  designatedClaimants: null,
  ...changes,
})
