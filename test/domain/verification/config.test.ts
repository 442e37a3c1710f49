import { describe, expect, test } from '@jest/globals'
import { verifierConfigOf } from '../../../domain/verification/config.ts'
import { JobInput, type JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { jobBody, prBody } from '../builders/job.ts'
import { refusalOf } from '../builders/refusal.ts'

const configOf = (body: JobInputBody) => verifierConfigOf(JobInput.parse(body))
const TERMS = ['exponential backoff', 'jitter', 'retry budget']
const PULL_REQUEST = {
  ...{ handler: 'codehost_pr', version: 1, minimumScore: 80, requireClaimantBinding: false },
  ...{ requireIssueReference: true, requireTestEvidence: true, acceptMergedAsApproved: true },
}
const bare = (changes: Partial<JobInputBody>) => jobBody({ verifierTerms: undefined, ...changes })
const exact = (changes: Partial<JobInputBody>) => bare({ verifierMode: 'deterministic', ...changes })
const human = (changes: Partial<JobInputBody> = {}) => bare({ verifierMode: 'human_fallback', ...changes })
const openData = { verification: { method: 'fetchable_open_data_evidence' } }

describe('the rule of a verifier', () => {
  test.each<[string, JobInputBody, Record<string, unknown>]>([
    ['terms alone', jobBody(), { handler: 'benchmark', version: 2, requiredKeywords: TERMS, minimumMatches: 2 }],
    [
      'its own handler and version named',
      jobBody({ verifierConfig: { handler: 'benchmark', version: 1 } }),
      { handler: 'benchmark', version: 1, requiredKeywords: TERMS, minimumMatches: 2 },
    ],
    ['one answer', exact({ verifierTerms: ['42'] }), { handler: 'deterministic', version: 1, expectedOutputs: ['42'], matchMode: 'exact' }],
    [
      'nothing, for people',
      human(),
      { handler: 'human_fallback', version: 1, escalationMessage: expect.stringMatching(/person/), autoApprove: false },
    ],
    [
      'a word to people',
      human({ verifierConfig: { escalationMessage: 'Ask the editor.' } }),
      { handler: 'human_fallback', version: 1, escalationMessage: 'Ask the editor.', autoApprove: false },
    ],
    ['nothing, for a pull request', prBody(), PULL_REQUEST],
    ['an open issue', prBody({ verifierConfig: { requireIssueReference: false } }), { ...PULL_REQUEST, requireIssueReference: false }],
    ['work without tests', prBody({ verifierConfig: { requireTestEvidence: false } }), { ...PULL_REQUEST, requireTestEvidence: false }],
    [
      'a merge that is no approval',
      prBody({ verifierConfig: { acceptMergedAsApproved: false } }),
      { ...PULL_REQUEST, acceptMergedAsApproved: false },
    ],
    ['a bound claimant', prBody({ verifierConfig: { requireClaimantBinding: true } }), { ...PULL_REQUEST, requireClaimantBinding: true }],
  ])('is made whole from %s', (_name, body, config) => {
    expect(configOf(body)).toStrictEqual(config)
  })

  test.each<[string, JobInputBody, string, string, string]>([
    ['another handler', jobBody({ verifierConfig: { handler: 'deterministic' } }), '/verifierConfig/handler', 'verifier_mode', 'benchmark'],
    [
      'a member of another mode',
      jobBody({ verifierConfig: { minimumScore: 80 } }),
      '/verifierConfig/minimumScore',
      'verifier_mode',
      'benchmark',
    ],
    ['open data for keywords', jobBody(openData), '/verification/method', 'verifier_mode', 'deterministic'],
    ['open data from nowhere', exact(openData), '/source', 'pinned_addresses', 'datasetUrl and resourceUrl'],
    [
      'terms given twice',
      exact({ verifierTerms: ['42'], verifierConfig: { expectedOutputs: ['42'] } }),
      '/verifierTerms',
      'given_twice',
      'verifierConfig.expectedOutputs',
    ],
    ['no answer', exact({}), '/verifierConfig/expectedOutputs', 'required', 'needs at least one term'],
    [
      'no keyword',
      bare({ verifierConfig: { requiredKeywords: [] } }),
      '/verifierConfig/requiredKeywords',
      'required',
      'needs at least one term',
    ],
    ['too many matches', jobBody({ verifierMinimumMatches: 4 }), '/verifierMinimumMatches', 'maximum', 'exceeds the number of keywords'],
    [
      'too many matches in the rule',
      jobBody({ verifierConfig: { minimumMatches: 4 } }),
      '/verifierConfig/minimumMatches',
      'maximum',
      'exceeds the number of keywords',
    ],
    ['terms for people', human({ verifierTerms: TERMS }), '/verifierTerms', 'verifier_mode', 'human_fallback'],
    ['terms for a pull request', prBody({ verifierTerms: TERMS }), '/verifierTerms', 'verifier_mode', 'codehost_pr'],
    ['matches for people', human({ verifierMinimumMatches: 1 }), '/verifierMinimumMatches', 'verifier_mode', 'human_fallback'],
  ])('is refused with its place: %s', (_name, body, pointer, rule, fact) => {
    const message = expect.stringContaining(fact)
    const errors = [{ pointer, rule, message }]
    expect(refusalOf(() => configOf(body))).toMatchObject({ info: { detail: message, errors } })
  })

  test('asks for no more than two of the keywords, and for all where there are fewer', () => {
    expect(configOf(jobBody({ verifierTerms: ['jitter'] }))).toMatchObject({ minimumMatches: 1 })
    expect(configOf(jobBody({ verifierMinimumMatches: 3 }))).toMatchObject({ minimumMatches: 3 })
  })
})
