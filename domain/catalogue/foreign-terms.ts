import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { EscrowTerms } from '../chain/escrow-terms.ts'

/** A job as listed, or as pinned for a claim. */
interface Listed {
  jobId: string
  specHash: string
  definition: JobDefinition
}

const listedTerms = ({ definition }: Listed) => ({
  payoutMode: 'single',
  asset: definition.rewardAsset,
  rewardRaw: definition.rewardAmountRaw,
  claimTtlSeconds: String(definition.claimTtlSeconds),
})

/**
 * Differences between an escrow job and the listed one, as the details of `job_definition_chain_mismatch`; null when they agree. Any account
 * can create a job under a listed id. Poster, labels and reserves do not count: they affect neither reward nor time of the worker.
 */
export const foreignTerms = (listed: Listed, found: EscrowTerms) => {
  const expected = listedTerms(listed)
  const terms = Object.keys(expected) as (keyof typeof expected)[]
  const differences = terms
    .map((term) => ({ term, expected: expected[term], observed: String(found[term]) }))
    .filter((one) => one.expected !== one.observed)
  const { jobId, specHash } = listed
  if (differences.length === 0 && found.specHash.toLowerCase() === specHash.toLowerCase()) return null
  return { jobId, specHash, chainSpecHash: found.specHash, differences }
}
