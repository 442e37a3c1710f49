import { describe, expect, test } from '@jest/globals'
import { jobDisclosure } from '../../../domain/pull-requests/disclosure.ts'
import { maintainerPolicyMember, policyInstructions, strictestStatement } from '../../../domain/pull-requests/policy/standing.ts'
import type { RepositoryPolicy, SourceIssue } from '../../../schemas/pull-requests/policy.ts'
import { builtJob, prBody } from '../builders/job.ts'
import { policyOf } from '../builders/maintainers.ts'

const REPO = 'acme/widgets'
const disclosureUnder = (policy: RepositoryPolicy) => {
  const source = { type: 'codehost_issue', repo: REPO, issueNumber: 7, maintainerPolicy: maintainerPolicyMember(policy) }
  return jobDisclosure(builtJob(prBody({ source })).definition, 'https://work.example/job')
}

describe('a job that is made of a repository', () => {
  test('states the policy that was read', () => {
    const policy = policyOf(REPO, { verdict: 'disclose', path: 'AI_POLICY.md', quote: 'Disclose it.', scannedPaths: ['AI_POLICY.md'] })
    expect(maintainerPolicyMember(policy)).toEqual({
      repoDenied: false,
      disclosureRequired: true,
      scannedPaths: ['AI_POLICY.md'],
      verdict: 'disclose',
      forbidsTrailers: false,
      path: 'AI_POLICY.md',
      quote: 'Disclose it.',
    })
    expect(policyInstructions(policy)).toEqual(['The maintainers ask for disclosure in AI_POLICY.md: “Disclose it.”'])
    expect(policyInstructions(policyOf(REPO))).toEqual([])
  })

  test('has the line of a responsible person in its footer where maintainers want one', () => {
    expect(disclosureUnder(policyOf(REPO, { verdict: 'human_required' }))?.canonicalFooter).toContain(
      'Responsible person: <responsible-person>',
    )
    expect(disclosureUnder(policyOf(REPO))?.canonicalFooter).not.toContain('Responsible person')
    expect(policyInstructions(policyOf(REPO, { verdict: 'human_required' }))).toHaveLength(1)
  })

  test('says that trailers are forbidden where they are', () => {
    const policy = policyOf(REPO, { verdict: 'disclose', forbidsTrailers: true })
    expect(disclosureUnder(policy)?.rule).toContain('no Co-authored-by')
    expect(disclosureUnder(policyOf(REPO))?.rule).not.toContain('Co-authored-by')
    expect(policyInstructions(policy)).toEqual([expect.stringContaining('Co-authored-by')])
  })

  test('follows the stricter of repository and issue', () => {
    const issue: SourceIssue = { number: 7, state: 'open', verdict: 'denies', reason: 'maintainer_stop_signal', quote: 'Stop.' }
    const policy = policyOf(REPO, { verdict: 'human_required', path: 'AI_POLICY.md' })
    expect(strictestStatement({ policy, issue })).toMatchObject({ verdict: 'denies', path: 'issue', quote: 'Stop.' })
    expect(strictestStatement({ policy, issue: { ...issue, verdict: 'allows', reason: null } })?.path).toBe('AI_POLICY.md')
  })
})
