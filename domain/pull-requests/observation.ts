import type { CodehostLookup, Disposition } from '../../schemas/pull-requests/record.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { checkResults } from './ci-summary.ts'
import { isPartial } from './lookup.ts'

const printsOf = ({ checkState = { statuses: [], runs: [] } }: CodehostLookup) => ({
  statuses: checkState.statuses.map(({ context, state }) => `${context}=${state}`).sort(),
  runs: checkState.runs.map(({ name, status, conclusion }) => `${name}=${status}/${conclusion}`).sort(),
})

/** Comparison of a reading of a pull request with the earlier ones. */
export interface ReadingFacts {
  /** True once a reading differed from the first one. */
  changed: boolean
  /** True while it is open and its code checks are not complete. */
  checksAreDue: boolean
}

/**
 * Hash of everything that can change a verdict: merge, state, head commit, checks, reviews, footer, issue reference and claimant line. Null
 * without a verified lookup. Source: lifecycle, "Review loop".
 */
export function fingerprintOf(lookup: CodehostLookup): Hex | null {
  if (lookup.status !== 'verified') return null
  const { merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding } = lookup
  return keccakOf({
    ...{ merged, state, headSha, partial, reviewState, issueReferenced, disclosureFooterPresent, claimantBinding },
    ...printsOf(lookup),
  })
}

/** Merge, state and head of a pull request, without its checks. */
const pageOf = ({ merged, state, headSha }: CodehostLookup): string => JSON.stringify([merged, state, headSha])
const textOf = ({ issueReferenced, disclosureFooterPresent, claimantBinding }: CodehostLookup): string =>
  JSON.stringify([issueReferenced, disclosureFooterPresent, claimantBinding])

type CheckResults = ReturnType<typeof checkResults>

/** A stored lookup with every check result so far, because a lookup during a rerun has none of the earlier results. */
export type StoredLookup = CodehostLookup & { seenResults?: CheckResults }

const NO_RESULTS: CheckResults = { runs: [], statuses: [], passedGates: [], openGates: [] }
const resultsIn = ({ checkState }: CodehostLookup): CheckResults =>
  checkState === undefined ? NO_RESULTS : checkResults(checkState.statuses, checkState.runs)
const seenResultsOf = (stored: StoredLookup): CheckResults => stored.seenResults ?? resultsIn(stored)

const union = (first: readonly string[], more: readonly string[]): string[] => [...new Set([...first, ...more])]

/** Adds the check results of earlier lookups. */
export function storedLookup(before: StoredLookup | null, now: CodehostLookup): StoredLookup {
  const [known, found] = [before === null ? NO_RESULTS : seenResultsOf(before), resultsIn(now)]
  return {
    ...now,
    seenResults: {
      runs: union(known.runs, found.runs),
      statuses: union(known.statuses, found.statuses),
      passedGates: union(known.passedGates, found.passedGates),
      openGates: union(known.openGates, found.openGates),
    },
  }
}

/**
 * Whether a check has a new result: a code check completed, or changed its conclusion, or an open gate passed. A check that starts,
 * disappears, repeats its result or is excluded has no new result.
 */
function hasNewResult(before: StoredLookup, now: CodehostLookup): boolean {
  const isRead = (part: 'status' | 'checkRuns'): boolean => [before, now].every(({ partial }) => partial?.[part] !== 'unavailable')
  if (before.checkState === undefined || !isRead('checkRuns')) return false
  const [known, found] = [seenResultsOf(before), resultsIn(now)]
  if (found.runs.some((result) => !known.runs.includes(result))) return true
  // The runs decide which statuses count.
  if (!isRead('status')) return false
  return (
    found.statuses.some((result) => !known.statuses.includes(result)) ||
    found.passedGates.some((gate) => known.openGates.includes(gate) && !known.passedGates.includes(gate))
  )
}

/**
 * Whether merge, state, head, check results or named lines changed between two lookups. An unreadable part is no change. Nor is a review,
 * because any user can request changes and withdraw them.
 */
export function hasChanged(before: StoredLookup, now: CodehostLookup): boolean {
  if (before.status !== 'verified' || now.status !== 'verified') return false
  if (pageOf(before) !== pageOf(now) || hasNewResult(before, now)) return true
  const isReadable = [before, now].every(({ prBodyReadable }) => prBodyReadable !== false)
  return isReadable && textOf(before) !== textOf(now)
}

/**
 * Whether check results of an open pull request are missing: checks run, a maintainer has to allow them, or earlier results disappeared after
 * a push. A pull request without earlier results may have no checks.
 */
export function checksAreDue(before: StoredLookup | null, now: CodehostLookup): boolean {
  if (now.merged === true) return false
  if (now.ciStatus === 'pending' || now.pendingMaintainerApproval === true) return true
  if (now.ciStatus !== 'unknown' || before === null) return false
  const { runs, statuses } = seenResultsOf(before)
  return runs.length > 0 || statuses.length > 0
}

/** What an undecided pull request waits for; operators sort their queue by it. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (lookup.merged !== true) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is certain only with every part read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
