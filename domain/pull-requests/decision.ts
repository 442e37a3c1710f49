import type { CodehostPrConfig } from '../../schemas/catalogue/job-definition.ts'
import type { CodehostLookup } from '../../schemas/pull-requests/record.ts'
import { issueNotNamed, type PullRequestBlocker } from './blockers.ts'
import type { PullRequestChecks } from './checks.ts'
import { isPartial } from './lookup.ts'

/** Decision about a pull request; `review` has the reason for a human review. */
export type PullRequestDecision = { kind: 'approve' } | { kind: 'reject' } | { kind: 'review'; reason: string }

export interface DecisionFacts {
  config: CodehostPrConfig
  checks: PullRequestChecks
  lookup: CodehostLookup
  blockers: readonly PullRequestBlocker[]
  score: number
  /** True when the job names a repository. */
  repoExpected: boolean
  /** True when the submitted address names that repository. */
  addressExpected: boolean
  /** True when the repository has another id than the job names. */
  isReplaced: boolean
}

const review = (reason: string): PullRequestDecision => ({ kind: 'review', reason })

/** Whether the submission itself is wrong, independent of the code host. */
function isDefiniteFailure({ checks, blockers, repoExpected, addressExpected }: DecisionFacts): boolean {
  if (!checks.prUrlValid || (repoExpected && !addressExpected)) return true
  return blockers.includes('claimant_binding_missing') || blockers.includes('claimant_binding_mismatched')
}

/** Why the facts do not allow an automatic decision; null when they do. */
function uncertainty({ config, checks, lookup, repoExpected, isReplaced }: DecisionFacts): string | null {
  if (!repoExpected) return 'codehost_job_names_no_repository'
  if (lookup.status !== 'verified') return lookup.reason
  // Another repository has the name now; its merges and checks are those of another owner.
  if (!checks.repoMatches && isReplaced) return 'codehost_repository_replaced'
  // The host redirected the submitted address before the first read; a reviewer must check that the repository is the job's.
  if (!checks.repoMatches) return 'codehost_repository_renamed'
  if (isPartial(lookup)) return 'codehost_lookup_partial'
  if (config.requireClaimantBinding && checks.claimantBinding !== 'matched')
    return `codehost_pr_body_claimant_binding_${checks.claimantBinding}`
  if (issueNotNamed(config, checks) && lookup.prBodyReadable === false) return 'codehost_pr_body_unreadable'
  return null
}

/** Decides in this order: policy gates, definite failures, uncertainty, blockers, score. Source: lifecycle, "codehost_pr". */
export function decidePullRequest(facts: DecisionFacts): PullRequestDecision {
  const failing = (facts.lookup.policyGates ?? []).filter(({ passed }) => !passed).map(({ name }) => name)
  if (failing.length > 0) return review(`codehost_policy_gate_requires_review: ${failing.join(', ')}`)
  if (isDefiniteFailure(facts)) return { kind: 'reject' }
  const uncertain = uncertainty(facts)
  if (uncertain !== null) return review(uncertain)
  if (facts.blockers.includes('closed_without_merge')) return review('codehost_closed_without_merge')
  if (facts.blockers.length > 0) return { kind: 'reject' }
  return facts.score >= facts.config.minimumScore ? { kind: 'approve' } : review('codehost_score_ambiguous')
}
