import { describe, expect, test } from '@jest/globals'
import { rehearse } from '../../../activities/postings/rehearse.ts'
import type { VerifierSources } from '../../../activities/verification/sources.ts'
import type { BuiltJob } from '../../../domain/catalogue/job-definition.ts'
import type { NeedChecks } from '../../../domain/catalogue/readiness.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { PlaceholderKind, RehearsalOutcome, RehearsalWarning } from '../../../schemas/postings/terms.ts'
import { builtJob, jobBody, NOW, prBody } from '../../domain/builders/job.ts'
import { PR_URL, reading } from '../../domain/builders/pull-request.ts'
import { ANCHORED_FIXTURES } from '../verification/fixtures/anchored.ts'
import { createFixtureSources, type FixtureSources } from '../verification/fixtures/fixture.ts'
import { OPEN_DATA_FIXTURES } from '../verification/fixtures/open-data.ts'

const POSTER = `0x${'c3'.repeat(20)}` as const
const NO_CHECKS: NeedChecks = new Map()

const coding = (output: string, rest: object = {}) => ({ summary: 'What was done.', output, status: 'complete', ...rest })
const work = { prUrl: PR_URL, summary: 'The parser keeps the last row.', tests: 'npm test: 12 passed' }

const deterministic = (changes: Partial<JobInputBody> = {}): JobInputBody => {
  const { verifierTerms: _terms, ...body } = jobBody()
  return {
    ...body,
    verifierMode: 'deterministic',
    verifierConfig: { handler: 'deterministic', version: 1, expectedOutputs: ['forty-two'], matchMode: 'exact' },
    ...changes,
  }
}
const people = (): JobInputBody => {
  const { verifierTerms: _terms, ...body } = jobBody()
  return {
    ...body,
    verifierMode: 'human_fallback',
    verifierConfig: { handler: 'human_fallback', version: 1, escalationMessage: 'A reviewer reads it.', autoApprove: false },
  }
}

/** A job with the terms of a fixture of the handlers. */
const builtLike = (fixtures: typeof ANCHORED_FIXTURES): BuiltJob => {
  const [fixture] = fixtures
  if (fixture === undefined) throw new Error('no fixture')
  const built = builtJob()
  const { config: verifierConfig, outputSchemaRef, definition = {} } = fixture
  return {
    ...built,
    definition: { ...built.definition, verifierMode: verifierConfig.handler, verifierConfig, outputSchemaRef, ...definition },
  }
}
const submissionsOf = (fixtures: typeof ANCHORED_FIXTURES) => fixtures.slice(0, 5).map(({ submission }) => submission)

const run = (built: BuiltJob, submissions: readonly unknown[], sources: VerifierSources = createFixtureSources(), checks = NO_CHECKS) =>
  rehearse({ ...built, poster: POSTER }, submissions, { sources, checks, now: NOW })

interface Row {
  job: BuiltJob
  submissions: readonly unknown[]
  sources?: FixtureSources
  outcomes: readonly RehearsalOutcome[]
  reasons: readonly string[]
  paid: readonly PlaceholderKind[]
  warnings: readonly RehearsalWarning[]
}

