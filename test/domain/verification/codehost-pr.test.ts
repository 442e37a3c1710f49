import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { PullRequestChecks } from '../../../domain/pull-requests/checks.ts'
import { summariseChecks } from '../../../domain/pull-requests/ci-summary.ts'
import { dispositionOf } from '../../../domain/pull-requests/observation.ts'
import { reviewState } from '../../../domain/pull-requests/reviews.ts'
import type { CheckRun, CommitStatus, PullRequestReview } from '../../../schemas/codehost/record.ts'
import { BODY, claimant, commitStatus, judge, PR_URL, prConfig, reading, run, WALLET, work } from '../builders/pull-request.ts'

const OTHER = `0x${'12'.repeat(20)}`
const review = (reviewer: string, state: string, maintainer = true): PullRequestReview => ({ reviewer, state, maintainer })
const AWAY = { status: 'unavailable', reason: 'codehost_api_503', isTransient: true, retryAfterSeconds: null } as const
const renamed = () => reading({ repo: 'acme/gadgets' })

describe('the score', () => {
  const merged = { merged: true, state: 'closed' } as const
  const approval = [review('maintainer', 'approved')]
  test.each<[string, Parameters<typeof judge>[0], number, 'approved' | 'rejected']>([
    ['of a good open pull request with green checks', {}, 90, 'approved'],
    ['without a result of CI', { reading: reading({}, { runs: [] }) }, 80, 'approved'],
    ['without tests and CI', { submission: work({ tests: ' ' }), reading: reading({}, { runs: [] }) }, 65, 'rejected'],
    ['with everything', { reading: reading(merged, { reviews: approval }) }, 100, 'approved'],
    ['without an address', { submission: work({ prUrl: 'none' }) }, 90 - 25 - 15, 'rejected'],
    ['in another repository', { submission: work({ prUrl: PR_URL.replace('widgets', 'gadgets') }) }, 75, 'rejected'],
    ['without its issue', { reading: reading({ body: BODY.replace('#7', 'it') }) }, 75, 'rejected'],
    ['without summary and title', { submission: work({ summary: ' ' }), reading: reading({ title: ' ' }) }, 80, 'approved'],
    ['with a failed check', { reading: reading({}, { runs: [run('test', 'failure')] }) }, 80, 'rejected'],
    ['with an approved review', { reading: reading({}, { reviews: approval }) }, 95, 'approved'],
  ])('%s is %p points', (_what, changes, score, outcome) => {
    expect(judge(changes)).toMatchObject({ score, outcome })
  })

  test('of merged work is at least 95, tests or not', () => {
    const failing = reading(merged, { runs: [run('test', 'failure')] })
    expect(judge({ submission: work({ tests: ' ' }), reading: failing })).toMatchObject({ outcome: 'approved', score: 95, blockers: [] })
    const strict = { config: prConfig({ acceptMergedAsApproved: false }), submission: work({ tests: ' ' }), reading: failing }
    expect(judge(strict).score).toBe(85)
  })

  test('of merged work that answers another issue is not raised', () => {
    const other = reading({ ...merged, body: BODY.replace('#7', '#8') })
    expect(judge({ reading: other })).toMatchObject({ outcome: 'rejected', score: 80, blockers: ['issue_reference_missing'] })
  })
})

