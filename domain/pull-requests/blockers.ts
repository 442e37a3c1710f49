import type { CodehostPrConfig } from '../../schemas/catalogue/job-definition.ts'
import type { CodehostLookup } from '../../schemas/pull-requests/record.ts'
import type { PullRequestChecks } from './checks.ts'
import { isMergedAccepted } from './score.ts'

/** Reasons that prevent an approval at any score. */
const PULL_REQUEST_BLOCKERS = [
  'pr_url_invalid',
  'repo_mismatch',
  'issue_reference_missing',
  'test_evidence_missing',
  'checks_failing',
  'closed_without_merge',
  'disclosure_footer_missing',
  'claimant_binding_missing',
  'claimant_binding_mismatched',
] as const
export type PullRequestBlocker = (typeof PULL_REQUEST_BLOCKERS)[number]

export interface BlockingFacts {
  config: CodehostPrConfig
  checks: PullRequestChecks
  lookup: CodehostLookup
  disclosureRequired: boolean
}

/** True when the job requires its issue and neither submission nor pull request names it. */
export const issueNotNamed = (config: CodehostPrConfig, checks: PullRequestChecks): boolean =>
  config.requireIssueReference && !checks.issueReferenced

const bindingMissing = ({ config, checks }: BlockingFacts): boolean => config.requireClaimantBinding && checks.claimantBinding === 'missing'
const bindingMismatched = ({ config, checks }: BlockingFacts): boolean =>
  config.requireClaimantBinding && checks.claimantBinding === 'mismatched'

const HOLDS: Record<PullRequestBlocker, (facts: BlockingFacts) => boolean> = {
  pr_url_invalid: ({ checks }) => !checks.prUrlValid,
  repo_mismatch: ({ checks }) => !checks.repoMatches,
  issue_reference_missing: ({ config, checks, lookup }) => issueNotNamed(config, checks) && lookup.prBodyReadable !== false,
  test_evidence_missing: ({ config, checks }) =>
    config.requireTestEvidence && !checks.testEvidenceSubmitted && !isMergedAccepted(config, checks),
  checks_failing: ({ checks, lookup }) => !checks.merged && lookup.ciStatus === 'failing',
  closed_without_merge: ({ lookup }) => lookup.state === 'closed' && lookup.merged !== true,
  disclosure_footer_missing: ({ disclosureRequired, lookup }) =>
    disclosureRequired && lookup.prBodyReadable === true && lookup.disclosureFooterPresent !== true,
  claimant_binding_missing: bindingMissing,
  claimant_binding_mismatched: bindingMismatched,
}

/** Active blockers in the order of the list. A blocker that depends on the code host needs a reading. */
export const pullRequestBlockers = (facts: BlockingFacts): PullRequestBlocker[] =>
  PULL_REQUEST_BLOCKERS.filter((blocker) => HOLDS[blocker](facts))