const ROWS: Record<string, Row> = {
  'benchmark: work, a work that falls short, and what no worker could submit': {
    job: builtJob(),
    submissions: [coding('Exponential backoff with jitter within a retry budget.'), coding('Nothing of it.'), { output: 'x' }, 'text'],
    outcomes: ['approved', 'rejected', 'refused', 'refused'],
    reasons: ['BENCHMARK_THRESHOLD_MET', 'BENCHMARK_THRESHOLD_MISSED', 'invalid_request', 'invalid_request'],
    paid: ['keywords'],
    warnings: ['keywords_are_public', 'submission_refused'],
  },
  'benchmark: keywords that the title holds': {
    job: builtJob(jobBody({ title: 'Jitter, exponential backoff and a retry budget' })),
    submissions: [],
    outcomes: [],
    reasons: [],
    paid: ['title', 'keywords'],
    warnings: ['placeholder_would_be_paid', 'keywords_are_public'],
  },
  'benchmark: an object that was wrapped counts as submit takes it': {
    job: builtJob(),
    submissions: [{ output: coding('Exponential backoff, jitter, retry budget.') }],
    outcomes: ['approved'],
    reasons: ['BENCHMARK_THRESHOLD_MET'],
    paid: ['keywords'],
    warnings: ['keywords_are_public'],
  },
  'benchmark with a pinned revision: pasted keywords are no quotes of it': {
    job: builtLike(ANCHORED_FIXTURES),
    submissions: submissionsOf(ANCHORED_FIXTURES).slice(0, 3),
    sources: ANCHORED_FIXTURES[0]?.sources ?? {},
    outcomes: ['approved', 'approved', 'rejected'],
    reasons: ['BENCHMARK_REVISION_ANCHORS_MET', 'BENCHMARK_REVISION_ANCHORS_MET', 'BENCHMARK_REVISION_ANCHOR_MISMATCH'],
    paid: [],
    warnings: [],
  },
  'benchmark with a pinned revision that cannot be read': {
    job: builtLike(ANCHORED_FIXTURES),
    submissions: submissionsOf(ANCHORED_FIXTURES).slice(0, 1),
    sources: {},
    outcomes: ['unavailable'],
    reasons: ['BENCHMARK_PINNED_REVISION_UNAVAILABLE'],
    paid: [],
    warnings: ['input_unreadable'],
  },
  'deterministic: the expected answer and another one': {
    job: builtJob(deterministic()),
    submissions: [coding('Forty-Two'), coding('forty-three')],
    outcomes: ['approved', 'rejected'],
    reasons: ['DETERMINISTIC_MATCH', 'DETERMINISTIC_MISMATCH'],
    paid: [],
    warnings: [],
  },
  'deterministic: the answer is the description': {
    job: builtJob(deterministic({ description: 'Forty-two' })),
    submissions: [coding('forty-three')],
    outcomes: ['rejected'],
    reasons: ['DETERMINISTIC_MISMATCH'],
    paid: ['description'],
    warnings: ['placeholder_would_be_paid', 'nothing_approved'],
  },
  'deterministic: every answer is in the criteria': {
    job: builtJob(
      deterministic({
        acceptanceCriteria: ['Names red.', 'Names green.'],
        verifierConfig: { handler: 'deterministic', version: 1, expectedOutputs: ['red', 'green'], matchMode: 'contains_all' },
      }),
    ),
    submissions: [coding('red and green'), coding('green and red')],
    outcomes: ['approved', 'approved'],
    reasons: ['DETERMINISTIC_MATCH', 'DETERMINISTIC_MATCH'],
    paid: ['acceptance_criteria'],
    warnings: ['placeholder_would_be_paid', 'everything_approved'],
  },
  'open data: an address that does not answer': {
    job: builtLike(OPEN_DATA_FIXTURES),
    submissions: submissionsOf(OPEN_DATA_FIXTURES).slice(0, 2),
    sources: {},
    outcomes: ['unavailable', 'rejected'],
    reasons: ['DETERMINISTIC_FETCH_EVIDENCE_UNREACHABLE', 'DETERMINISTIC_FETCH_EVIDENCE_MISMATCH'],
    paid: [],
    warnings: ['input_unreadable', 'nothing_approved'],
  },
  'human_fallback: people decide': {
    job: builtJob(people()),
    submissions: [coding('Whatever it is.')],
    outcomes: ['disputed'],
    reasons: ['HUMAN_REVIEW_REQUIRED'],
    paid: [],
    warnings: ['people_decide'],
  },
  'codehost_pr: a merged pull request, and one of another repository': {
    job: builtJob(prBody()),
    submissions: [work, { ...work, prUrl: 'https://codehost.example/acme/gadgets/pull/3' }],
    sources: { pullRequest: reading({ merged: true, state: 'closed' }) },
    outcomes: ['approved', 'refused'],
    reasons: ['CODEHOST_PR_EVIDENCE_ACCEPTED', 'invalid_request'],
    paid: [],
    warnings: ['submission_refused'],
  },
  'codehost_pr: a host that does not answer': {
    job: builtJob(prBody()),
    submissions: [work],
    outcomes: ['unavailable'],
    reasons: ['CODEHOST_PR_LOOKUP_UNAVAILABLE'],
    paid: [],
    warnings: ['input_unreadable'],
  },
  'codehost_pr: a service without a token reads nothing': {
    job: builtJob(prBody()),
    submissions: [work],
    sources: { pullRequest: { status: 'skipped', reason: 'codehost_token_not_configured' } },
    outcomes: ['unavailable'],
    reasons: ['HUMAN_REVIEW_REQUIRED'],
    paid: [],
    warnings: ['input_unreadable'],
  },
}

