import type { CodehostLookup, Disposition } from '../../../schemas/codehost.ts'
import { type Hex, keccakOf } from '../../hashes.ts'
import { isPartial } from './lookup.ts'

const printsOf = ({ checkState = { statuses: [], runs: [] } }: CodehostLookup) => ({
  statuses: checkState.statuses.map(({ context, state }) => `${context}=${state}`).sort(),
  runs: checkState.runs.map(({ name, status, conclusion }) => `${name}=${status}/${conclusion}`).sort(),
})

/**
 * What a change of a pull request shows in: merged, state, head commit and checks, and what a worker may mend by writing (footer,
 * issue reference, claimant line) or a maintainer by reviewing. Null while the host was not read. Source: lifecycle, "Review loop".
 */
export function fingerprintOf(lookup: CodehostLookup): Hex | null {
  if (lookup.status !== 'verified') return null
  const { merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding } = lookup
  return keccakOf({
    ...{ merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding },
    ...printsOf(lookup),
  })
}

/** What only the work itself can change, each side null where it could not be read. */
const sidesOf = (lookup: CodehostLookup) => {
  const { merged, state, headSha, issueReferenced, disclosureFooterPresent, claimantBinding, prBodyReadable, partial } = lookup
  const { statuses, runs } = printsOf(lookup)
  return [
    [merged, state, headSha],
    prBodyReadable === false ? null : [issueReferenced, disclosureFooterPresent, claimantBinding],
    partial?.status === 'unavailable' ? null : statuses,
    partial?.checkRuns === 'unavailable' ? null : runs,
  ].map((side) => (side === null ? null : JSON.stringify(side)))
}

/**
 * Whether a pull request is another one than it was seen before: its merge, its state, its head, its checks or what its text names. What
 * could not be read at one of the two looks is no change, nor is a review: anybody may ask for changes and take that back.
 */
export function hasChanged(before: CodehostLookup, now: CodehostLookup): boolean {
  if (before.status !== 'verified' || now.status !== 'verified') return false
  const known = sidesOf(before)
  return sidesOf(now).some((side, index) => side !== null && known[index] !== null && side !== known[index])
}

/** What an unsettled pull request waits for, as operators sort their queue. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (lookup.merged !== true) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is beyond doubt only where every part of it was read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
