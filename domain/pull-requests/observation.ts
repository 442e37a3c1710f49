import type { CodehostLookup, Disposition } from '../../schemas/pull-requests/record.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { checkResults } from './ci-summary.ts'
import { isPartial } from './lookup.ts'

const printsOf = ({ checkState = { statuses: [], runs: [] } }: CodehostLookup) => ({
  statuses: checkState.statuses.map(({ context, state }) => `${context}=${state}`).sort(),
  runs: checkState.runs.map(({ name, status, conclusion }) => `${name}=${status}/${conclusion}`).sort(),
})

/** What one reading of a pull request shows beside those before it. */
export interface Seen {
  /** True once it was seen to differ from its first reading. */
  changed: boolean
  /** True while it is open and checks of its code have not ended. */
  checksAreDue: boolean
}

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

/** State of the work itself, without its checks. */
const pageOf = ({ merged, state, headSha }: CodehostLookup): string => JSON.stringify([merged, state, headSha])
const textOf = ({ issueReferenced, disclosureFooterPresent, claimantBinding }: CodehostLookup): string =>
  JSON.stringify([issueReferenced, disclosureFooterPresent, claimantBinding])

type CheckResults = ReturnType<typeof checkResults>

/** A lookup as stored: with every check result seen so far, which one lookup alone does not show while checks run again. */
export type StoredLookup = CodehostLookup & { seenResults?: CheckResults }

const NO_RESULTS: CheckResults = { runs: [], statuses: [], passedGates: [], openGates: [] }
const resultsIn = ({ checkState }: CodehostLookup): CheckResults =>
  checkState === undefined ? NO_RESULTS : checkResults(checkState.statuses, checkState.runs)
const seenResultsOf = (stored: StoredLookup): CheckResults => stored.seenResults ?? resultsIn(stored)

const joined = (first: readonly string[], more: readonly string[]): string[] => [...new Set([...first, ...more])]

/** A lookup with the check results of those before it. */
export function storedLookup(before: StoredLookup | null, now: CodehostLookup): StoredLookup {
  const [known, found] = [before === null ? NO_RESULTS : seenResultsOf(before), resultsIn(now)]
  return {
    ...now,
    seenResults: {
      runs: joined(known.runs, found.runs),
      statuses: joined(known.statuses, found.statuses),
      passedGates: joined(known.passedGates, found.passedGates),
      openGates: joined(known.openGates, found.openGates),
    },
  }
}

/**
 * Whether a check has a result it never had before: a check of the code ended, or ended otherwise, or an open gate lets the work pass. A check
 * that begins, disappears, repeats its result or is set aside has no new result.
 */
function hasNewResult(before: StoredLookup, now: CodehostLookup): boolean {
  const isRead = (part: 'status' | 'checkRuns'): boolean => [before, now].every(({ partial }) => partial?.[part] !== 'unavailable')
  if (before.checkState === undefined || !isRead('checkRuns')) return false
  const [known, found] = [seenResultsOf(before), resultsIn(now)]
  if (found.runs.some((result) => !known.runs.includes(result))) return true
  // Which statuses count depends on the runs.
  if (!isRead('status')) return false
  return (
    found.statuses.some((result) => !known.statuses.includes(result)) ||
    found.passedGates.some((gate) => known.openGates.includes(gate) && !known.passedGates.includes(gate))
  )
}

/**
 * Whether a pull request changed between two lookups: its merge, state, head, check results, or what its text names. A part that one of
 * the two could not read is no change, nor is a review: any user may request changes and withdraw that.
 */
export function hasChanged(before: StoredLookup, now: CodehostLookup): boolean {
  if (before.status !== 'verified' || now.status !== 'verified') return false
  if (pageOf(before) !== pageOf(now) || hasNewResult(before, now)) return true
  const isReadable = [before, now].every(({ prBodyReadable }) => prBodyReadable !== false)
  return isReadable && textOf(before) !== textOf(now)
}

/**
 * Whether check results of an open pull request are missing: checks run, a maintainer has to allow them, or results known before are gone, as
 * right after a push. A pull request that never had results may have no checks.
 */
export function checksAreDue(before: StoredLookup | null, now: CodehostLookup): boolean {
  if (now.merged === true) return false
  if (now.ciStatus === 'pending' || now.pendingMaintainerApproval === true) return true
  if (now.ciStatus !== 'unknown' || before === null) return false
  const { runs, statuses } = seenResultsOf(before)
  return runs.length > 0 || statuses.length > 0
}

/** What an unsettled pull request waits for, by which operators sort their queue. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (lookup.merged !== true) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is beyond doubt only where every part of it was read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
