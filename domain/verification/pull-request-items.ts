import type { VerdictItem } from '../../schemas/sessions/verdicts.ts'
import type { BlockingFacts, PullRequestBlocker } from '../pull-requests/blockers.ts'
import { verdictItem } from '../sessions/verdict-items.ts'

interface JudgedPullRequest extends BlockingFacts {
  blockers: readonly PullRequestBlocker[]
  score: number
}

/** Items of a verdict on a pull request. A check without a blocker is met only if its fact was read; else it does not apply. */
export function pullRequestItems(judged: JudgedPullRequest): VerdictItem[] {
  const { config, checks, lookup, disclosureRequired, blockers, score } = judged
  const isMet = (holds: boolean, ...blocking: PullRequestBlocker[]): boolean | null => {
    if (blocking.some((blocker) => blockers.includes(blocker))) return false
    return holds ? true : null
  }
  const gates = lookup.policyGates ?? []
  const bound = config.requireClaimantBinding && checks.claimantBinding === 'matched'
  return [
    verdictItem('pr_url_valid', isMet(checks.prUrlValid, 'pr_url_invalid'), '/checks/prUrlValid'),
    verdictItem('repo_matches', isMet(checks.repoMatches, 'repo_mismatch'), '/checks/repoMatches'),
    verdictItem(
      'issue_referenced',
      isMet(config.requireIssueReference && checks.issueReferenced, 'issue_reference_missing'),
      '/checks/issueReferenced',
    ),
    verdictItem(
      'test_evidence_submitted',
      isMet(config.requireTestEvidence && checks.testEvidenceSubmitted, 'test_evidence_missing'),
      '/checks/testEvidenceSubmitted',
    ),
    verdictItem('checks_not_failing', isMet(lookup.status === 'verified', 'checks_failing'), '/codehostLookup/ciStatus'),
    verdictItem('not_closed_unmerged', isMet(lookup.status === 'verified', 'closed_without_merge'), '/codehostLookup/state'),
    verdictItem(
      'disclosure_present',
      isMet(disclosureRequired && checks.disclosureFooterPresent, 'disclosure_footer_missing'),
      '/checks/disclosureFooterPresent',
    ),
    verdictItem('claimant_bound', isMet(bound, 'claimant_binding_missing', 'claimant_binding_mismatched'), '/checks/claimantBinding'),
    verdictItem('policy_gates_passed', gates.length === 0 ? null : gates.every(({ passed }) => passed), '/policyGates'),
    verdictItem('score_reached', score >= config.minimumScore, '/score'),
  ]
}
