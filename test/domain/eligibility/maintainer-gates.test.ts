import { describe, expect, test } from '@jest/globals'
import { known } from '../../../domain/common/fact.ts'
import { certainRefusal, evaluate, refusalOf } from '../../../domain/eligibility/evaluate.ts'
import type { EligibilityFacts } from '../../../domain/eligibility/facts.ts'
import { maintainerView } from '../../../domain/eligibility/views/preflight.ts'
import type { MaintainerFacts } from '../../../domain/pull-requests/policy/standing.ts'
import type { RepositoryPolicy, SourceIssue } from '../../../schemas/pull-requests/policy.ts'
import { POLICY, someFacts } from '../builders/eligibility.ts'
import { policyOf } from '../builders/maintainers.ts'

const REPO = 'acme/widgets'
const issueWith = (changes: Partial<SourceIssue> = {}): SourceIssue => ({
  number: 7,
  state: 'open',
  verdict: 'allows',
  reason: null,
  quote: null,
  ...changes,
})
const maintainers = (changes: Partial<MaintainerFacts> = {}): MaintainerFacts => ({
  repo: REPO,
  policy: policyOf(REPO),
  issue: issueWith(),
  isFresh: true,
  mustBeFresh: true,
  capacity: { repo: REPO, openCount: 2, openPrCap: 3 },
  ...changes,
})
const judge = (changes: Partial<MaintainerFacts>, facts: Partial<EligibilityFacts> = {}) =>
  evaluate(someFacts({ maintainers: known(maintainers(changes)), ...facts }), POLICY)
const denial = (reason: string): Partial<MaintainerFacts> => ({ policy: policyOf(REPO, { verdict: 'denies', reason, quote: 'No.' }) })
const human: RepositoryPolicy = policyOf(REPO, { verdict: 'human_required', path: 'AI_POLICY.md', quote: 'A person answers.' })

describe('a claim of a job with maintainers', () => {
  test.each<[string, Partial<MaintainerFacts>, Partial<EligibilityFacts>, string | null]>([
    ['allows', {}, {}, null],
    ['is on the list of the operator', denial('repo_denylisted'), {}, 'maintainer_policy/repo_denylisted'],
    [
      'takes no work of agents',
      denial('repo_ai_policy_denies_agent_contributions'),
      {},
      'maintainer_policy/repo_ai_policy_denies_agent_contributions',
    ],
    ['asks to stop', denial('maintainer_stop_signal'), {}, 'maintainer_policy/maintainer_stop_signal'],
    ['denied it long ago', { ...denial('maintainer_stop_signal'), isFresh: false }, {}, 'maintainer_policy/maintainer_stop_signal'],
    [
      'says no in the issue',
      { issue: issueWith({ verdict: 'denies', reason: 'maintainer_stop_signal' }) },
      {},
      'maintainer_policy/maintainer_stop_signal',
    ],
    ['is archived', { policy: policyOf(REPO, { isClosed: true }) }, {}, 'maintainer_policy/source_repository_closed'],
    ['closed the issue', { issue: issueWith({ state: 'closed' }) }, {}, 'maintainer_policy/source_issue_closed'],
    ['lost the issue', { issue: issueWith({ state: 'missing' }) }, {}, 'maintainer_policy/source_issue_closed'],
    ['was read too long ago', { isFresh: false }, {}, 'maintainer_policy/maintainer_policy_unavailable'],
    ['was never read', { isFresh: false, policy: null, issue: null }, {}, 'maintainer_policy/maintainer_policy_unavailable'],
    ['was never read, in a list', { isFresh: false, mustBeFresh: false, policy: null, issue: null }, {}, null],
    ['is full', { capacity: { repo: REPO, openCount: 3, openPrCap: 3 } }, {}, 'open_pr_cap/maintainer_open_pr_cap_reached'],
    ['has no cap', { capacity: null }, {}, null],
    ['wants a person', { policy: human }, {}, 'responsible_person/responsible_person_required'],
    ['wants a person, who is named', { policy: human }, { responsiblePerson: known('@jane') }, null],
    ['wants a person, in a list', { policy: human }, { responsiblePerson: 'unknown' }, null],
    ['wants disclosure', { policy: policyOf(REPO, { verdict: 'disclose' }) }, {}, null],
  ])('whose repository %s', (_how, changes, facts, first) => {
    const [found] = judge(changes, facts).blockers
    expect(found === undefined ? null : `${found.gate}/${found.code}`).toBe(first)
  })

  test.each([
    [policyOf(REPO).repoId, []],
    [policyOf(REPO).repoId + 1, ['source_repository_closed']],
  ])('that names the repository %i is refused where another one has its name', (repoId, codes) => {
    const { job } = judge({}).assessment.facts
    const source = { type: 'codehost_issue', repo: REPO, repoId }
    const { blockers } = judge({}, { job: { ...job, definition: { ...job.definition, source } } })
    expect(blockers.map(({ code }) => code)).toEqual(codes)
  })

  test('is refused by the policy before a delisting, so that the worker learns why', () => {
    const evaluation = judge(denial('maintainer_stop_signal'))
    const { job } = evaluation.assessment.facts
    const paused = { ...job, lifecycleStatus: 'paused' as const }
    const { blockers } = judge(denial('maintainer_stop_signal'), { job: paused })
    expect(blockers.map(({ code }) => code)).toEqual(['maintainer_stop_signal', 'job_paused'])
  })

  test('is certainly refused before wallet and chain are read', () => {
    const unread = { scores: 'unknown', economics: 'unknown', chainJob: 'unknown' } as const
    expect(certainRefusal(judge(denial('maintainer_stop_signal'), unread))?.code).toBe('maintainer_stop_signal')
  })

  test('that waits for a reading has a time to retry, and a denial has none', () => {
    const [waiting] = judge({ isFresh: false }).blockers
    const [denied] = judge(denial('maintainer_stop_signal')).blockers
    expect([waiting?.retryable, waiting?.retryAfterSeconds]).toEqual([true, 60])
    expect([denied?.retryable, denied?.retryAfterSeconds]).toEqual([false, undefined])
    expect(denied && refusalOf(denied).info.details).toMatchObject({ repo: REPO, quote: 'No.' })
  })

  test('sees in its preflight what the maintainers say', () => {
    expect(maintainerView(judge({ policy: human }).assessment)).toEqual({
      openPullRequests: { repo: REPO, openCount: 2, openPrCap: 3 },
      maintainers: {
        verdict: 'human_required',
        path: 'AI_POLICY.md',
        quote: 'A person answers.',
        responsiblePersonRequired: true,
        forbidsTrailers: false,
        readAt: '1970-01-01T00:00:00.000Z',
      },
    })
  })
})
