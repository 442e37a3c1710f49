import { describe, expect, test } from '@jest/globals'
import { PROVIDER_PARTS } from '../../../activities/ingestion/providers.ts'
import { githubRules } from '../../../domain/ingestion/github.ts'
import { osvRules } from '../../../domain/ingestion/osv.ts'
import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { githubIssue, inRepository, osvPackage, policyOf } from '../../domain/ingestion/items.ts'

const itemsUnder = (policy: RepositoryPolicy | null) => ({
  github: githubIssue({ policy }),
  osv: osvPackage({ repository: inRepository({ policy }) }),
})

describe.each(['github', 'osv'] as const)('the policy of the repository of a candidate of %s', (provider) => {
  const decide = (policy: RepositoryPolicy | null) => PROVIDER_PARTS[provider].decidePolicy?.(itemsUnder(policy)[provider])

  test.each<[string, RepositoryPolicy | null]>([
    ['repo_policy_unread', null],
    ['repo_closed', policyOf({ isClosed: true })],
    ['maintainer_stop_signal', policyOf({ verdict: 'denies', reason: 'maintainer_stop_signal' })],
    ['repo_denylisted', policyOf({ verdict: 'denies', reason: 'repo_denylisted' })],
    ['repo_ai_policy_denies_agent_contributions', policyOf({ verdict: 'denies' })],
  ])('skips it as %s', (reason, policy) => {
    expect(decide(policy)?.refusal?.reason).toBe(reason)
  })

  test.each(['allows', 'disclose', 'human_required'] as const)(
    'lets it be a job under the verdict %s, and stands in its source',
    (verdict) => {
      expect(decide(policyOf({ verdict }))).toMatchObject({
        refusal: null,
        maintainerPolicy: { repoDenied: false, disclosureRequired: true },
      })
    },
  )
})

test('the rules of a source leave the policy of a repository to one decision', () => {
  const { github, osv } = itemsUnder(policyOf({ verdict: 'denies' }))
  expect([githubRules.unfitOf(github)?.reason, osvRules.unfitOf(osv)?.reason]).toEqual([undefined, 'no_fixed_version'])
})
test('a package of no repository has no policy to decide by', () => {
  expect(PROVIDER_PARTS.osv.decidePolicy?.(osvPackage())).toBeNull()
})
