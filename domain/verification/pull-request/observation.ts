import type { CodehostLookup, Disposition } from '../../../schemas/codehost.ts'
import { type Hex, keccakOf } from '../../hashes.ts'
import { wordsOfChecks } from './ci-summary.ts'
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

/** What is seen of the work itself, beside its checks. */
const pageOf = ({ merged, state, headSha }: CodehostLookup): string => JSON.stringify([merged, state, headSha])
const textOf = ({ issueReferenced, disclosureFooterPresent, claimantBinding }: CodehostLookup): string =>
  JSON.stringify([issueReferenced, disclosureFooterPresent, claimantBinding])

const wordsOf = ({ checkState = { statuses: [], runs: [] } }: CodehostLookup) => wordsOfChecks(checkState.statuses, checkState.runs)

/**
 * Whether a check said something that it had not said before: one of the code ended, or ended otherwise, or a gate that stood open lets the
 * work pass. One that begins, goes away or is set aside says nothing.
 */
function checksSpoke(before: CodehostLookup, now: CodehostLookup): boolean {
  const isRead = (part: 'status' | 'checkRuns'): boolean => [before, now].every(({ partial }) => partial?.[part] !== 'unavailable')
  if (before.checkState === undefined || !isRead('checkRuns')) return false
  const [known, heard] = [wordsOf(before), wordsOf(now)]
  if (heard.runs.some((word) => !known.runs.includes(word))) return true
  // Without its runs nobody knows which statuses count.
  if (!isRead('status')) return false
  return heard.statuses.some((word) => !known.statuses.includes(word)) || heard.passedGates.some((gate) => known.openGates.includes(gate))
}

/**
 * Whether a pull request is another one than it was seen before: its merge, its state, its head, what its checks say or what its text
 * names. What could not be read at one of the two looks is no change, nor is a review: anybody may ask for changes and take that back.
 */
export function hasChanged(before: CodehostLookup, now: CodehostLookup): boolean {
  if (before.status !== 'verified' || now.status !== 'verified') return false
  if (pageOf(before) !== pageOf(now) || checksSpoke(before, now)) return true
  const isReadable = [before, now].every(({ prBodyReadable }) => prBodyReadable !== false)
  return isReadable && textOf(before) !== textOf(now)
}

/** Whether a look finds an open pull request of which checks have still to speak. */
export const checksRun = ({ merged, ciStatus }: CodehostLookup): boolean => merged !== true && ciStatus === 'pending'

/** What an unsettled pull request waits for, as operators sort their queue. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (lookup.merged !== true) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is beyond doubt only where every part of it was read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
