import type { GrantEnd } from '../../schemas/identity/authorisation.ts'
import type { DelegateTerms } from '../../schemas/identity/delegate-terms.ts'

/** Failure code of a claim whose run was ended from outside: its bond may be on chain. */
export const RUN_ENDED = 'claim_run_ended'

/** A claim that counts against the budget of a delegate, until `freesAt` (epoch ms). */
export interface CountedClaim {
  /** What the chain locked; before that is recorded, what it locks without a waiver. */
  bondRaw: bigint
  freesAt: number
}

/** What a delegate has used of its 24 hours. */
export interface DelegateUse {
  bondsRaw: bigint
  jobs: number
  /** The first to leave comes first. */
  claims: readonly CountedClaim[]
}

/** A delegate as its grant and the claims under it are recorded. */
export interface Delegate {
  terms: DelegateTerms
  /** Why the grant gives nothing any more; null while it does. */
  ended: GrantEnd | null
  use: DelegateUse
}

/** Use of counted claims. */
export const useOf = (claims: readonly CountedClaim[]): DelegateUse => ({
  bondsRaw: claims.reduce((sum, { bondRaw }) => sum + bondRaw, 0n),
  jobs: claims.length,
  claims: [...claims].sort((left, right) => left.freesAt - right.freesAt),
})

/** When enough claims have left for one more that needs `neededRaw`, epoch ms; null if it needs more than a whole day's budget. */
export const bondFreeAt = ({ bondsRaw, claims }: DelegateUse, limitRaw: bigint, neededRaw: bigint): number | null => {
  let usedRaw = bondsRaw
  for (const claim of claims) {
    usedRaw -= claim.bondRaw
    if (usedRaw + neededRaw <= limitRaw) return claim.freesAt
  }
  return null
}

/** When enough claims have left for one more, epoch ms; null without a claim in a day. */
export const jobFreeAt = ({ jobs, claims }: DelegateUse, limit: number): number | null =>
  limit === 0 ? null : (claims[jobs - limit]?.freesAt ?? null)
