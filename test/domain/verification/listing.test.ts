import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { BuiltJob } from '../../../domain/catalogue/job-definition.ts'
import { keccakOf, sha256Of } from '../../../domain/common/hashes.ts'
import { buildJob, type ListingTerms } from '../../../domain/verification/listing.ts'
import type { DeterministicConfig, JsonValue } from '../../../schemas/catalogue/job-definition.ts'
import { JobInput, type JobInputBody, type VerifierConfigInput } from '../../../schemas/catalogue/job-input.ts'
import { builtJob, jobBody, LISTING, prBody } from '../builders/job.ts'
import { refusalOf } from '../builders/refusal.ts'

const refusal = (act: () => unknown) => {
  const refused = refusalOf(act)
  const [error] = refused?.info.errors ?? []
  if (refused !== null) expect(error?.message).toMatch(/^\w.{20,}\.$/)
  return { code: refused?.code, pointer: error?.pointer, rule: error?.rule }
}

describe('a job as its author writes it', () => {
  test('gets the defaults of the service', () => {
    const terms = { requiredKeywords: ['exponential backoff', 'jitter', 'retry budget'], minimumMatches: 2 }
    expect(builtJob().definition).toEqual({
      id: 'job-1',
      title: 'Retry policy for a client',
      description: 'Design the retry policy of a client.',
      category: 'coding',
      tier: 'starter',
      jobType: 'work',
      requiredRole: 'worker',
      rewardAsset: 'USDC',
      rewardAmountRaw: '2000000',
      lane: 'oss-anchored',
      verifierMode: 'benchmark',
      verifierConfig: { handler: 'benchmark', version: 2, ...terms },
      inputSchemaRef: 'schema://jobs/coding-input',
      outputSchemaRef: 'schema://jobs/coding-output',
      claimTtlSeconds: 3600,
      retryLimit: 1,
      requiresSponsoredGas: true,
      onboardingWaiverEligible: false,
      acceptanceCriteria: [],
      agentInstructions: [],
    })
  })

  test('its spec hash is the hash of exactly what is stored', () => {
    const { definition, specHash } = builtJob()
    expect(specHash).toBe(keccakOf(JSON.parse(JSON.stringify(definition))))
    expect(builtJob(jobBody({ rewardAmount: 2.000001 })).specHash).not.toBe(specHash)
  })

  test('a pull-request job gets its signals', () => {
    expect(builtJob(prBody({ verifierConfig: { requireClaimantBinding: true } })).definition.verification).toEqual({
      method: 'codehost_pr',
      signals: ['pr_exists', 'repo_matches', 'issue_referenced', 'claimant_bound', 'test_evidence_present'],
      evidenceSchemaRef: 'schema://jobs/codehost-pr-evidence-output',
    })
  })

  test.each([
    ['work', 'worker'],
    ['curation', 'curator'],
    ['review', 'reviewer'],
    ['publish', 'publisher'],
    ['verification', 'verifier'],
  ] as const)('a %s job asks for the role %s unless another is named', (jobType, role) => {
    expect(builtJob(jobBody({ jobType })).definition.requiredRole).toBe(role)
    expect(builtJob(jobBody({ jobType, requiredRole: 'arbitrator' })).definition.requiredRole).toBe('arbitrator')
  })

  test('the category is stored in lower case', () => {
    expect(builtJob(jobBody({ category: ' Coding ' })).definition.category).toBe('coding')
  })

  test('a reward is exact in base units, and one that is finer than the asset is refused, not rounded', () => {
    const rewardRaw = (rewardAmount: number) => builtJob(jobBody({ rewardAmount })).rewardRaw
    expect([0.2, 1, 2.5, 0.1].map(rewardRaw)).toEqual([200_000n, 1_000_000n, 2_500_000n, 100_000n])
    expect([0.000001, 1_000_000_000].map(rewardRaw)).toEqual([1n, 1_000_000_000_000_000n])
    for (const finer of [0.0000001, 0.1 + 0.2, 2.0000001])
      expect(refusal(() => rewardRaw(finer))).toMatchObject({ pointer: '/rewardAmount', rule: 'decimals' })
  })

  test('every reward in base units survives the way over the number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 13n }), (raw) => {
        const text = raw.toString().padStart(7, '0')
        const rewardAmount = Number(`${text.slice(0, -6)}.${text.slice(-6)}`)
        expect(builtJob(jobBody({ rewardAmount })).rewardRaw).toBe(raw)
      }),
    )
  })

  const OTHER_EVIDENCE = { method: 'keywords', evidenceSchemaRef: 'schema://jobs/governance-output' }
  const OTHER_OUTPUT = { type: 'wikipedia_article', outputSchemaRef: 'schema://jobs/governance-output' }
  const DENIED = { type: 'codehost_issue', maintainerPolicy: { repoDenied: true } }
  test.each<[string, Partial<JobInputBody>, string, string]>([
    ['an unknown asset', { rewardAsset: 'DOGE' }, '/rewardAsset', 'supported_asset'],
    ['a category without schemas of its own', { category: 'research' }, '/inputSchemaRef', 'known_schema'],
    ['an output schema that does not exist', { outputSchemaRef: 'schema://jobs/no-such' }, '/outputSchemaRef', 'known_schema'],
    ['two schemas of the result', { verification: OTHER_EVIDENCE }, '/verification/evidenceSchemaRef', 'submission_schema_ref_conflict'],
    ['a source that names another', { source: OTHER_OUTPUT }, '/source/outputSchemaRef', 'submission_schema_ref_conflict'],
    ['a title that promises an effect', { title: 'Deploy the new client' }, '/title', 'side_effect_verb'],
    [
      'a waiver on a job that is not a starter',
      { tier: 'pro', onboardingWaiverEligible: true },
      '/onboardingWaiverEligible',
      'starter_only',
    ],
    ['a recurring job without schedule', { recurring: true }, '/schedule', 'recurring'],
    ['an id that looks like an on-chain id', { id: `0x${'a1'.repeat(32)}` }, '/id', 'slug'],
    ['a repository that is denied', { source: { type: 'codehost_issue', repo: 'W3C/specs' } }, '/source/repo', 'repo_denylisted'],
    ['a repository whose maintainers deny it', { source: { ...DENIED, repo: 'acme/widgets' } }, '/source/repo', 'repo_denylisted'],
    ['a source that denies itself without a repository', { source: DENIED }, '/source/maintainerPolicy/repoDenied', 'repo_denylisted'],
  ])('%s is refused with its place', (_name, changes, pointer, rule) => {
    expect(refusal(() => builtJob(jobBody(changes)))).toEqual({ code: 'invalid_request', pointer, rule })
  })

  test('a mode without a handler is refused, and only then', () => {
    const curated = { ...LISTING, handlerModes: new Set(['benchmark'] as const) }
    const human = jobBody({ verifierMode: 'human_fallback', verifierTerms: undefined })
    expect(refusal(() => buildJob(JobInput.parse(human), curated))).toMatchObject({ pointer: '/verifierMode', rule: 'handler_exists' })
    expect(buildJob(JobInput.parse(human), LISTING).definition.verifierConfig.handler).toBe('human_fallback')
  })

  test.each([
    ['without a revision', { revisionId: undefined }],
    ['whose language leads to another host', { language: 'evil.example/x' }],
    ['whose revision is no number', { revisionId: '1&titles=Sandbox' }],
  ])('an anchor %s is refused', (_name, changes) => {
    const anchorEvidence = { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '1', ...changes }
    expect(JobInput.safeParse({ ...jobBody(), verifierConfig: { anchorEvidence } }).success).toBe(false)
  })

  test('a pinned revision and pinned addresses become terms', () => {
    const anchorEvidence = { kind: 'wikipedia_revision_wikitext', language: 'pt-br', revisionId: '12' } as const
    expect(builtJob(jobBody({ verifierConfig: { anchorEvidence } })).definition.verifierConfig).toMatchObject({
      anchorEvidence: { ...anchorEvidence, normalization: 'whitespace' },
    })
    const [datasetUrl, resourceUrl] = ['https://data.example/a', 'https://data.example/a.csv']
    const openData = jobBody({
      verifierMode: 'deterministic',
      verifierTerms: undefined,
      verification: { method: 'fetchable_open_data_evidence' },
      source: { type: 'open_data_dataset', datasetUrl, resourceUrl },
    })
    expect(builtJob(openData).definition.verifierConfig).toMatchObject({ commitments: [] })
  })

  describe('what a deterministic job expects', () => {
    const answered = (changes: Partial<JobInputBody> = {}) =>
      jobBody({ verifierMode: 'deterministic', verifierTerms: undefined, verifierConfig: SECRET, ...changes })
    const SECRET: VerifierConfigInput = { expectedOutputs: ['Quince 7', 'median 12'], matchMode: 'contains_all' }
    const listed = (changes: Partial<JobInputBody> = {}, terms: Partial<ListingTerms> = {}) =>
      buildJob(JobInput.parse(answered(changes)), { ...LISTING, ...terms })
    const commitmentsOf = ({ definition: { verifierConfig } }: BuiltJob) => (verifierConfig as DeterministicConfig).commitments

    test('is not in its definition, which commits to each value', () => {
      const built = listed()
      expect(JSON.stringify(built.definition)).not.toMatch(/quince|median/i)
      expect(built.expectedOutputs.map(({ value }) => value)).toEqual(SECRET.expectedOutputs)
      const [{ salt } = { salt: '0x' }] = built.expectedOutputs
      const bytes = Buffer.concat([Buffer.from(salt.slice(2), 'hex'), Buffer.from('quince 7')])
      expect(commitmentsOf(built)[0]).toBe(`0x${createHash('sha256').update(bytes).digest('hex')}`)
    })

    test('gives equal drafts of one poster equal hashes', () => {
      expect(listed()).toEqual(listed())
      expect(listed().specHash).toBe(listed().specHash)
    })

    test.each<[string, Partial<JobInputBody>, Partial<ListingTerms>]>([
      ['other terms', { title: 'Another task' }, {}],
      ['another id', { id: 'job-2' }, {}],
      ['another value beside it', { verifierConfig: { ...SECRET, expectedOutputs: ['Quince 7', 'median 13'] } }, {}],
      ['another place', { verifierConfig: { ...SECRET, expectedOutputs: ['median 12', 'Quince 7'] } }, {}],
      ['another poster', {}, { posterAddress: `0x${'1'.repeat(40)}` }],
      ['another secret', {}, { deriveSalt: (text) => sha256Of({ text }) }],
    ])('has another commitment with %s', (_what, changes, terms) => {
      expect(commitmentsOf(listed()).filter((one) => commitmentsOf(listed(changes, terms)).includes(one))).toEqual([])
    })
  })

  const HOST = 'https://codehost.example'
  test.each<[string, Record<string, JsonValue> | undefined, string]>([
    ['repository', { issueNumber: 7 }, '/source/repo'],
    ['repository', undefined, '/source/repo'],
    ['issue', { repo: 'acme/widgets' }, '/source/issueNumber'],
    ['repository by the name that its host gives it', { repo: '../..', issueNumber: 7 }, '/source/repo'],
    ['repository without a dot in place of its owner', { repo: './widgets', issueNumber: 7 }, '/source/repo'],
    ['repository without a dot in place of its name', { repo: 'acme/..', issueNumber: 7 }, '/source/repo'],
    ['repository without the ending of git', { repo: 'acme/widgets.git', issueNumber: 7 }, '/source/repo'],
    ['issue by a number that there is', { repo: 'acme/widgets', issueNumber: 0 }, '/source/issueNumber'],
    ...[
      ...['javascript:alert(1)', 'http://codehost.example/acme/widgets/issues/7', `${HOST}/acme/gadgets/issues/7`, 7],
      ...[`${HOST}/acme/widgets/issues/8`, `${HOST}/acme/widgets/issues/7/edit`, 'https://user@codehost.example/acme/widgets/issues/7'],
    ].map((issueUrl): [string, Record<string, JsonValue>, string] => [
      `issue by its own address (${issueUrl})`,
      { repo: 'acme/widgets', issueNumber: 7, issueUrl },
      '/source/issueUrl',
    ]),
  ])('a pull-request job names its %s', (_what, facts, pointer) => {
    const source = facts && { type: 'codehost_issue', ...facts }
    expect(refusal(() => builtJob(prBody({ source })))).toEqual({ code: 'invalid_request', pointer, rule: 'pull_request_target' })
  })

  test.each(['https://codehost.example/Acme/Widgets/issues/7', 'https://codehost.example:8443/acme/widgets/issues/7#issuecomment-1'])(
    'a pull-request job may give the address of its issue: %s',
    (issueUrl) => {
      const source = { type: 'codehost_issue', repo: 'acme/widgets', issueNumber: 7, issueUrl }
      expect(builtJob(prBody({ source })).definition.source?.issueUrl).toBe(issueUrl)
    },
  )

  test('a pull-request job that asks for no issue need not name one', () => {
    const body = prBody({ source: { type: 'codehost_issue', repo: 'acme/widgets' }, verifierConfig: { requireIssueReference: false } })
    expect(builtJob(body).definition.source?.repo).toBe('acme/widgets')
  })

  test('a pull-request job may say in its title what it does', () => {
    expect(builtJob(prBody({ title: 'Fix acme/widgets issue: last row' })).definition.title).toContain('Fix')
  })

  const SUGGESTED: VerifierConfigInput = { expectedOutputs: ['complete'], matchMode: 'contains_all' }
  test.each<[string, Partial<JobInputBody>]>([
    ['an expected answer that every placeholder gives', { verifierMode: 'deterministic', verifierTerms: ['done'] }],
    [
      'an expected answer that the schema itself suggests',
      { verifierMode: 'deterministic', verifierTerms: undefined, verifierConfig: SUGGESTED },
    ],
    ['keywords that are names of members', { verifierTerms: ['summary', 'output'] }],
    ['keywords of which too few are left', { verifierTerms: ['summary', 'output', 'jitter'], verifierMinimumMatches: 2 }],
    ['a keyword that is the first word of an enum', { verifierTerms: ['complete', 'x-ray'], verifierMinimumMatches: 1 }],
    ['approval without looking', { verifierMode: 'human_fallback', verifierTerms: undefined, verifierConfig: { autoApprove: true } }],
  ])('%s cannot reject bad work and is not listed', (_name, changes) => {
    expect(refusal(() => builtJob(jobBody(changes)))).toMatchObject({
      code: 'catalog_verifier_cannot_reject_bad_work',
      pointer: '/verifierConfig',
    })
  })

  test.each<[string, Record<string, unknown>]>([
    ['no lane', { lane: undefined }],
    ['an unknown lane', { lane: 'fast' }],
    ['a reward of zero', { rewardAmount: 0 }],
    ['a negative reward', { rewardAmount: -1 }],
    ['a reward in a string', { rewardAmount: '2' }],
    ['a claim time below a minute', { claimTtlSeconds: 59 }],
    ['a negative retry limit', { retryLimit: -1 }],
    ['an id with upper case', { id: 'Job-1' }],
    ['an id with a colon', { id: 'job:1' }],
    ['an unknown member', { surplus: true }],
    ['a text with a NUL', { title: 'a\u0000b' }],
    ['a text with half a character', { title: 'a\ud800' }],
    ['a schedule of the wrong form', { recurring: true, schedule: { cron: '*/5 * * * *' } }],
    ['a reserved job type', { jobType: 'code_change' }],
  ])('%s does not match the shape', (_name, changes) => {
    expect(JobInput.safeParse({ ...jobBody(), ...changes }).success).toBe(false)
  })
})
