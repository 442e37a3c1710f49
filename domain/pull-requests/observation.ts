import type { CodehostLookup, PolicyGate, PullRequestState } from '../../schemas/pull-requests/record.ts'
import type { Disposition } from '../../schemas/sessions/record.ts'
import { pick } from '../common/pick.ts'
import { isPartial } from './lookup.ts'

const gatesOf = (gates: readonly PolicyGate[]): PullRequestState['gates'] => {
  if (gates.length === 0) return 'none'
  return gates.every(({ passed }) => passed) ? 'passed' : 'open'
}

/** State that a lookup shows; null without a verified lookup. */
export function stateOf(lookup: CodehostLookup): PullRequestState | null {
  if (lookup.status !== 'verified') return null
  const ci = lookup.pendingMaintainerApproval ? 'pending' : lookup.ciStatus
  return {
    ...pick(lookup, 'repo', 'repoId', 'baseRef', 'defaultBranch', 'state', 'merged', 'draft'),
    ci: isPartial(lookup) ? null : ci,
    gates: gatesOf(lookup.policyGates),
  }
}

/** Earlier states of a pull request. */
export interface EarlierStates {
  /** At the first read; null before. */
  first: PullRequestState | null
  /** At the start of the human review; null before. */
  review: PullRequestState | null
}

/** Whether checks pass now that did not at the start of the human review. */
function checksPassedSince({ ci, gates }: PullRequestState, now: PullRequestState): boolean {
  if (ci === null) return false
  if (gates !== 'open') return now.ci === 'passing' && ci !== 'passing'
  return now.gates === 'passed' && (now.ci === 'passing' || (now.ci === 'unknown' && ci === 'unknown'))
}

const ASK = 'Waiting for an operator'

/**
 * Why an approval does not settle by itself; null when it does. It settles when a pull request that was open is merged into the default branch
 * of the same repository, and when its checks passed after the human review started. A draft never settles. Source: ADR 17.
 */
export function findSettlementBlock({ first, review }: EarlierStates, now: PullRequestState | null): string | null {
  if (now === null) return `${ASK}: it could not be read.`
  if (now.repoId !== (first ?? now).repoId) return `${ASK}: its repository is not the one of the first read.`
  if (now.baseRef !== now.defaultBranch) return `${ASK}: its target is the branch ${now.baseRef}, not ${now.defaultBranch}.`
  if (now.draft) return now.merged ? `${ASK}: it was merged as a draft.` : `${ASK}, or until the draft is ready and merged.`
  if (now.merged) {
    const wasOpen = (first?.state === 'open' && !first.merged) || review?.merged === false
    return wasOpen ? null : `${ASK}: it was not open at the first read.`
  }
  if (review === null) return `${ASK} or its merge.`
  return checksPassedSince(review, now) ? null : `${ASK}, its merge or a new result of its checks.`
}

/** What an undecided pull request waits for; operators sort their queue by it. Source: lifecycle, "Review loop". */
export function dispositionOf(lookup: CodehostLookup): Disposition {
  if (lookup.status !== 'verified') return 'awaiting_evidence'
  if (!lookup.merged) return lookup.state === 'open' ? 'waiting_for_merge' : 'operator_review'
  // A merge is certain only with every part read.
  return isPartial(lookup) ? 'awaiting_evidence' : 'operator_review'
}
