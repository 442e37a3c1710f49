import type { CodehostLookup, KnownRepository } from '../../schemas/pull-requests/record.ts'
import { evidenceText } from '../common/text.ts'
import { type OfferedPullRequest, repoKey, repoOf } from './address.ts'
import type { BindingStatus } from './disclosure.ts'
import { type ExpectedWork, namesIssue } from './expected.ts'

/** Check results of a pull request. Source: lifecycle, "codehost_pr". */
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

const hasText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

const issueClaimed = (members: Record<string, unknown>, text: string, expected: ExpectedWork): boolean =>
  members.referencesIssue === true ||
  (expected.issueNumber !== null && members.issueNumber === expected.issueNumber) ||
  namesIssue(text, expected)

const isRepo = (repo: string, expected: ExpectedWork): boolean => expected.repo !== null && repoKey(repo) === repoKey(expected.repo)

/** True when an address names the job's repository, on the job's host where it names one. */
export const isExpectedRepo = ({ ref }: OfferedPullRequest, expected: ExpectedWork): boolean =>
  ref !== null && isRepo(repoOf(ref), expected) && (expected.host === null || expected.host === ref.host)

type LookedUp = Pick<CheckedWork, 'lookup' | 'expected' | 'expectedRepoId' | 'knownRepository'>

/** Whether a lookup is of the job's repository: by the id that the job names, else by its name, or by the id that this name had at the first read. */
function isJobRepository({ lookup, expected, expectedRepoId, knownRepository }: LookedUp): boolean {
  if (lookup.status !== 'verified') return true
  if (expectedRepoId !== null) return lookup.repoId === expectedRepoId
  if (isRepo(lookup.repo, expected)) return true
  return knownRepository !== null && isRepo(knownRepository.repo, expected) && knownRepository.repoId === lookup.repoId
}

export interface CheckedWork {
  submission: unknown
  offered: OfferedPullRequest
  expected: ExpectedWork
  /** Id of the job's repository; null where the job names none. */
  expectedRepoId: number | null
  lookup: CodehostLookup
  binding: BindingStatus
  knownRepository: KnownRepository | null
}

/** Every check of a pull request; the values of a verified lookup replace those of the submission. */
export function checkPullRequest({ submission, offered, lookup, binding, ...known }: CheckedWork): PullRequestChecks {
  const { expected } = known
  // Texts and lists have none of the members below.
  const members = (submission ?? {}) as Record<string, unknown>
  const text = evidenceText(submission)
  const checksPassing = lookup.checksPassing ?? (members.checksPassing === true || members.ciStatus === 'passing')
  const merged = lookup.merged ?? members.merged === true
  const tested = hasText(members.tests) || hasText(members.testOutput) || (TEST_WORDS.test(text) && PASS_WORDS.test(text))
  return {
    prUrlPresent: offered.address !== null,
    prUrlValid: offered.ref !== null,
    repoMatches: isExpectedRepo(offered, expected) && isJobRepository({ lookup, ...known }),
    issueReferenced: lookup.issueReferenced ?? issueClaimed(members, text, expected),
    summarySubmitted: hasText(members.summary) || hasText(members.output) || hasText(lookup.title),
    testEvidenceSubmitted: tested || checksPassing || merged,
    checksPassing,
    reviewApproved: lookup.reviewApproved ?? members.reviewApproved === true,
    merged,
    disclosureFooterPresent: lookup.disclosureFooterPresent ?? false,
    claimantBinding: binding,
  }
}
