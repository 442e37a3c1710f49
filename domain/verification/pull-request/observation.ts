import type { CodehostLookup, Disposition } from '../../../schemas/codehost.ts'
import { type Hex, keccakOf } from '../../hashes.ts'
import { isPartial } from './lookup.ts'

/**
 * What a change of a pull request shows in: merged, state, head commit and checks, and what a worker may mend by writing (footer,
 * issue reference, claimant line) or a maintainer by reviewing. Null while the host was not read. Source: lifecycle, "Review loop".
 */
export function fingerprintOf(lookup: CodehostLookup): Hex | null {
  if (lookup.status !== 'verified') return null
  const { merged, state, headSha, checkState, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding } = lookup
  const checks = checkState ?? { statuses: [], runs: [] }
  return keccakOf({
    ...{ merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding },
    statuses: checks.statuses.map(({ context, state: status }) => `${context}=${status}`).sort(),
    runs: checks.runs.map(({ name, status, conclusion }) => `${name}=${status}/${conclusion}`).sort(),
  })
}

/** What an unsettled pull request waits for, as operators sort their queue. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (lookup.merged !== true) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is beyond doubt only where every part of it was read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