describe('a rehearsal', () => {
  test.each(Object.entries(ROWS))('judges by the handler of the job: %s', async (_name, row) => {
    const { submissions, placeholders, warnings, ranAt } = await run(row.job, row.submissions, createFixtureSources(row.sources))
    expect(submissions.map(({ outcome }) => outcome)).toEqual(row.outcomes)
    expect(submissions.map(({ reasonCode }) => reasonCode)).toEqual(row.reasons)
    expect(submissions.map(({ index }) => index)).toEqual([...row.submissions.keys()])
    expect(submissions.map(({ schemaValid }) => schemaValid)).toEqual(row.outcomes.map((outcome) => outcome !== 'refused'))
    expect(placeholders.filter(({ outcome }) => outcome === 'approved').map(({ kind }) => kind)).toEqual(row.paid)
    expect(warnings.map(({ code }) => code)).toEqual(row.warnings)
    expect(ranAt).toBe(new Date(NOW).toISOString())
  })

  test('shows the items and the detail of each verdict', async () => {
    const { submissions } = await run(builtJob(), [coding('Jitter alone.')])
    expect(submissions[0]).toMatchObject({
      score: 33,
      detail: '1 of 3 terms found, 2 needed.',
      items: [{ criterion: 'terms_distinguish_work', result: 'met' }, { criterion: 'terms_found', result: 'unmet' }, {}],
    })
  })

  test('names the placeholders that would be paid, and the member that submit refuses', async () => {
    const { submissions, warnings } = await run(builtJob(deterministic({ description: 'Forty-two' })), [
      coding('x', { status: 'finished' }),
    ])
    expect(warnings[0]?.message).toContain('description')
    expect(submissions[0]?.detail).toContain('/submission/status')
  })

  test('says once that keywords are public, and names them among no placeholders that are a fault', async () => {
    const { warnings } = await run(builtJob(jobBody({ title: 'Jitter, exponential backoff and a retry budget' })), [])
    const [fault, known] = warnings
    expect(fault?.message).toContain('takes no effort: title.')
    expect(known?.message).toMatch(/keywords are public.*deterministic.*human_fallback/)
  })

  test('reads each input once, however many submissions name it', async () => {
    const reads: string[] = []
    const sources = createFixtureSources(ANCHORED_FIXTURES[0]?.sources)
    const readRevision: typeof sources.readRevision = (anchor) => {
      reads.push(anchor.revisionId)
      return sources.readRevision(anchor)
    }
    await run(builtLike(ANCHORED_FIXTURES), submissionsOf(ANCHORED_FIXTURES), { ...sources, readRevision })
    expect(reads).toEqual(['1201456789'])
  })

  test('ends at its time limit where a host never answers', async () => {
    const sources = { ...createFixtureSources(), readPullRequest: () => new Promise<never>(() => undefined) }
    const found = await rehearse({ ...builtJob(prBody()), poster: POSTER }, [work], { sources, checks: NO_CHECKS, now: NOW, limitMs: 1 })
    expect(found.submissions).toMatchObject([{ outcome: 'unavailable', reasonCode: 'REHEARSAL_TIMED_OUT', score: null }])
    expect(found.warnings.map(({ code }) => code)).toEqual(['input_unreadable'])
  })

  test('warns of a code host that the last check could not read, although no submission names it', async () => {
    const checks: NeedChecks = new Map([
      ['code_host', { reason: 'code_host_token_refused' as const, checkedAt: NOW, ageSeconds: 1, lastVerdictAt: null }],
    ])
    const { warnings } = await run(builtJob(prBody()), [], createFixtureSources(), checks)
    expect(warnings).toMatchObject([{ code: 'input_unreadable', message: expect.stringContaining('code_host_token_refused') }])
  })
})
