import type { CodehostPrConfig } from '../../schemas/catalogue/job-definition.ts'
import type { PullRequestChecks } from './checks.ts'

/** Points of each check; together 100. Source: lifecycle, "codehost_pr". */
const POINTS = {
  prUrlValid: 25,
  repoMatches: 15,
  issueReferenced: 15,
  summarySubmitted: 10,
  testEvidenceSubmitted: 15,
  checksPassing: 10,
  reviewApproved: 5,
  merged: 5,
} as const satisfies Partial<Record<keyof PullRequestChecks, number>>

type Scored = keyof typeof POINTS
const SCORED = Object.keys(POINTS) as Scored[]

/** Minimum score of an accepted merge. */
const MERGED_SCORE = 95

/** True for a merged pull request of the job, which needs no test evidence or passing checks. */
export const isMergedAccepted = (config: CodehostPrConfig, checks: PullRequestChecks): boolean =>
  config.acceptMergedAsApproved && checks.merged && checks.prUrlValid && checks.repoMatches && checks.issueReferenced

/** Score of 0 to 100. */
export function scorePullRequest(config: CodehostPrConfig, checks: PullRequestChecks): number {
  const score = SCORED.reduce((sum, check) => sum + (checks[check] ? POINTS[check] : 0), 0)
  return isMergedAccepted(config, checks) ? Math.max(score, MERGED_SCORE) : score
}