describe('claims of the submission', () => {
  const boast = work({ checksPassing: true, ciStatus: 'passing', reviewApproved: true, merged: true, referencesIssue: true })
  const unread = { status: 'skipped', reason: 'codehost_token_not_configured' } as const

  test('are replaced by what the host says', () => {
    const found = judge({ submission: boast, reading: reading({ body: BODY.replace('#7', 'it') }, { runs: [] }) })
    expect(found.checks).toMatchObject({ checksPassing: false, reviewApproved: false, merged: false, issueReferenced: false })
    expect(found.outcome).toBe('rejected')
  })

  test('never approve anything by themselves', () => {
    for (const status of ['skipped', 'not_applicable'] as const)
      expect(judge({ submission: boast, reading: { status, reason: 'codehost_token_not_configured' } })).toMatchObject({
        outcome: 'disputed',
        score: 100,
      })
  })

  test('count for no profile until the host vouches for them', () => {
    const { signals, reputationSignals } = judge({ submission: boast, reading: unread })
    expect(new Set(Object.values(signals))).toEqual(new Set([true]))
    expect(reputationSignals).toEqual({
      attempted: true,
      testEvidenceSubmitted: true,
      prOpened: false,
      issueReferenced: false,
      checksPassed: false,
      maintainerApproved: false,
      merged: false,
    })
    const vouched = judge()
    expect(vouched.reputationSignals).toEqual(vouched.signals)
    expect(vouched.reputationSignals).toMatchObject({ prOpened: true, issueReferenced: true, checksPassed: true, merged: false })
  })

  const bare = { prUrl: PR_URL, summary: 'The parser keeps the last row.' }
  test.each<[keyof PullRequestChecks, Record<string, unknown>]>([
    ['checksPassing', { checksPassing: true }],
    ['checksPassing', { ciStatus: 'passing' }],
    ['merged', { merged: true }],
    ['reviewApproved', { reviewApproved: true }],
    ['issueReferenced', { referencesIssue: true }],
    ['issueReferenced', { issueNumber: 7 }],
    ['issueReferenced', { prBody: 'Fixes #7.' }],
    ['testEvidenceSubmitted', { tests: 'see the log' }],
    ['testEvidenceSubmitted', { testOutput: 'see the log' }],
    ['testEvidenceSubmitted', { notes: 'The documentation build is green.' }],
    ['testEvidenceSubmitted', { ciStatus: 'passing' }],
    ['testEvidenceSubmitted', { merged: true }],
  ])('stand for %s while the host was not read: %p', (check, claim) => {
    expect(judge({ submission: bare, reading: unread }).checks[check]).toBe(false)
    expect(judge({ submission: { ...bare, ...claim }, reading: unread }).checks[check]).toBe(true)
  })

  const NOUNS = ['test', 'tests', 'spec', 'specs', 'suite', 'doc build', 'docs build', 'documentation build']
  const VERBS = ['pass', 'passed', 'passes', 'passing', 'succeed', 'succeeds', 'succeeded', 'success', 'successful', 'green', 'ok']
  test.each([
    ...NOUNS.map((noun) => [noun, (word: string) => `The ${word} passed.`] as const),
    ...VERBS.map((verb) => [verb, (word: string) => `All tests: ${word}.`] as const),
  ])('“%s” in the text is evidence of tests', (word, sentence) => {
    const tested = (notes: string) => judge({ submission: { ...bare, notes }, reading: unread }).checks.testEvidenceSubmitted
    expect([word, word.toUpperCase(), `x${word}x`].map(sentence).map(tested)).toEqual([true, true, false])
  })

  test.each<[keyof PullRequestChecks, Record<string, unknown>]>([
    ['checksPassing', { checksPassing: 'true', ciStatus: 'failing' }],
    ['merged', { merged: 'true' }],
    ['reviewApproved', { reviewApproved: 'true' }],
    ['issueReferenced', { referencesIssue: 'true', issueNumber: 8 }],
    ['testEvidenceSubmitted', { tests: ' ', notes: 'Tests were written.' }],
    ['testEvidenceSubmitted', { testOutput: ' ', notes: 'All is green.' }],
  ])('do not stand for %s in another form: %p', (check, claim) => {
    expect(judge({ submission: { ...bare, ...claim }, reading: unread }).checks[check]).toBe(false)
  })

  test('of no issue are no reference where the job names no number', () => {
    const definition = { verifierMode: 'codehost_pr' as const, source: { type: 'codehost_issue', repo: 'acme/widgets' } }
    expect(judge({ definition, submission: { ...bare, issueNumber: null }, reading: unread }).checks.issueReferenced).toBe(false)
  })

  test.each([
    ['nothing', { summary: 'x' }, { prUrlPresent: false, prUrlValid: false, repoMatches: false }],
    ['another address', { prUrl: 'acme/widgets#12' }, { prUrlPresent: true, prUrlValid: false, repoMatches: false }],
    ['text alone', `Tests passed, see ${PR_URL}`, { prUrlPresent: true, prUrlValid: true, repoMatches: true, testEvidenceSubmitted: true }],
  ])('may be %s', (_what, submission, checks) => {
    expect(judge({ submission, reading: unread }).checks).toMatchObject({ ...checks, disclosureFooterPresent: false })
  })
})

