import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { COMMITTED_FACTS_METHOD } from '../../../domain/catalogue/committed-facts.ts'
import { OPEN_DATA_METHOD } from '../../../domain/catalogue/open-data.ts'
import { checkPinnedSubmission } from '../../../domain/claims/pinned-submission.ts'
import { type CheckedSubmission, checkSubmission, type SubmissionTerms } from '../../../domain/claims/submission.ts'
import { validateSubmissionAnswer } from '../../../domain/claims/validation-response.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { type ExpectedWork, expectedPullRequest } from '../../../domain/pull-requests/expected.ts'
import { captureSnapshot } from '../../../domain/sessions/snapshot.ts'
import { judgeBenchmark } from '../../../domain/verification/benchmark.ts'
import { judgePullRequest } from '../../../domain/verification/codehost-pr.ts'
import { foreseeRejection } from '../../../domain/verification/foreseen-rejection.ts'
import type { BenchmarkConfig, JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { JobInputBody, VerifierConfigInput } from '../../../schemas/catalogue/job-input.ts'
import { jobSchemaByRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import { builtJob, jobBody, jobRecord, prBody } from '../builders/job.ts'
import { claimant, prConfig, reading } from '../builders/pull-request.ts'
import { refusalOf } from '../builders/refusal.ts'
import { aSession, CLAIMED_AT, WORKER } from '../builders/session.ts'

const termsOf = (schemaRef: string): SubmissionTerms => ({ schemaRef, schema: jobSchemaByRef(schemaRef) ?? null, pullRequest: null })
const coding = termsOf('schema://jobs/coding-output')
const good = { summary: 'A retry policy.', output: 'Exponential backoff with jitter.', status: 'complete' }
const refused = (checked: CheckedSubmission) => {
  if (checked.valid) throw new Error('accepted')
  return checked
}

const CONTAINS: VerifierConfigInput = { expectedOutputs: ['exact answer', 'jitter'], matchMode: 'contains_all' }
const ANCHORED: VerifierConfigInput = {
  requiredKeywords: ['jitter', 'retry budget'],
  anchorEvidence: { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '123', normalization: 'whitespace' },
}

describe('the pull request of a submission', () => {
  const { definition } = builtJob(prBody())
  const job = jobRecord(builtJob(prBody()))
  const jobSnapshot = captureSnapshot({
    job,
    decimals: 6,
    capturedAt: CLAIMED_AT,
    chainId: 31_337,
    escrowAddress: WORKER,
    claimEconomics: {},
    specSource: 'chain_verified',
  })
  if (jobSnapshot === null) throw new Error('no snapshot')
  const session = aSession({ jobSnapshot })
  const terms = { ...termsOf(definition.outputSchemaRef), pullRequest: expectedPullRequest(definition) }
  const work = (prUrl: string) => ({ prUrl, summary: 'Keeps the last row.', tests: 'npm test: 12 passed' })
  const answerTo = (submission: unknown) =>
    validateSubmissionAnswer({ definition, definitionUrl: 'https://work.example/job', terms, submission, claimant: null })
  /** The verdict of a page that has everything in the worker's favour. */
  const judgeAtBest = (submission: unknown) =>
    judgePullRequest({
      config: prConfig({ requireClaimantBinding: true }),
      definition,
      submission,
      claimant,
      knownRepository: null,
      reading: reading({ merged: true, state: 'closed' }),
    })

  const EXPECTED = 'https://codehost.example/acme/widgets/pull/<number>'
  const ADDRESS = 'https://codehost.example/acme/widgets/pull/1'

  test.each([
    ['the usual form', ADDRESS],
    ['a page of it', `${ADDRESS}/files`],
    ['another case', 'https://CodeHost.example/Acme/Widgets/pull/1'],
    ['http', 'http://codehost.example/acme/widgets/pull/1'],
    ['www', 'https://www.codehost.example/acme/widgets/pull/1'],
    ['angle brackets', `<${ADDRESS}>`],
    ['a Markdown link', `[PR](${ADDRESS})`],
    ['trailing punctuation', `${ADDRESS}.`],
    ['bold', `**${ADDRESS}**`],
    ['a commit of it', `${ADDRESS}/commits/0a1b2c?x=1#top`],
  ])('is read from %s, and the submission stays as it was sent', (_form, address) => {
    const submission = work(address)
    const answer = answerTo(submission)
    expect(answer).toMatchObject({ valid: true, submitSafe: true, normalizedSubmission: submission, evidenceHash: keccakOf(submission) })
    expect(checkPinnedSubmission(session, submission)).toMatchObject({ normalized: submission, evidenceHash: keccakOf(submission) })
    expect(judgeAtBest(submission)).toMatchObject({ outcome: 'approved', checks: { prUrlValid: true, repoMatches: true } })
  })

  const UNREADABLE = 'is not the address of a pull request'
  const ELSEWHERE = 'is not a pull request of the repository of the job'
  test.each([
    ['https://codehost.example/acme/widgets/pulls/1', UNREADABLE],
    ['codehost.example/acme/widgets/pull/1', UNREADABLE],
    ['acme/widgets#1', UNREADABLE],
    ['https://api.codehost.example/repos/acme/widgets/pulls/1', UNREADABLE],
    ['the last commit', UNREADABLE],
    ['https://example.com/x/y/pull/1', ELSEWHERE],
    ['https://example.com/acme/widgets/pull/1', ELSEWHERE],
    ['https://codehost.example/mine/widgets/pull/1', ELSEWHERE],
    ['https://codehost.example/acme/widgets/issues/7', UNREADABLE],
    [`see ${ADDRESS}`, UNREADABLE],
    ['[PR](http://www.codehost.example/acme/widgets2/pull/1)', ELSEWHERE],
  ])('%s is refused at validation and at submission in the same words', (address, reason) => {
    const message = `The job cannot accept this pull request. Expected: ${EXPECTED}`
    const errors = [{ pointer: '/submission/prUrl', rule: 'pullRequest', limit: EXPECTED, message: `${reason}: ${EXPECTED}` }]
    const answer = answerTo(work(address))
    const path = 'payload.submission.prUrl'
    expect(answer).toMatchObject({ valid: false, submitSafe: false, code: 'invalid_request', message, path, errors })
    const refusal = refusalOf(() => checkPinnedSubmission(session, work(address)))
    expect(refusal).toMatchObject({ code: 'invalid_request', info: { detail: message, errors: answer.errors } })
    expect(judgeAtBest(work(address)).outcome).toBe('rejected')
  })

  test('is looked for in the wrapped object, and is missing where no text has it', () => {
    expect(answerTo({ output: work('none') }).errors).toMatchObject([{ pointer: '/submission/output/prUrl' }])
    const textual = { ...terms, schema: null }
    expect(checkSubmission(textual, `Done: ${ADDRESS}.`).valid).toBe(true)
    expect(refused(checkSubmission(textual, 'Done.'))).toMatchObject({
      errors: [{ pointer: '/submission', message: `must name a pull request: ${EXPECTED}` }],
    })
  })

  test('may be anywhere for a job that names no repository or no host, as people or the code host decide', () => {
    const anywhere = { repo: null, issueNumber: null, host: null }
    const check = (pullRequest: ExpectedWork, address: string) => checkSubmission({ ...terms, pullRequest }, work(address))
    expect(check(anywhere, 'https://example.com/x/y/pull/1').valid).toBe(true)
    expect(check({ ...anywhere, repo: 'x/y' }, 'https://example.com/x/y/pull/1').valid).toBe(true)
    expect(refused(check({ ...anywhere, repo: 'x/z' }, 'https://example.com/x/y/pull/1')).message).toContain(
      'https://<host>/x/z/pull/<number>',
    )
    expect(refused(check(anywhere, 'none')).message).toContain('https://<host>/<owner>/<repository>/pull/<number>')
  })

  test('that validation calls safe is never rejected for what validation could know, and the other way round', () => {
    const form = (pattern: string) => (address: string) => pattern.replace('@', address)
    const address = fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'HTTPS://', '//', ''),
        fc.constantFrom(
          'codehost.example',
          'www.codehost.example',
          'CODEHOST.example',
          'api.codehost.example',
          'example.com',
          'codehost.example:8443',
        ),
        fc.constantFrom('acme/widgets', 'Acme/Widgets', 'acme/widgets2', 'acme', 'repos/acme/widgets'),
        fc.constantFrom('pull/1', 'pull/1/files', 'pull/1#top', 'pulls/1', 'pull/', 'issues/1', 'pull/1x'),
      )
      .map(([scheme, host, repo, page]) => `${scheme}${host}/${repo}/${page}`)
    const around = fc
      .constantFrom('@', '<@>', '<@', '[PR](@)', '[PR](<@>).', '@.', '@,', '(@)', '"@"', '`@`', 'PR @', ' @\n', '@ @', '![a](@)')
      .map(form)
    fc.assert(
      fc.property(address, around, fc.boolean(), (plain, wrap, wrapped) => {
        const submission = work(wrap(plain))
        const { submitSafe } = answerTo(wrapped ? { output: submission } : submission)
        expect(submitSafe).toBe(judgeAtBest(submission).outcome !== 'rejected')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a submission that validation calls safe', () => {
  const words = [
    ...['exponential backoff', 'jitter', 'retry budget', 'Retry\u00a0Budget', 'JITTER'],
    ...['summary', 'exact answer', 'Exact\nAnswer', ''],
  ]
  const summary = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((parts) => parts.join(' '))
  const safe = (definition: JobDefinition, terms: SubmissionTerms, submission: unknown) =>
    validateSubmissionAnswer({ definition, definitionUrl: 'u', terms, submission, claimant: null }).submitSafe
  const jobs = [builtJob(jobBody()).definition, builtJob(jobBody({ verifierTerms: ['jitter', 'exact answer'] })).definition]

  test('is approved by a verifier that reads nothing else, and any other one is not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...jobs), summary, summary, (definition, one, other) => {
        const submission = { ...good, summary: `s ${one}`, output: other === '' ? 'none' : other }
        const config = definition.verifierConfig
        const finding = judgeBenchmark(config as BenchmarkConfig, jobSchemaByRef(definition.outputSchemaRef) ?? null, submission)
        expect(safe(definition, coding, submission)).toBe(finding.outcome === 'approved')
      }),
    )
  })

  test.each<[string, Partial<JobInputBody>]>([
    ['one answer', { verifierTerms: ['exact answer'] }],
    ['every one of several outputs', { verifierTerms: undefined, verifierConfig: CONTAINS }],
  ])('may be any where %s is expected: it is compared with the verdict only', (_what, expected) => {
    const { definition } = builtJob(jobBody({ verifierMode: 'deterministic', ...expected }))
    const answerTo = (output: string) => {
      const request = { definition, definitionUrl: 'u', terms: coding, submission: { ...good, output }, claimant: null }
      const { submitSafe, warnings } = validateSubmissionAnswer(request)
      return { submitSafe, codes: warnings?.map(({ code }) => code) }
    }
    const expectedAnswer = { submitSafe: true, codes: ['answer_not_compared'] }
    expect([answerTo('exact answer, jitter'), answerTo('exact answer'), answerTo('none')]).toEqual(Array(3).fill(expectedAnswer))
  })

  test('has quotes where its job is anchored in a page', () => {
    const definition = builtJob(jobBody({ verifierTerms: undefined, verifierConfig: ANCHORED })).definition
    const findings = (source_quote: string) => ({ notes: 'jitter and retry budget', citation_findings: [{ source_quote }] })
    expect(foreseeRejection(definition, null, findings('The bridge opened in 1931.'))).toBeNull()
    for (const quote of [' ', 'The bridge'])
      expect(foreseeRejection(definition, null, findings(quote))).toMatchObject({ reasonCode: 'BENCHMARK_REVISION_ANCHOR_MISMATCH' })
    expect(foreseeRejection(definition, null, { notes: 'jitter and retry budget' })).toMatchObject({ outcome: 'rejected' })
  })

  test('has the pinned addresses of an open-data job', () => {
    const terms: Parameters<typeof foreseeRejection>[0] = {
      verification: { method: OPEN_DATA_METHOD, signals: [], evidenceSchemaRef: '' },
      source: { type: 'open_data', datasetUrl: 'https://a.example/d', resourceUrl: 'https://a.example/r' },
      verifierConfig: { handler: 'deterministic', version: 1, commitments: [], matchMode: 'exact' },
    }
    const submission = { dataset_url: 'https://a.example/d', resource_url: 'https://a.example/r' }
    expect(foreseeRejection(terms, null, submission)).toBeNull()
    expect(foreseeRejection(terms, null, { ...submission, dataset_url: 'https://a.example/x' })).toMatchObject({
      reasonCode: 'DETERMINISTIC_FETCH_EVIDENCE_MISMATCH',
    })
  })

  test('names the facts of a pinned source', () => {
    const terms: Parameters<typeof foreseeRejection>[0] = {
      verification: { method: COMMITTED_FACTS_METHOD, signals: ['sha256', 'bytes'], evidenceSchemaRef: '' },
      source: { type: 'openapi_spec', pinnedUrl: 'https://a.example/d' },
      verifierConfig: { handler: 'deterministic', version: 1, commitments: [], matchMode: 'contains_all' },
    }
    expect(foreseeRejection(terms, null, { notes: `sha256 ${'a'.repeat(64)}, bytes 7` })).toBeNull()
    expect(foreseeRejection(terms, null, { notes: 'bytes 7' })).toMatchObject({
      reasonCode: 'DETERMINISTIC_MISMATCH',
      detail: expect.stringContaining('does not state sha256'),
    })
  })

  test('is any for people', () => {
    const definition = builtJob(jobBody({ verifierMode: 'human_fallback', verifierTerms: undefined })).definition
    expect(foreseeRejection(definition, null, {})).toBeNull()
  })
})
