import { describe, expect, test } from '@jest/globals'
import { specHashOf } from '../../../domain/catalogue/spec-hash.ts'
import { keccakOfText, sha256Of } from '../../../domain/common/hashes.ts'
import { buildPosting, type PostingTerms } from '../../../domain/postings/draft.ts'
import { postedDraftId, postedJobId } from '../../../domain/postings/ids.ts'
import { assertMayPost, type PosterPolicy } from '../../../domain/postings/poster.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import { REFUSED_MEMBERS } from '../../../schemas/postings/definition-input.ts'
import { refusalOf } from '../builders/refusal.ts'

const POSTER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const CLAIMANT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const TERMS: PostingTerms = {
  poster: POSTER,
  asset: { symbol: 'USDC', decimals: 6 },
  minRewardRaw: 1_000_000n,
  maxRewardRaw: 10_000_000_000n,
  handlerModes: new Set(VERIFIER_MODES),
  deniedRepos: ['w3c/*'],
  deriveSalt: (text) => sha256Of(text),
  screen: () => [],
}

const definition = (changes: object = {}) => ({
  title: 'Retry policy for a client',
  description: 'Design the retry policy of a client.',
  category: 'coding',
  rewardAmount: 2,
  verifierMode: 'benchmark',
  verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  ...changes,
})

const { verifierTerms: _terms, ...untermed } = definition()
const pullRequest = (changes: object = {}) => ({
  ...untermed,
  verifierMode: 'codehost_pr',
  outputSchemaRef: 'schema://jobs/codehost-pr-evidence-output',
  source: { type: 'codehost_issue', repo: 'acme/widgets', issueNumber: 7, issueUrl: 'https://codehost.example/acme/widgets/issues/7' },
  ...changes,
})
const exact = (changes: object = {}) => definition({ verifierMode: 'deterministic', verifierTerms: ['4711'], ...changes })

const build = (sent: unknown, terms: Partial<PostingTerms> = {}) => buildPosting(sent, { ...TERMS, ...terms })

describe('ids of a posting', () => {
  const content = { poster: POSTER, contentHash: keccakOfText('spec') }

  test('the id of a posted job is the one of the specification, in any spelling of the poster', () => {
    expect(content.contentHash).toBe('0x00986e475ba431f6b784d4b894e14fedb92aa33826fe0df41d0a552c12d684f4')
    const jobId = '0x5c445c8f0e7674641293230f4bbdb0045f22bc1315372bab318770665f331c1a'
    expect(postedJobId(content)).toBe(jobId)
    expect(postedJobId({ ...content, poster: `0x${POSTER.slice(2).toUpperCase()}` })).toBe(jobId)
    expect(postedDraftId(content)).not.toBe(jobId)
  })

  test('equal content of one poster has the same ids, and other content or another poster has others', () => {
    const first = build(definition())
    const reordered = Object.fromEntries(Object.entries(definition()).reverse())
    expect(build(reordered)).toEqual(first)
    const others = [build(definition({ rewardAmount: 3 })), build(definition({ opsReserve: 1 })), build(definition(), { poster: CLAIMANT })]
    expect(new Set([first, ...others].map(({ jobId }) => jobId)).size).toBe(4)
    expect(new Set([first, ...others].flatMap(({ jobId, draftId }) => [jobId, draftId])).size).toBe(8)
  })
})