describe('the decision', () => {
  test.each([
    [
      'test_evidence_missing',
      { submission: work({ tests: ' ' }), reading: reading({}, { runs: [] }), config: prConfig({ minimumScore: 10 }) },
    ],
    ['issue_reference_missing', { reading: reading({ body: BODY.replace('#7', 'it') }) }],
    ['checks_failing', { reading: reading({}, { runs: [run('test', 'failure')] }) }],
    ['disclosure_footer_missing', { reading: reading({ body: `Fixes #7. Wallet: ${WALLET}` }) }],
    ['claimant_binding_missing', { reading: reading({ body: 'Fixes #7.' }) }],
    ['claimant_binding_mismatched', { reading: reading({ body: BODY.replaceAll(WALLET, OTHER) }) }],
    ['repo_mismatch', { submission: work({ prUrl: PR_URL.replace('codehost.example', 'elsewhere.example') }) }],
    ['pr_url_invalid', { submission: work({ prUrl: 'acme/widgets#12' }) }],
  ])('%s blocks, whatever the score', (blocker, changes) => {
    const found = judge(changes)
    expect(found.blockers).toContain(blocker)
    expect(found).toMatchObject({ outcome: 'rejected', reasonCode: 'CODEHOST_PR_EVIDENCE_INCOMPLETE' })
    expect(found.detail).toContain(blocker)
  })

  const withPerson = (line: string) => reading({ body: BODY.replace('Job spec:', `${line}\nJob spec:`) })
  const HUMAN = {
    verifierMode: 'codehost_pr' as const,
    source: { type: 'codehost_issue', repo: 'acme/widgets', issueNumber: 7, maintainerPolicy: { verdict: 'human_required' } },
  }
  const ADA = { ...claimant, responsiblePerson: 'Ada Lovelace (@ada_l)' }
  test.each<[string, string, Parameters<typeof judge>[0], boolean]>([
    ['no line, where the maintainers want a person', '', { definition: HUMAN, claimant: ADA }, false],
    ['the placeholder of the footer', 'Responsible person: <responsible-person>', { definition: HUMAN }, false],
    ['another person than the claim', 'Responsible person: Charles', { definition: HUMAN, claimant: ADA }, false],
    ['the line in code alone', '`Responsible person: Ada Lovelace (@ada_l)`', { definition: HUMAN, claimant: ADA }, false],
    ['no line, where the claim named a person', '', { claimant: ADA }, false],
    ['the person of the claim', 'Responsible person: Ada Lovelace (@ada_l)', { definition: HUMAN, claimant: ADA }, true],
    ['the person in other writing', '**Responsible person**: *ada lovelace* (`@ada_l`)', { definition: HUMAN, claimant: ADA }, true],
    ['a person, where the claim is not known to name one', 'Responsible person: Ada', { definition: HUMAN }, true],
    ['no line, where nothing asks for a person', '', {}, true],
  ])('counts a footer with %s as what the policy asks for: %s', (_what, line, changes, isPresent) => {
    const found = judge({ ...changes, reading: withPerson(line) })
    expect(found.checks.disclosureFooterPresent).toBe(isPresent)
    expect(found.blockers.includes('disclosure_footer_missing')).toBe(!isPresent)
  })

  test('leaves a pull request that was closed without a merge to people', () => {
    const found = judge({ reading: reading({ state: 'closed' }) })
    expect(found.blockers).toContain('closed_without_merge')
    expect(found).toMatchObject({ outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED' })
  })

  test('a failing policy gate asks people first, even over a definite failure', () => {
    const gate = reading({ body: 'Fixes #7.' }, { runs: [run('test', 'success'), run('EasyCLA', 'failure'), run('DCO', null)] })
    expect(judge({ reading: gate, submission: work({ prUrl: PR_URL.replace('widgets', 'gadgets') }) })).toMatchObject({
      outcome: 'disputed',
      reasonCode: 'HUMAN_REVIEW_REQUIRED',
      escalatedFrom: 'codehost_pr',
      detail: 'codehost_policy_gate_requires_review: EasyCLA, DCO',
    })
  })

  test('a gate that passes calls no person', () => {
    expect(judge({ reading: reading({}, { runs: [run('test', 'success'), run('DCO', 'success')] }) })).toMatchObject({
      outcome: 'approved',
      policyGates: [{ name: 'DCO', conclusion: 'success', passed: true }],
    })
  })

  test('a rejection says the score, what was needed and everything that is not met', () => {
    const found = judge({ reading: reading({ body: BODY.replace('#7', 'it') }, { runs: [run('test', 'failure')] }) })
    expect(found.detail).toBe('Score 65 (80 needed). Not met: issue_reference_missing, checks_failing.')
  })

  test.each([
    ['missing', 'Fixes #7.'],
    ['mismatched', BODY.replaceAll(WALLET, OTHER)],
  ])('a claimant line that is %s is a definite failure although the reviews could not be read', (_status, body) => {
    expect(judge({ reading: reading({ body }, { reviews: null }) }).outcome).toBe('rejected')
  })

  describe('of a job that names the id of its repository', () => {
    const named = (repoId: number) => ({
      verifierMode: 'codehost_pr' as const,
      source: {
        type: 'codehost_issue',
        repo: 'acme/widgets',
        repoId,
        issueNumber: 7,
        issueUrl: 'https://codehost.example/acme/widgets/issues/7',
      },
    })

    test.each<[string, Parameters<typeof reading>[0]]>([
      ['its name', {}],
      ['a new name', { repo: 'acme/gadgets' }],
    ])('approves the repository of that id under %s', (_name, pull) => {
      expect(judge({ definition: named(1), reading: reading(pull) })).toMatchObject({ outcome: 'approved', checks: { repoMatches: true } })
    })

    test.each<[string, Parameters<typeof reading>[0]]>([
      ['open', {}],
      ['merged', { merged: true, state: 'closed' }],
    ])('approves no %s pull request of a repository that was created again under its name', (_state, pull) => {
      const knownRepository = { repo: 'acme/widgets', repoId: 1 }
      expect(judge({ definition: named(2), reading: reading(pull), knownRepository })).toMatchObject({
        outcome: 'disputed',
        detail: 'codehost_repository_replaced',
        checks: { repoMatches: false },
      })
    })
  })

  test('a repository that was renamed after the first read is the same one', () => {
    const knownRepository = { repo: 'Acme/Widgets', repoId: 1 }
    expect(judge({ reading: renamed(), knownRepository })).toMatchObject({ outcome: 'approved', checks: { repoMatches: true } })
  })

  test('a definite failure of the submission is one although the host was not read', () => {
    expect(judge({ reading: AWAY, submission: work({ prUrl: 'none' }) }).outcome).toBe('rejected')
    expect(judge({ reading: AWAY, submission: work({ prUrl: PR_URL.replace('acme', 'emca') }) }).outcome).toBe('rejected')
  })

  test.each([
    ['codehost_api_404', { reading: { ...AWAY, reason: 'codehost_api_404', isTransient: false } }],
    ['codehost_token_not_configured', { reading: { status: 'skipped', reason: 'codehost_token_not_configured' } as const }],
    ['codehost_lookup_partial', { reading: reading({}, { reviews: null }) }],
    ['codehost_lookup_partial', { reading: reading({}, { statuses: null }) }],
    ['codehost_lookup_partial', { reading: reading({}, { runs: null }) }],
    ['codehost_pr_body_claimant_binding_unavailable', { reading: reading({ body: null, title: 'Fix #7' }) }],
    ['codehost_score_ambiguous', { config: prConfig({ minimumScore: 95 }) }],
    ['codehost_repository_renamed', { reading: renamed() }],
    ['codehost_repository_renamed', { reading: reading({ repo: 'acme/gadgets', merged: true, state: 'closed' }) }],
    ['codehost_repository_renamed', { reading: renamed(), knownRepository: { repo: 'acme/gadgets', repoId: 1 } }],
    ['codehost_repository_renamed', { reading: renamed(), knownRepository: { repo: 'acme/widgets', repoId: 2 } }],
    ['codehost_job_names_no_repository', { definition: { verifierMode: 'codehost_pr' as const } }],
  ])('people decide with the reason %s', (detail, changes) => {
    expect(judge(changes)).toMatchObject({ outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED', detail, escalatedFrom: 'codehost_pr' })
  })

  test('an address that the job does not name is a definite failure, whatever its repository is called today', () => {
    const submission = work({ prUrl: PR_URL.replace('widgets', 'gadgets') })
    for (const repo of ['acme/gadgets', 'acme/widgets'])
      expect(judge({ submission, reading: reading({ repo }) })).toMatchObject({ outcome: 'rejected', blockers: ['repo_mismatch'] })
  })

  test('binding is asked for only where the job requires it, the footer only where the maintainer does', () => {
    const bare = reading({ body: 'Fixes #7.' })
    const source = { type: 'codehost_issue', repo: 'acme/widgets', issueNumber: 7, maintainerPolicy: { disclosureRequired: false } }
    const relaxed = { definition: { verifierMode: 'codehost_pr' as const, source }, config: prConfig({ requireClaimantBinding: false }) }
    expect(judge({ reading: bare, ...relaxed })).toMatchObject({ outcome: 'approved', blockers: [] })
  })

  test('a text that could not be read lacks no footer, and no claimant where none is asked for', () => {
    const unreadable = { reading: reading({ body: null, title: 'Fix #7' }), config: prConfig({ requireClaimantBinding: false }) }
    expect(judge(unreadable)).toMatchObject({ outcome: 'approved', blockers: [] })
  })

  test('a text that could not be read leaves open whether it names the issue: people decide, however few points are needed', () => {
    const unread = { reading: reading({ body: null }), submission: work({ referencesIssue: true }) }
    for (const minimumScore of [80, 10]) {
      const config = prConfig({ requireClaimantBinding: false, minimumScore })
      expect(judge({ ...unread, config })).toMatchObject({ outcome: 'disputed', detail: 'codehost_pr_body_unreadable', blockers: [] })
    }
    const empty = { reading: reading({ body: '' }), config: prConfig({ requireClaimantBinding: false }) }
    expect(judge(empty)).toMatchObject({ outcome: 'rejected', blockers: ['issue_reference_missing', 'disclosure_footer_missing'] })
    const unasked = prConfig({ requireClaimantBinding: false, requireIssueReference: false, minimumScore: 75 })
    expect(judge({ ...unread, config: unasked })).toMatchObject({ outcome: 'approved' })
  })

  test('approval means: verified, whole, enough points, no blocker; of any reading', () => {
    const readings = fc.record({
      merged: fc.boolean(),
      state: fc.constantFrom('open' as const, 'closed' as const),
      body: fc.constantFrom(BODY, 'Fixes #7.', null, BODY.replaceAll(WALLET, OTHER)),
      repo: fc.constantFrom('acme/widgets', 'acme/gadgets'),
      conclusion: fc.constantFrom('success', 'failure', null, 'action_required'),
      whole: fc.boolean(),
    })
    fc.assert(
      fc.property(readings, ({ conclusion, whole, ...pull }) => {
        const found = judge({ reading: reading(pull, { runs: [run('test', conclusion)], reviews: whole ? [] : null }) })
        if (found.outcome !== 'approved') return
        expect(whole && pull.body === BODY && pull.repo === 'acme/widgets' && (pull.merged || pull.state === 'open')).toBe(true)
        expect(pull.merged || conclusion !== 'failure').toBe(true)
        expect(found.score).toBeGreaterThanOrEqual(80)
        expect(found.blockers).toEqual([])
      }),
    )
  })

  test('a verdict shows what it rests on', () => {
    expect(judge()).toMatchObject({
      evidence: {
        prUrl: PR_URL,
        repo: 'acme/widgets',
        pullNumber: 12,
        expectedRepo: 'acme/widgets',
        expectedIssueNumber: 7,
        disclosureRequired: true,
        claimantBindingRequired: true,
        claimantBindingStatus: 'matched',
      },
      disclosure: { canonicalHeader: true, matchedBy: ['wallet', 'session'] },
      codehostLookup: {
        status: 'verified',
        reason: null,
        prBodyReadable: true,
        partial: { status: 'read', checkRuns: 'read', reviews: 'read' },
      },
      checks: { prUrlPresent: true, disclosureFooterPresent: true, claimantBinding: 'matched' },
      ciExclusions: [],
      policyGates: [],
    })
    expect(judge({ reading: reading({}, { runs: [run('build', 'action_required')] }) }).ciExclusions).toHaveLength(1)
  })

  test('a verdict about what was not read shows no checks', () => {
    expect(judge({ reading: { status: 'skipped', reason: 'x' } })).toMatchObject({ ciExclusions: [], policyGates: [] })
  })

  test.each([
    ['statuses', { statuses: null, runs: [run('test', 'success')] }],
    ['runs', { statuses: [commitStatus('ci', 'success')], runs: null }],
  ])('%s that could not be read say nothing about the others', (_part, { statuses, runs }) => {
    expect(judge({ reading: reading({}, { statuses, runs }) }).codehostLookup).toMatchObject({
      ciStatus: 'passing',
      checkState: { statuses: statuses ?? [], runs: runs ?? [] },
    })
  })

  test('the issue may stand at the very start of the text', () => {
    expect(judge({ reading: reading({ title: 'Keep rows', body: `#7\n${BODY.replace('#7', 'it')}` }) }).checks.issueReferenced).toBe(true)
  })
})

describe('checks as a whole', () => {
  const state = (...args: Parameters<typeof summariseChecks>) => summariseChecks(...args).ciStatus

  test.each([
    ['failing', [commitStatus('ci', 'success')], [run('test', 'failure'), run('lint', null)]],
    ['failing', [commitStatus('ci', 'error')], [run('deploy', 'action_required')]],
    ['unknown', [], [run('test', 'success'), run('workflow', 'action_required')]],
    ['pending', [commitStatus('ci', 'pending')], [run('test', 'success')]],
    ['pending', [], [run('test', null)]],
    ['passing', [commitStatus('ci', 'success')], [run('test', 'success'), run('docs', 'skipped')]],
    ['unknown', [], []],
    ['unknown', [], [run('docs', 'skipped'), run('size', 'neutral')]],
    ['failing', [], [run('test', 'timed_out')]],
    ['pending', [], [run('test', 'stale')]],
    ['pending', [], [run('test', 'success', 'in_progress')]],
    ['passing', [], [run('test', 'success'), run('EasyCLA', 'failure')]],
  ])('%s', (expected, statuses, runs) => {
    expect(state(statuses, runs)).toBe(expected)
  })

  test('a prompt of a deployment is no failed check', () => {
    const prompt = commitStatus('vercel', 'failure', 'Authorization required to deploy.')
    const failed = commitStatus('Vercel – site', 'failure', 'failed')
    expect(summariseChecks([prompt, failed], [run('test', 'success')])).toMatchObject({
      ciStatus: 'passing',
      ciExclusions: [
        { name: 'vercel', reason: 'deployment_authorization_required' },
        { name: 'Vercel – site', reason: 'deployment_integration_without_check_runs' },
      ],
    })
  })

  const failed = (context: string, description = 'failed', state: CommitStatus['state'] = 'failure') =>
    commitStatus(context, state, description)
  const COUNTED = [
    ...[failed('test/auth', 'expected 401 Unauthorized')],
    ...[failed('test/auth', 'the authorization header is missing', 'error'), failed('rendering/unit', '3 of 40 failed')],
    ...[failed('previewer', '1 of 9 failed'), failed('cloud-site', 'A maintainer must authorise this build.', 'error')],
    ...[failed('ci/auth', '3 specs broke: requires authorized user')],
    ...[failed('build', 'user authorization pending state check broke')],
    ...[failed('build', 'Unauthorized: token authorization required')],
    ...[failed('cloud-site', 'Authorised by the team, and broken')],
    ...[failed('api', '2 tests failed: authorization required')],
    ...[failed('api', 'authorization is required: 401 and not 200'), failed('preview-e2e', '12 of 40 tests failed')],
    ...[failed('render-tests', '12 of 40 failed'), failed('heroku-24 tests', '12 of 40 failed')],
    ...[failed('deploy/integration-tests', '12 of 40 failed'), failed('render/unit-tests'), failed('Vercel – e2e')],
    ...[failed('deploy:smoke_test'), failed('vercel-lint'), failed('netlify e2e', 'authorization required: 401')],
  ]
  const SET_ASIDE = [
    ...[failed('build', 'Waiting for authorisation by a maintainer.', 'pending')],
    ...[failed('site', 'Authorization required to deploy.'), failed('render/site'), failed('Cloudflare-Pages')],
    ...[failed('deployment/preview'), failed('cloud-site', 'Authorization required')],
    ...[failed('cloud-site', 'Waiting for authorisation', 'error')],
    ...[failed('cloud-site', 'Needs to be authorized by the team'), failed('ci/deploy preview')],
    ...[failed('Vercel – security-handbook'), failed('netlify/acme-lint/deploy-preview')],
    ...[failed('netlify/design-specs/deploy-preview', 'building', 'pending'), failed('Cloudflare Pages: ci-dashboard')],
    ...[failed('netlify/citadel/deploy-preview'), failed('Vercel – contested')],
  ]
  test.each(COUNTED)('a test that fails counts, whatever words it shares with a deployment: $context with “$description”', (status) => {
    expect(state([status], [run('test', 'success')])).toBe('failing')
  })

  test.each(SET_ASIDE)('a deployment does not count, whatever words it shares with a test: $context with “$description”', (status) => {
    expect(state([status], [run('test', 'success')])).toBe('passing')
  })

  test('a failure behind a login counts where a run of its provider passes', () => {
    expect(state([failed('vercel', 'GET /me: 401 Unauthorized')], [run('vercel build', 'success')])).toBe('failing')
  })

  test.each([
    ['failing', 'netlify/site', ['Netlify build']],
    ['failing', 'netlify/site', ['test', 'Netlify build']],
    ['passing', 'vercel', ['verify']],
    ['passing', '[site] deploy preview', ['test']],
    ['failing', '[site] deploy preview', ['Site build']],
  ])('of a preview count where a run bears its first word: %s for %s beside %p', (expected, context, names) => {
    const runs = names.map((name) => run(name, 'success'))
    expect(state([commitStatus(context, 'failure', 'failed')], runs)).toBe(expected)
  })

  test.each([
    ...['failure', 'error', 'timed_out', 'cancelled', 'startup_failure'].map((conclusion) => [conclusion, 'failing']),
    ...['neutral', 'skipped', 'success'].map((conclusion) => [conclusion, 'passing']),
    ['action_required', 'unknown'],
    ['stale', 'pending'],
  ])('a run that ended as %s beside one that passed: %s', (conclusion, expected) => {
    expect(state([], [run('lint', conclusion), run('test', 'success')])).toBe(expected)
  })

  const at = (second: number) => `2026-01-01T00:00:0${second}Z`
  test.each<[string, Partial<CheckRun>[], string]>([
    ['a cancelled one that a later one replaced', [{ conclusion: 'cancelled', startedAt: at(1) }, { startedAt: at(2) }], 'passing'],
    ['the same in another order', [{ startedAt: at(2) }, { conclusion: 'cancelled', startedAt: at(1) }], 'passing'],
    ['a failure that passed when it ran again', [{ conclusion: 'failure', startedAt: at(1) }, { startedAt: at(2) }], 'passing'],
    ['a later failure', [{ startedAt: at(1) }, { conclusion: 'failure', startedAt: at(2) }], 'failing'],
    ['a later one that runs', [{ startedAt: at(1) }, { status: 'in_progress', conclusion: null, startedAt: at(2) }], 'pending'],
    ['a later one that is queued', [{ startedAt: at(1) }, { status: 'queued', conclusion: null, startedAt: null }], 'pending'],
    ['the same second, by id', [{ id: 3 }, { id: 2, conclusion: 'failure' }], 'passing'],
    [
      'the same name of another app',
      [
        { conclusion: 'failure', app: 'a', startedAt: at(1) },
        { app: 'b', startedAt: at(2) },
      ],
      'failing',
    ],
    ['another name', [{ name: 'lint', conclusion: 'failure', startedAt: at(1) }, { startedAt: at(2) }], 'failing'],
  ])('of each name and app the newest run counts: %s', (_case, changes, expected) => {
    const runs = changes.map((change) => ({ ...run('test', 'success'), ...change }))
    expect(state([], runs)).toBe(expected)
  })

  test('of each context the newest status counts', () => {
    const older = { ...commitStatus('ci', 'failure'), updatedAt: at(1) }
    const newer = { ...commitStatus('ci', 'success'), updatedAt: at(2) }
    expect([state([older, newer], []), state([newer, older], [])]).toEqual(['passing', 'passing'])
    expect(state([{ ...older, updatedAt: at(3) }, newer], [])).toBe('failing')
  })

  test.each(['vercel', 'netlify', 'railway', 'heroku', 'cloudflare', 'amplify', 'deploy', 'preview'])(
    'a status that begins with %s is of a deployment, and no other',
    (provider) => {
      const excluded = (context: string) => summariseChecks([commitStatus(context, 'failure', 'failed')], []).ciExclusions
      const reason = 'deployment_integration_without_check_runs'
      for (const context of [provider, `${provider}/site`, `${provider.toUpperCase()} – site`])
        expect(excluded(context)).toEqual([{ name: context, reason }])
      expect(excluded(`my-${provider}`)).toEqual([])
    },
  )

  test.each(['deploy preview', 'deploy-preview', 'deploypreview', 'Deploy Preview'])(
    'so is one that speaks of a “%s” anywhere',
    (words) => {
      const [exclusion] = summariseChecks([commitStatus(`[site] ${words} ready`, 'failure', 'failed')], []).ciExclusions
      expect(exclusion?.reason).toBe('deployment_integration_without_check_runs')
    },
  )

  test('that are ordinary are not set aside', () => {
    expect(summariseChecks([commitStatus('ci', 'success')], [run('test', 'success')])).toEqual({
      ciStatus: 'passing',
      ciExclusions: [],
      policyGates: [],
      pendingMaintainerApproval: false,
    })
  })

  test('a run that awaits a maintainer is set aside by name', () => {
    expect(summariseChecks([], [run('build', 'action_required')])).toMatchObject({
      ciStatus: 'unknown',
      pendingMaintainerApproval: true,
      ciExclusions: [{ name: 'build', reason: 'pending_maintainer_approval' }],
    })
  })

  test.each([
    ...['license/cla', 'CLA Assistant', 'EasyCLA', 'DCO', 'check-dco', 'License headers', 'licence check', 'CLAassistant'],
    ...['clabot', 'DCOcheck', 'clahub', 'CLAHub', 'CLAVerification', 'CLASigned', 'CLAssistant', 'icla', 'checkcla'],
    ...['All DCOs signed', 'ApacheCLA', 'cla_required', 'license-audit'],
  ])('%s is a gate about contributor terms and no check', (name) => {
    expect(summariseChecks([commitStatus(name, 'failure')], [run('test', 'success')])).toMatchObject({
      ciStatus: 'passing',
      policyGates: [{ name, conclusion: 'failure', passed: false }],
    })
  })

  test.each([
    ...['clang-tidy', 'CLANG', 'eclabot', 'declare', 'CLASS diagram', 'claude-review', 'dcos-build', 'clap', 'clasp push'],
    ...['clarinet check', 'CLASP', 'dconf', 'claims-api', 'clamav', 'clarity', 'ClusterDCE', 'codec'],
  ])('%s is an ordinary check', (name) => {
    expect(summariseChecks([], [run(name, 'failure')])).toMatchObject({ ciStatus: 'failing', policyGates: [] })
  })

  test('a gate passes by its success, or where it was skipped or neutral', () => {
    const passes = (conclusion: string | null) => summariseChecks([], [run('DCO', conclusion)]).policyGates[0]?.passed
    expect(['success', 'neutral', 'skipped'].map(passes)).toEqual([true, true, true])
    expect(['failure', 'cancelled', 'action_required', null].map(passes)).toEqual([false, false, false, false])
  })

  test.each([
    ['pending', run('DCO', 'success', 'in_progress')],
    ['pending', run('DCO', null, 'completed')],
    ['action_required', run('DCO', 'action_required', 'queued')],
  ])('a gate that did not end is shown as %s and keeps no ordinary check waiting', (conclusion, gate) => {
    expect(summariseChecks([], [gate, run('test', 'success')])).toEqual({
      ciStatus: 'passing',
      ciExclusions: [],
      pendingMaintainerApproval: false,
      policyGates: [{ name: 'DCO', conclusion, passed: false }],
    })
  })
})

describe('reviews as a whole', () => {
  test.each([
    ['none', []],
    ['none', [review('worker', 'approved')]],
    ['reviewed', [review('a', 'commented')]],
    ['reviewed', [review('a', 'approved', false)]],
    ['reviewed', [review('a', 'approved'), review('a', 'dismissed')]],
    ['approved', [review('a', 'approved'), review('a', 'commented')]],
    ['approved', [review('a', 'changes_requested'), review('A', 'approved')]],
    ['changes_requested', [review('a', 'approved'), review('b', 'changes_requested')]],
    ['changes_requested', [review('a', 'approved'), review('a', 'changes_requested')]],
  ])('%s', (expected, reviews) => {
    expect(reviewState(reviews, 'Worker')).toBe(expected)
  })
})

describe('an observation', () => {
  test.each([
    ['waiting_for_merge', reading()],
    ['operator_review', reading({ state: 'closed' })],
    ['operator_review', reading({ state: 'closed', merged: true, body: 'Fixes #7.' })],
    ['operator_review', reading({ state: 'open', merged: true })],
    ['awaiting_evidence', reading({ state: 'closed', merged: true }, { runs: null })],
    ['awaiting_evidence', { status: 'skipped' as const, reason: 'codehost_token_not_configured' }],
  ])('is sorted as %s', (disposition, found) => {
    expect(dispositionOf(judge({ reading: found }).codehostLookup)).toBe(disposition)
  })
})
