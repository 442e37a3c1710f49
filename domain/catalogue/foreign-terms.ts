import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { EscrowTerms } from '../chain/escrow-terms.ts'

/** A job as it is listed, or as it was pinned for a claim. */
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
 * What tells an escrow job from the listed one, as the details of `job_definition_chain_mismatch`; null when it is the listed one. Anybody
 * may create the job of a listed id with any terms. Whose job it is does not matter, nor do its labels and reserves: they move
 * neither the worker's money nor its time.
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
