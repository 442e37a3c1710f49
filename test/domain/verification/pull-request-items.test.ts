import { expect, test } from '@jest/globals'
import { pullRequestItems } from '../../../domain/verification/pull-request-items.ts'

type Judged = Parameters<typeof pullRequestItems>[0]

/** A pull request of which everything was read and holds, of a job that requires everything. */
const judged = {
  config: { requireIssueReference: true, requireTestEvidence: true, requireClaimantBinding: true, minimumScore: 80 },
  checks: {
    prUrlValid: true,
    repoMatches: true,
    issueReferenced: true,
    testEvidenceSubmitted: true,
    disclosureFooterPresent: true,
    claimantBinding: 'matched',
  },
  lookup: { status: 'verified', policyGates: [{ passed: true }] },
  disclosureRequired: true,
  blockers: [],
  score: 80,
} as unknown as Judged
const config = (changes: object) => ({ config: { ...judged.config, ...changes } }) as Partial<Judged>
const checks = (changes: object) => ({ checks: { ...judged.checks, ...changes } }) as Partial<Judged>
const lookup = (changes: object) => ({ lookup: { ...judged.lookup, ...changes } }) as Partial<Judged>

const POINTERS = {
  pr_url_valid: '/checks/prUrlValid',
  repo_matches: '/checks/repoMatches',
  issue_referenced: '/checks/issueReferenced',
  test_evidence_submitted: '/checks/testEvidenceSubmitted',
  checks_not_failing: '/codehostLookup/ciStatus',
  not_closed_unmerged: '/codehostLookup/state',
  disclosure_present: '/checks/disclosureFooterPresent',
  claimant_bound: '/checks/claimantBinding',
  policy_gates_passed: '/policyGates',
  score_reached: '/score',
}
type Criterion = keyof typeof POINTERS
/** Results that differ from those of a pull request of which everything holds. */
const differing = (changes: Partial<Judged>) =>
  Object.fromEntries(
    pullRequestItems({ ...judged, ...changes })
      .filter(({ result }) => result !== 'met')
      .map(({ criterion, result }) => [criterion, result]),
  )

test('a pull request of which everything holds meets every criterion, with where that was read', () => {
  expect(pullRequestItems(judged)).toEqual(
    Object.entries(POINTERS).map(([criterion, evidence]) => ({ criterion, result: 'met', evidence })),
  )
})

test.each<[Criterion, Judged['blockers'][number]]>([
  ['pr_url_valid', 'pr_url_invalid'],
  ['repo_matches', 'repo_mismatch'],
  ['issue_referenced', 'issue_reference_missing'],
  ['test_evidence_submitted', 'test_evidence_missing'],
  ['checks_not_failing', 'checks_failing'],
  ['not_closed_unmerged', 'closed_without_merge'],
  ['disclosure_present', 'disclosure_footer_missing'],
  ['claimant_bound', 'claimant_binding_missing'],
  ['claimant_bound', 'claimant_binding_mismatched'],
])('%s is unmet with the blocker %s, and nothing else is', (criterion, blocker) => {
  expect(differing({ blockers: [blocker] })).toEqual({ [criterion]: 'unmet' })
})

test.each<[string, Partial<Judged>, Criterion[]]>([
  ['its address is not valid', checks({ prUrlValid: false }), ['pr_url_valid']],
  ['its repository is unknown', checks({ repoMatches: false }), ['repo_matches']],
  ['no issue is required', config({ requireIssueReference: false }), ['issue_referenced']],
  ['its issue was not found', checks({ issueReferenced: false }), ['issue_referenced']],
  ['no tests are required', config({ requireTestEvidence: false }), ['test_evidence_submitted']],
  ['no tests were named', checks({ testEvidenceSubmitted: false }), ['test_evidence_submitted']],
  ['the code host was not read', lookup({ status: 'unavailable' }), ['checks_not_failing', 'not_closed_unmerged']],
  ['no disclosure is required', { disclosureRequired: false }, ['disclosure_present']],
  ['its disclosure was not found', checks({ disclosureFooterPresent: false }), ['disclosure_present']],
  ['no binding is required', config({ requireClaimantBinding: false }), ['claimant_bound']],
  ['its binding was not read', checks({ claimantBinding: 'unread' }), ['claimant_bound']],
  ['its repository has no gates', lookup({ policyGates: [] }), ['policy_gates_passed']],
  ['its gates were not read', lookup({ policyGates: undefined }), ['policy_gates_passed']],
])('where %s and nothing blocks, %j does not apply', (_what, changes, criteria) => {
  expect(differing(changes)).toEqual(Object.fromEntries(criteria.map((criterion) => [criterion, 'not_applicable'])))
})

test('one gate that did not pass is enough, and so is one point', () => {
  expect(differing(lookup({ policyGates: [{ passed: true }, { passed: false }] }))).toEqual({ policy_gates_passed: 'unmet' })
  expect(differing({ score: 79 })).toEqual({ score_reached: 'unmet' })
})