describe('a posting as its poster writes it', () => {
  test('gets the defaults of the service, without waiver and sponsored gas', () => {
    const posting = build(definition({ opsReserve: 0.5, contingencyReserve: 0.000001, lane: 'liveness' }))
    expect(posting.definition).toMatchObject({
      id: posting.jobId,
      tier: 'starter',
      jobType: 'work',
      requiredRole: 'worker',
      rewardAsset: 'USDC',
      rewardAmountRaw: '2000000',
      opsReserveRaw: '500000',
      contingencyReserveRaw: '1',
      lane: 'liveness',
      verifierConfig: { handler: 'benchmark', version: 2, requiredKeywords: ['exponential backoff', 'jitter', 'retry budget'] },
      claimTtlSeconds: 3600,
      retryLimit: 1,
      requiresSponsoredGas: false,
      onboardingWaiverEligible: false,
    })
    expect(posting.definition).not.toHaveProperty('designatedClaimants')
    expect([posting.rewardRaw, posting.opsReserveRaw, posting.contingencyReserveRaw]).toEqual([2_000_000n, 500_000n, 1n])
    expect(posting.isDesignated).toBe(false)
  })

  test('its hash is that of the definition without the id, also as it comes back from the database', () => {
    const { definition: built, specHash, jobId } = build(definition())
    expect(specHashOf(JSON.parse(JSON.stringify(built)))).toBe(specHash)
    const { id, ...content } = built
    expect(id).toBe(jobId)
    expect(specHashOf(content)).toBe(specHash)
  })

  test('its flat members become the config of its verifier', () => {
    const flat = { verifierMinimumScore: 60, requireIssueReference: false, requireTestEvidence: false, requireClaimantBinding: true }
    const config = { handler: 'codehost_pr', version: 1, minimumScore: 60, acceptMergedAsApproved: false }
    expect(build(pullRequest({ ...flat, acceptMergedAsApproved: false })).definition.verifierConfig).toEqual({
      ...config,
      requireIssueReference: false,
      requireTestEvidence: false,
      requireClaimantBinding: true,
    })
    expect(build(pullRequest({ minimumScore: 60 })).definition.verifierConfig).toMatchObject({ minimumScore: 60 })
    const fallback = { ...untermed, verifierMode: 'human_fallback', escalationMessage: 'Judge the tone.' }
    expect(build(fallback).definition.verifierConfig).toMatchObject({ escalationMessage: 'Judge the tone.', autoApprove: false })
    const contains = build(exact({ verifierMatchMode: 'contains_all', verifierTerms: ['4711', 'seven'] }))
    expect(contains.definition.verifierConfig).toMatchObject({ matchMode: 'contains_all' })
  })

  test('its expected outputs become commitments of the poster, and equal content gets equal ones', () => {
    const posting = build(exact())
    expect(JSON.stringify(posting.definition)).not.toContain('4711')
    expect(posting.expectedOutputs.map(({ value }) => value)).toEqual(['4711'])
    expect(build(exact())).toEqual(posting)
    const [own, other] = [posting, build(exact(), { poster: CLAIMANT })]
    expect(other.expectedOutputs[0]?.salt).not.toBe(own.expectedOutputs[0]?.salt)
  })

  test('a job for a named wallet says so', () => {
    const posting = build(definition({ designatedClaimants: [CLAIMANT], rewardAmount: 25 }))
    expect(posting.definition.designatedClaimants).toEqual([CLAIMANT])
    expect(posting.isDesignated).toBe(true)
  })

  test('an answer that only a pattern of the schema takes can be given', () => {
    const commit = exact({ outputSchemaRef: 'schema://jobs/patch-submission-output', verifierTerms: ['ab'.repeat(20)] })
    expect(build(commit).expectedOutputs).toHaveLength(1)
  })

  test('its task as data meets the schema of the task', () => {
    const input = { task: 'Write it.', acceptanceCriteria: ['It works.'] }
    expect(build(definition({ input })).definition.input).toEqual(input)
  })
})

