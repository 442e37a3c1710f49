import type { CodehostLookup } from '../../../schemas/codehost.ts'
import type { BindingStatus } from '../../disclosure.ts'
import { evidenceText } from '../text.ts'
import { type OfferedPullRequest, repoKey, repoOf } from './address.ts'
import { type ExpectedWork, namesIssue } from './expected.ts'

/** What was found about a pull request. Source: lifecycle, "codehost_pr". */
export interface PullRequestChecks {
  prUrlPresent: boolean
  prUrlValid: boolean
  repoMatches: boolean
  issueReferenced: boolean
  summarySubmitted: boolean
  testEvidenceSubmitted: boolean
  checksPassing: boolean
  reviewApproved: boolean
  merged: boolean
  disclosureFooterPresent: boolean
  claimantBinding: BindingStatus
}

const TEST_WORDS = /\b(?:tests?|specs?|suite|(?:docs?|documentation) build)\b/i
const PASS_WORDS = /\b(?:pass(?:ed|es|ing)?|succe(?:eds?|eded|ss(?:ful)?)|green|ok)\b/i

const filled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const membersOf = (submission: unknown): Record<string, unknown> =>
  submission !== null && typeof submission === 'object' && !Array.isArray(submission) ? { ...submission } : {}

const issueClaimed = (members: Record<string, unknown>, text: string, expected: ExpectedWork): boolean =>
  members.referencesIssue === true ||
  (expected.issueNumber !== null && members.issueNumber === expected.issueNumber) ||
  namesIssue(text, expected)

/** True when an address names the repository that the job is about, on the job's own host where it names one. */
export const isExpectedRepo = ({ ref }: OfferedPullRequest, expected: ExpectedWork): boolean =>
  ref !== null &&
  expected.repo !== null &&
  repoKey(repoOf(ref)) === repoKey(expected.repo) &&
  (expected.host === null || expected.host === ref.host)

/** What stands in for the submission's claims: the live value once the lookup is verified. */
const liveOr = <T>(lookup: CodehostLookup, live: T | undefined, claimed: T): T =>
  lookup.status === 'verified' && live !== undefined ? live : claimed

export interface CheckedWork {
  submission: unknown
  offered: OfferedPullRequest
  expected: ExpectedWork
  lookup: CodehostLookup
  binding: BindingStatus
}

/** Every check; values of a verified lookup replace what the submission claims. */
export function checkPullRequest({ submission, offered, expected, lookup, binding }: CheckedWork): PullRequestChecks {
  const members = membersOf(submission)
  const text = evidenceText(submission)
  const checksPassing = liveOr(lookup, lookup.checksPassing, members.checksPassing === true || members.ciStatus === 'passing')
  const merged = liveOr(lookup, lookup.merged, members.merged === true)
  const sameRepo = isExpectedRepo(offered, expected)
  const tested = filled(members.tests) || filled(members.testOutput) || (TEST_WORDS.test(text) && PASS_WORDS.test(text))
  return {
    prUrlPresent: offered.given !== null,
    prUrlValid: offered.ref !== null,
    repoMatches: sameRepo && (lookup.repo === undefined || repoKey(lookup.repo) === repoKey(expected.repo ?? '')),
    issueReferenced: liveOr(lookup, lookup.issueReferenced, issueClaimed(members, text, expected)),
    summarySubmitted: filled(members.summary) || filled(members.output) || filled(lookup.title),
    testEvidenceSubmitted: tested || checksPassing || merged,
    checksPassing,
    reviewApproved: liveOr(lookup, lookup.reviewApproved, members.reviewApproved === true),
    merged,
    disclosureFooterPresent: lookup.disclosureFooterPresent ?? false,
    claimantBinding: binding,
  }
}
