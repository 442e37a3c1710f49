import { describe, expect, test } from '@jest/globals'
import { verifierConfigOf } from '../../../domain/verification/config.ts'
import { JobInput, type JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { jobBody, prBody } from '../builders/job.ts'
import { refusalOf } from '../builders/refusal.ts'

const configOf = (body: JobInputBody) => verifierConfigOf(JobInput.parse(body))
const TERMS = ['exponential backoff', 'jitter', 'retry budget']
const PULL_REQUEST = {
  handler: 'codehost_pr',
  version: 1,
  minimumScore: 80,
  requireClaimantBinding: false,
  requireIssueReference: true,
  requireTestEvidence: true,
  acceptMergedAsApproved: true,
}
const bare = (changes: Partial<JobInputBody>) => jobBody({ verifierTerms: undefined, ...changes })
const exact = (changes: Partial<JobInputBody>) => bare({ verifierMode: 'deterministic', ...changes })
const human = (changes: Partial<JobInputBody> = {}) => bare({ verifierMode: 'human_fallback', ...changes })
const PLAIN = { type: 'open_data_dataset', datasetUrl: 'http://data.example/', resourceUrl: 'https://data.example/a.csv' }
const openData = { verification: { method: 'fetchable_open_data_evidence' } }

const DIGEST = `sha256 ${'a3'.repeat(32)}`
const FACTS = [DIGEST, 'bytes 12']
/** A job about facts of a source; the facts by their texts. */
const facts = (expectedOutputs: string[], changes: Partial<JobInputBody> = {}) =>
  exact({
    verifierConfig: { expectedOutputs },
    verification: { method: 'committed_source_facts', signals: ['bytes', 'sha256'] },
    source: { type: 'openapi_spec', pinnedUrl: 'https://data.example/a.json' },
    ...changes,
  })
const other = (signals: string[]) => ({ verification: { method: 'committed_source_facts', signals } })

describe('the rule of a verifier', () => {
  const TERMS_RULE = { handler: 'benchmark', version: 2, requiredKeywords: TERMS, minimumMatches: 2 }
  const PEOPLE = { handler: 'human_fallback', version: 1, autoApprove: false }
  const ONE = { handler: 'deterministic', version: 1, expectedOutputs: ['42'], matchMode: 'exact' }
  test.each<[string, JobInputBody, Record<string, unknown>]>([
    ['terms alone', jobBody(), TERMS_RULE],
    ['its own version', jobBody({ verifierConfig: { handler: 'benchmark', version: 1 } }), { ...TERMS_RULE, version: 1 }],
    ['one answer', exact({ verifierTerms: ['42'] }), ONE],
    ['facts of a source', facts(FACTS), { ...ONE, expectedOutputs: FACTS, matchMode: 'contains_all' }],
    ['nothing, for people', human(), { ...PEOPLE, escalationMessage: expect.stringMatching(/person/) }],
    ['a message to people', human({ verifierConfig: { escalationMessage: 'Ask.' } }), { ...PEOPLE, escalationMessage: 'Ask.' }],
    ['nothing, for a pull request', prBody(), PULL_REQUEST],
    ...(['requireIssueReference', 'requireTestEvidence', 'acceptMergedAsApproved', 'requireClaimantBinding'] as const).map(
      (name): [string, JobInputBody, Record<string, unknown>] => {
        const config = { [name]: !PULL_REQUEST[name] }
        return [`the other ${name}`, prBody({ verifierConfig: config }), { ...PULL_REQUEST, ...config }]
      },
    ),
  ])('is made whole from %s', (_name, body, config) => {
    expect(configOf(body)).toStrictEqual(config)
  })

  const [MODE, KEYWORDS] = ['verifier_mode', 'exceeds the number of keywords']
  const noKeyword = bare({ verifierConfig: { requiredKeywords: [] } })
  const twice = exact({ verifierTerms: ['42'], verifierConfig: { expectedOutputs: ['42'] } })
  test.each<[string, JobInputBody, string, string, string]>([
    ['another handler', jobBody({ verifierConfig: { handler: 'deterministic' } }), '/verifierConfig/handler', MODE, 'benchmark'],
    ['a member of another mode', jobBody({ verifierConfig: { minimumScore: 80 } }), '/verifierConfig/minimumScore', MODE, 'benchmark'],
    ['open data for keywords', jobBody(openData), '/verification/method', MODE, 'deterministic'],
    ['open data from nowhere', exact(openData), '/source', 'pinned_addresses', 'datasetUrl and resourceUrl'],
    ['open data without TLS', exact({ ...openData, source: PLAIN }), '/source', 'pinned_addresses', 'datasetUrl and resourceUrl'],
    ['facts for keywords', jobBody(other(['bytes'])), '/verification/method', MODE, 'deterministic'],
    ['facts of nothing', facts(FACTS, { source: undefined }), '/source/pinnedUrl', 'pinned_addresses', 'pinnedUrl'],
    [
      'one of the facts',
      facts(FACTS, { verifierConfig: { expectedOutputs: FACTS, matchMode: 'exact' } }),
      '/verifierConfig/matchMode',
      'source_facts',
      'contains_all',
    ],
    ['a fact without a value', facts([DIGEST, 'bytes']), '/verifierConfig/expectedOutputs', 'source_facts', 'a space and its value'],
    ['a number in words', facts([DIGEST, 'bytes twelve']), '/verifierConfig/expectedOutputs', 'source_facts', 'a space and its value'],
    ['a fact twice', facts([DIGEST, 'bytes 1', 'bytes 2']), '/verifierConfig/expectedOutputs', 'source_facts', 'each fact once'],
    ['facts without a digest', facts(['bytes 12']), '/verifierConfig/expectedOutputs', 'source_facts', 'SHA-256'],
    ['facts that are not named', facts(FACTS, other(['sha256'])), '/verification/signals', 'source_facts', 'Name each fact'],
    ['terms given twice', twice, '/verifierTerms', 'given_twice', 'verifierConfig.expectedOutputs'],
    ['no answer', exact({}), '/verifierConfig/expectedOutputs', 'required', 'needs at least one term'],
    ['no keyword', noKeyword, '/verifierConfig/requiredKeywords', 'required', 'needs at least one term'],
    ['no rule', bare({}), '/verifierConfig/requiredKeywords', 'required', 'needs at least one term'],
    ['too many matches', jobBody({ verifierMinimumMatches: 4 }), '/verifierMinimumMatches', 'maximum', KEYWORDS],
    ['too many of the rule', jobBody({ verifierConfig: { minimumMatches: 4 } }), '/verifierConfig/minimumMatches', 'maximum', KEYWORDS],
    ['terms for people', human({ verifierTerms: TERMS }), '/verifierTerms', MODE, 'human_fallback'],
    ['terms for a pull request', prBody({ verifierTerms: TERMS }), '/verifierTerms', MODE, 'codehost_pr'],
    ['matches for people', human({ verifierMinimumMatches: 1 }), '/verifierMinimumMatches', MODE, 'human_fallback'],
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