describe('a posting is refused', () => {
  const refusal = (sent: unknown, terms: Partial<PostingTerms> = {}) => {
    const refused = refusalOf(() => build(sent, terms))
    const [error] = refused?.info.errors ?? []
    expect(error?.message).toMatch(/^\w.{5,}/)
    return { code: refused?.code, pointer: error?.pointer, rule: error?.rule, limit: error?.limit }
  }

  const codeOfMember = (member: string): string => {
    if (member === 'requiresSponsoredGas') return 'external_sponsored_gas_forbidden'
    if (member === 'onboardingWaiverEligible') return 'external_onboarding_waiver_forbidden'
    if (['payoutMode', 'milestones', 'recurring', 'recurringPolicy', 'schedule'].includes(member))
      return 'external_payout_mode_not_supported'
    return /schema/i.test(member) ? 'external_schema_not_supported' : 'invalid_request'
  }

  test.each(REFUSED_MEMBERS)('for the presence of %s, whatever its value', (member) => {
    for (const value of [false, true, null, 'single', {}])
      expect(refusal(definition({ [member]: value }))).toEqual({
        code: codeOfMember(member),
        pointer: `/definition/${member}`,
        rule: 'forbidden_member',
        limit: undefined,
      })
  })

  test.each([
    ['as text', '2'],
    ['as an amount object', { raw: '2000000' }],
    ['with more places than the asset has', 2.0000001],
    ['that is negative', -2],
    ['that is null', null],
    ['that is missing', undefined],
  ])('for a reward %s', (_form, rewardAmount) => {
    expect(refusal(definition({ rewardAmount }))).toMatchObject({
      code: 'external_reward_invalid_shape',
      pointer: '/definition/rewardAmount',
      limit: 6,
    })
    if (rewardAmount === undefined) return
    expect(refusal(definition({ opsReserve: rewardAmount }))).toMatchObject({
      code: 'external_reward_invalid_shape',
      pointer: '/definition/opsReserve',
    })
  })

  const REWARDS: readonly [number, string | undefined][] = [
    [0, 'external_reward_below_floor'],
    [0.999999, 'external_reward_below_floor'],
    [1, undefined],
    [10_000, undefined],
    [10_000.000001, 'external_reward_above_ceiling'],
    [1e300, 'external_reward_above_ceiling'],
  ]
  test.each(REWARDS)('for a reward of %d unless it is within its bounds', (rewardAmount, code) => {
    const refused = refusalOf(() => build(definition({ rewardAmount })))
    expect(refused?.code).toBe(code)
    if (code === undefined) return
    expect(refused?.info.details).toMatchObject({ limit: code.endsWith('floor') ? '1' : '10000' })
  })

  test('for a reserve above the largest reward', () => {
    expect(refusal(definition({ contingencyReserve: 10_001 }))).toMatchObject({
      code: 'external_reward_above_ceiling',
      rule: 'maximum_reserve',
      limit: '10000',
    })
  })

  const lower = CLAIMANT.toLowerCase()
  test.each([
    ['another asset', { rewardAsset: 'DAI' }, 'external_reward_asset_not_supported', '/rewardAsset'],
    ['no claimant in the list', { designatedClaimants: [] }, 'designated_claimants_cardinality_invalid', '/designatedClaimants'],
    ['two claimants', { designatedClaimants: [CLAIMANT, CLAIMANT] }, 'designated_claimants_cardinality_invalid', '/designatedClaimants'],
    ['a claimant outside a list', { designatedClaimants: CLAIMANT }, 'designated_claimants_cardinality_invalid', '/designatedClaimants'],
    ['a claimant that is no address', { designatedClaimants: ['0x7099'] }, 'designated_claimant_address_invalid', '/designatedClaimants/0'],
    ['a claimant that is a number', { designatedClaimants: [7] }, 'designated_claimant_address_invalid', '/designatedClaimants/0'],
    ['the zero address', { designatedClaimants: [`0x${'0'.repeat(40)}`] }, 'designated_claimant_address_invalid', '/designatedClaimants/0'],
    ['the poster as claimant', { designatedClaimants: [POSTER] }, 'designated_claimant_address_invalid', '/designatedClaimants/0'],
    ['a claimant in lower case', { designatedClaimants: [lower] }, 'designated_claimant_checksum_required', '/designatedClaimants/0'],
    [
      'a wrong checksum',
      { designatedClaimants: [lower.replace('c', 'C')] },
      'designated_claimant_checksum_required',
      '/designatedClaimants/0',
    ],
    [
      'an agreement above its cap',
      { designatedClaimants: [CLAIMANT], rewardAmount: 25.000001 },
      'designated_agreement_reward_cap_exceeded',
      '/rewardAmount',
    ],
    ['an unknown schema of the task', { inputSchemaRef: 'schema://jobs/none' }, 'external_schema_not_supported', '/inputSchemaRef'],
    [
      'an unknown schema of the result',
      { outputSchemaRef: 'https://schemas.example/x' },
      'external_schema_not_supported',
      '/outputSchemaRef',
    ],
    ['a category without schemas', { category: 'poetry' }, 'external_schema_not_supported', '/inputSchemaRef'],
  ])('for %s', (_case, changes, code, pointer) => {
    expect(refusal(definition(changes))).toMatchObject({ code, pointer: `/definition${pointer}` })
  })

  test.each([
    ['an unknown member', definition({ bounty: 2 }), '/bounty', 'unknown'],
    ['a delegation policy', definition({ delegationPolicy: {} }), '/delegationPolicy', 'unknown'],
    ['a missing title', definition({ title: undefined }), '/title', 'required'],
    ['a title that is too long', definition({ title: 'x'.repeat(241) }), '/title', 'maxLength'],
    ['a claim time below a minute', definition({ claimTtlSeconds: 59 }), '/claimTtlSeconds', 'range'],
    ['an unknown lane', definition({ lane: 'express' }), '/lane', 'enum'],
    ['two scores', pullRequest({ minimumScore: 60, verifierMinimumScore: 61 }), '/minimumScore', 'given_twice'],
    ['a rule of another verifier', definition({ requireTestEvidence: true }), '/requireTestEvidence', 'verifier_mode'],
    ['more matches than terms', definition({ verifierMinimumMatches: 4 }), '/verifierMinimumMatches', 'maximum'],
    ['no terms', { ...untermed }, '/verifierTerms', 'required'],
    ['terms of a job without terms', pullRequest({ verifierTerms: ['x'] }), '/verifierTerms', 'verifier_mode'],
    [
      'a denied repository',
      pullRequest({ source: { type: 'codehost_issue', repo: 'w3c/csswg', issueNumber: 1 } }),
      '/source/repo',
      'repo_denylisted',
    ],
    ['a pull request without a target', pullRequest({ source: { type: 'codehost_issue' } }), '/source/repo', 'pull_request_target'],
    ['a title that promises an effect', definition({ title: 'Deploy the client' }), '/title', 'side_effect_verb'],
    ['an input of another form', definition({ input: { task: 'x' } }), '/input/acceptanceCriteria', 'required'],
    [
      'an answer that the schema of the result does not take',
      exact({ outputSchemaRef: 'schema://jobs/patch-submission-output' }),
      '/outputSchemaRef',
      'attainable',
    ],
    ['no object', 'a job', '', 'type'],
    ['a list', [definition()], '', 'type'],
  ])('as an invalid request for %s', (_case, sent, pointer, rule) => {
    expect(refusal(sent)).toMatchObject({ code: 'invalid_request', pointer: `/definition${pointer}`, rule })
  })

  test.each([
    ['approves everything', { ...untermed, verifierMode: 'human_fallback', autoApprove: true }, '/definition/verifierMode'],
    ['finds its terms in a placeholder', exact({ verifierTerms: ['todo'] }), '/definition/verifierMode'],
    ['looks for names of the schema', definition({ verifierTerms: ['summary', 'status'] }), '/definition/verifierMode'],
  ])('where its verifier %s', (_case, sent, pointer) => {
    expect(refusal(sent)).toMatchObject({ code: 'catalog_verifier_cannot_reject_bad_work', pointer, rule: 'rejects_placeholder' })
  })

  test('by the listing screen, and where the screen fails', () => {
    const broken = [{ pointer: '/title', rule: 'instruction_override', message: 'orders its reader about' }]
    expect(refusal(definition(), { screen: () => broken })).toMatchObject({
      code: 'external_listing_quarantined',
      pointer: '/definition/title',
      rule: 'instruction_override',
    })
    const fails = () => {
      throw new Error('no pattern')
    }
    expect(refusal(definition(), { screen: fails })).toMatchObject({ code: 'external_listing_quarantined', rule: 'screen_unavailable' })
  })

  test('with the first cause in the order of the rules', () => {
    const wrongs: readonly [object, string][] = [
      [{ recurring: true }, 'external_payout_mode_not_supported'],
      [{ rewardAsset: 'DAI' }, 'external_reward_asset_not_supported'],
      [{ rewardAmount: '2' }, 'external_reward_invalid_shape'],
      [{ designatedClaimants: [] }, 'designated_claimants_cardinality_invalid'],
      [{ outputSchemaRef: 'schema://jobs/none' }, 'external_schema_not_supported'],
      [{ title: '' }, 'invalid_request'],
    ]
    for (const [index, [, code]] of wrongs.entries())
      expect(refusalOf(() => build(definition(Object.assign({}, ...wrongs.slice(index).map(([wrong]) => wrong)))))?.code).toBe(code)
  })
})

describe('who may post', () => {
  const policy = (changes: Partial<PosterPolicy> = {}): PosterPolicy => ({ mode: 'open', allowlist: [], serviceWallets: [], ...changes })

  test.each([
    ['open to every wallet', policy(), undefined],
    ['closed', policy({ mode: 'closed', allowlist: [POSTER] }), 'external_posting_closed'],
    ['for the wallets of the list', policy({ mode: 'allowlist', allowlist: [POSTER] }), undefined],
    ['for other wallets than this one', policy({ mode: 'allowlist' }), 'external_poster_not_allowed'],
    ['open, but not to the wallets of the service', policy({ serviceWallets: [POSTER] }), 'external_poster_not_allowed'],
    [
      'for the wallets of the list, but not for those of the service',
      policy({ mode: 'allowlist', allowlist: [POSTER], serviceWallets: [POSTER] }),
      'external_poster_not_allowed',
    ],
  ])('posting is %s', (_case, given, code) => {
    expect(refusalOf(() => assertMayPost(POSTER, given))?.code).toBe(code)
  })
})
