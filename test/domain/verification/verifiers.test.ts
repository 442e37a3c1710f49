import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isPinnable, OPEN_DATA_METHOD, pinnedAddresses } from '../../../domain/catalogue/open-data.ts'
import { verifierConfigHash } from '../../../domain/catalogue/verification-contract.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { collapseSpace, evidenceText, normaliseText } from '../../../domain/common/text.ts'
import { reviewEnd, reviewSeconds } from '../../../domain/sessions/review-deadline.ts'
import { judgeBenchmark, judgeRevisionAnchors, revisionAnchors, usableKeywords } from '../../../domain/verification/benchmark.ts'
import { commitmentOf } from '../../../domain/verification/commitments.ts'
import { judgeDeterministic, judgeOpenData } from '../../../domain/verification/deterministic.ts'
import { judgeHumanFallback } from '../../../domain/verification/human-fallback.ts'
import { memberNames } from '../../../domain/verification/normalise-text.ts'
import { parseVerdictOutcome } from '../../../domain/verification/outcome.ts'
import { type CommittedJob, rejectsPlaceholders } from '../../../domain/verification/placeholder-check.ts'
import type { BenchmarkConfig, JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import { jobSchemaByRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import { VERDICT_OUTCOMES } from '../../../schemas/sessions/verdicts.ts'
import { builtJob } from '../builders/job.ts'
import { prConfig } from '../builders/pull-request.ts'

const coding = jobSchemaByRef('schema://jobs/coding-output') ?? null
const config = (requiredKeywords: string[], minimumMatches: number): BenchmarkConfig => ({
  handler: 'benchmark',
  version: 2,
  requiredKeywords,
  minimumMatches,
})
const outputs = (...values: string[]) => values.map((value, index) => ({ value, salt: sha256Of(index) }))

describe('the text of a submission', () => {
  test('is its values, never the names of its members', () => {
    expect(evidenceText({ summary: 'one', list: ['two', { deep: 3 }], flag: true, none: null })).toBe('one\ntwo\n3\ntrue')
    expect(evidenceText('plain')).toBe('plain')
    expect([undefined, null, { left: undefined }].map(evidenceText)).toEqual(['', '', ''])
  })

  test('has one space for every run of white space', () => {
    expect(collapseSpace(' The  bridge\n\topened ')).toBe('The bridge opened')
  })

  test.each([
    ['line breaks', 'unit\r\ntests', 'unit tests'],
    ['a no-break space', 'unit\u00a0tests', 'unit tests'],
    ['the control character NEL', 'unit\u0085tests', 'unit tests'],
    ['a tab and spaces', 'unit \t tests', 'unit tests'],
    ['upper case', 'UNIT Tests', 'unit tests'],
    ['full-width letters', 'ｕｎｉｔ tests', 'unit tests'],
    ['a ligature', 'ﬁx', 'fix'],
    ['an accent as a mark of its own', 'cafe\u0301', 'café'],
    ['a sharp s', 'Straße', 'STRASSE'],
    ['a final sigma', 'ΛΟΓΟΣ', 'λογος'],
    ['a dotted capital', 'İ', 'i̇'],
  ])('is compared without regard to %s', (_what, submitted, term) => {
    expect(judgeBenchmark(config([term], 1), null, { summary: `It has ${submitted} now.` })).toMatchObject({ outcome: 'approved' })
    expect(judgeBenchmark(config([submitted], 1), null, { summary: `It has ${term} now.` })).toMatchObject({ outcome: 'approved' })
    expect(judgeDeterministic('exact', outputs(term), { output: ` ${submitted}\n` })).toMatchObject({ outcome: 'approved' })
    const contained = judgeDeterministic('contains_all', outputs(term), { notes: `(${submitted})` })
    expect(contained).toMatchObject({ outcome: 'approved' })
  })

  test.each(['tests unit', 'unit of tests', 'unittests', 'unit-tests'])('that says %s does not hold the phrase "unit tests"', (summary) => {
    expect(judgeBenchmark(config(['unit tests'], 1), null, { summary })).toMatchObject({ outcome: 'rejected' })
  })

  test.each([
    ['two members', { summary: 'unit', output: 'tests' }],
    ['two entries of a list', { filesChanged: ['unit', 'tests'] }],
  ])('does not hold a phrase in %s', (_what, submission) => {
    expect(judgeBenchmark(config(['unit tests'], 1), null, submission)).toMatchObject({ outcome: 'rejected' })
    expect(judgeDeterministic('contains_all', outputs('unit tests'), submission)).toMatchObject({ outcome: 'rejected' })
  })

  test('normalised twice is normalised once', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => normaliseText(normaliseText(any)) === normaliseText(any)))
  })

  test('is recognised by the names of its members at any depth', () => {
    const leaf = { type: 'string', description: 'A text.' } as const
    const nested = { type: 'object', description: 'A part.', properties: { Deep: leaf } } as const
    const list = { type: 'array', description: 'Parts.', items: nested } as const
    const schema = { type: 'object', description: 'A result.', properties: { Summary: leaf, list } } as const
    expect([...memberNames(schema)]).toEqual(['summary', 'list', 'deep'])
    expect([...memberNames({ required: [] })]).toEqual([])
  })
})

describe('the keyword rule', () => {
  test('the score is the share of usable terms that occur, rounded', () => {
    const terms = config(['alpha', 'beta', 'gamma', 'summary'], 2)
    expect(usableKeywords(terms, coding)).toEqual(['alpha', 'beta', 'gamma'])
    expect(judgeBenchmark(terms, coding, { summary: 'Alpha BETA' })).toMatchObject({ outcome: 'approved', score: 67 })
    expect(judgeBenchmark(terms, coding, { summary: 'alpha' })).toMatchObject({ outcome: 'rejected', score: 33 })
    expect(judgeBenchmark(terms, coding, { summary: 'none' })).toMatchObject({ outcome: 'rejected', score: 0 })
  })

  test('a term counts once and without the space around it, a blank one never', () => {
    expect(usableKeywords(config([' Alpha ', 'alpha', '  ', 'beta'], 1), coding)).toEqual(['alpha', 'beta'])
    expect(usableKeywords(config(['summary'], 1), null)).toEqual(['summary'])
  })

  test('names of members deep in the schema prove nothing either', () => {
    const review = jobSchemaByRef('schema://jobs/pr-review-findings-output') ?? null
    expect(usableKeywords(config(['Recommendation', 'severity', 'race condition'], 1), review)).toEqual(['race condition'])
  })

  test('more text never lowers the score', () => {
    const words = ['alpha', 'beta', 'gamma', 'delta']
    const text = fc.array(fc.constantFrom(...words, 'noise'), { maxLength: 8 }).map((list) => list.join(' '))
    fc.assert(
      fc.property(text, text, (one, other) => {
        const judge = (summary: string) => judgeBenchmark(config(words, 2), coding, { summary })
        expect(judge(`${one} ${other}`).score).toBeGreaterThanOrEqual(judge(one).score)
      }),
    )
  })

  test('approval and the reached number of terms are the same thing', () => {
    const words = ['alpha', 'beta', 'gamma', 'delta']
    fc.assert(
      fc.property(fc.subarray(words), fc.integer({ min: 1, max: 4 }), (used, minimum) => {
        const { outcome } = judgeBenchmark(config(words, minimum), coding, { summary: used.join(' ') })
        expect(outcome === 'approved').toBe(used.length >= minimum)
      }),
    )
  })
})

describe('the anchored rule', () => {
  const approved = judgeBenchmark(config(['dead link', 'archive'], 2), coding, { summary: 'dead link, archive' })
  const revision = 'The bridge   opened in\n1931.<ref>https://news.example/1931</ref> See https://archive.example/bridge'
  const submission = (quote: string, evidence = 'https://news.example/1931', source = 'https://archive.example/bridge') => ({
    citation_findings: [{ source_quote: quote, evidence_url: evidence }],
    proposed_changes: [{ source_url: source }],
  })

  test('takes quotes and addresses of every finding and change', () => {
    expect(revisionAnchors(submission('q', 'e', 's'))).toEqual({ quotes: ['q'], addresses: ['e', 's'] })
  })

  test.each<[string, unknown, string[], string[]]>([
    ['nothing', null, [], []],
    ['plain text', 'quote', [], []],
    ['no list', { citation_findings: 'quote' }, [], []],
    ['an empty entry', { citation_findings: [null, { source_quote: 'q' }] }, ['q'], []],
    ['a quote that is no text', { citation_findings: [{ source_quote: 7, evidence_url: 'e' }] }, [], ['e']],
  ])('finds what there is in %s', (_name, handedIn, quotes, addresses) => {
    expect(revisionAnchors(handedIn)).toEqual({ quotes, addresses })
  })

  const QUOTE = 'bridge opened in 1931'
  test.each([
    ['an address in a template', '{{cite web|url=https://a.example/b|title=B}}', 'https://a.example/b'],
    ['an address in brackets', '[https://a.example/b B]', 'https://a.example/b'],
    ['an address at the end of a sentence', 'See https://a.example/b.', 'https://a.example/b'],
    ['an address in an address of an archive', '[https://archive.example/1/http://a.example/b B]', 'http://a.example/b'],
    ['an address whose start stands elsewhere', 'https://a.example/bc https://a.example/b', 'https://a.example/b'],
    ['an address without a path', '<ref>https://a.example</ref>', 'https://a.example'],
  ])('finds %s', (_name, text, address) => {
    const handedIn = submission(QUOTE, address, address)
    expect(judgeRevisionAnchors(approved, handedIn, `${QUOTE} ${text}`)).toMatchObject({ outcome: 'approved' })
  })

  test.each([
    ['a scheme alone', 'https://'],
    ['a word', 'bridge'],
    ['another scheme', 'ftp://a.example/b'],
    ['the start of a host', 'https://a.exam'],
    ['the start of a path', 'https://a.example/b'],
    ['an address without its query', 'https://a.example/b/c'],
  ])('finds no address in %s', (_name, address) => {
    const text = `${QUOTE} a ftp://a.example/b of the bridge at https://a.example/b/c?page=1`
    expect(judgeRevisionAnchors(approved, submission(QUOTE, address, address), text)).toMatchObject({ outcome: 'rejected' })
  })

  test.each(['a', 'e', 'opened in 1931', ' opened   in      1931 '])('takes %j for no quote', (quote) => {
    expect(judgeRevisionAnchors(approved, submission(quote), revision)).toMatchObject({ outcome: 'rejected', score: 0 })
  })

  test('approves what stands in the pinned revision, whatever its white space', () => {
    expect(judgeRevisionAnchors(approved, submission('bridge opened in 1931'), revision)).toMatchObject({
      outcome: 'approved',
      reasonCode: 'BENCHMARK_REVISION_ANCHORS_MET',
    })
  })

  test.each([
    ['an invented quote', submission('bridge opened in 1932')],
    ['a quote in another case', submission('Bridge Opened in 1931')],
    ['an invented address', submission('bridge opened in 1931', 'https://news.example/1932')],
    ['a blank quote', submission('  ')],
    ['no quote at all', {}],
  ])('rejects %s', (_name, bad) => {
    expect(judgeRevisionAnchors(approved, bad, revision)).toMatchObject({
      outcome: 'rejected',
      score: 0,
      reasonCode: 'BENCHMARK_REVISION_ANCHOR_MISMATCH',
    })
  })

  test('keeps a rejection by keywords', () => {
    const rejected = judgeBenchmark(config(['dead link', 'archive'], 2), coding, { summary: 'dead link' })
    expect(judgeRevisionAnchors(rejected, submission('bridge opened in 1931'), revision)).toBe(rejected)
  })
})

describe('the comparison rule', () => {
  test.each([
    ['42', ' 42 ', 'approved', 100],
    ['42', '43', 'rejected', 0],
    ['Masse', 'MASSE', 'approved', 100],
    ['Masse', 'Maße', 'approved', 100],
    ['Masse', null, 'rejected', 0],
  ])('of the answer %j and %j: %s', (expected, answer, outcome, score) => {
    expect(judgeDeterministic('exact', outputs(expected), answer)).toMatchObject({ outcome, score })
  })
})

describe('several expected outputs', () => {
  const two = outputs('median 7', 'total 42')
  const itemsOf = (matchMode: 'exact' | 'contains_all', submission: unknown) =>
    judgeDeterministic(matchMode, two, submission).items.map(({ criterion, result }) => `${criterion} ${result}`)

  test('are judged one by one, in their order, where a submission must contain all', () => {
    expect(itemsOf('contains_all', 'Total 42')).toEqual(['answer_expected unmet', 'answer_expected met'])
    expect(itemsOf('contains_all', 'Total 42, median 7')).toEqual(['answer_expected met', 'answer_expected met'])
  })

  test('are one check where one of them is enough', () => {
    expect(itemsOf('exact', 'Total 42')).toEqual(['answer_expected met'])
    expect(itemsOf('exact', 'Total 42, median 7')).toEqual(['answer_expected unmet'])
  })
})

describe('the open-data rule', () => {
  const addresses = { datasetUrl: 'https://d.example/1', resourceUrl: 'https://d.example/1.csv' }
  const evidence = { ...addresses, datasetReachable: true, resourceReachable: true }
  const submission = { dataset_url: 'https://d.example/1', resource_url: 'https://d.example/1.csv' }

  test('approves the pinned addresses when both answer', () => {
    expect(judgeOpenData(submission, evidence)).toMatchObject({ outcome: 'approved', reasonCode: 'DETERMINISTIC_FETCH_EVIDENCE_VERIFIED' })
  })

  test('rejects other addresses, however alike', () => {
    for (const resource_url of ['https://d.example/1.csv/', 'http://d.example/1.csv', undefined]) {
      expect(judgeOpenData({ ...submission, resource_url }, evidence).reasonCode).toBe('DETERMINISTIC_FETCH_EVIDENCE_MISMATCH')
    }
    expect(judgeOpenData(null, evidence).outcome).toBe('rejected')
  })

  test.each([
    ['data set', { datasetUrl: '' }, { dataset_url: '' }],
    ['resource', { resourceUrl: '' }, { resource_url: '' }],
  ])('rejects everything where the %s was not pinned', (_name, unpinned, given) => {
    expect(judgeOpenData({ ...submission, ...given }, { ...evidence, ...unpinned }).outcome).toBe('rejected')
  })

  test('an address can be pinned that is https, without credentials and on the usual port', () => {
    expect(['https://d.example/1', 'https://d.example:443/1'].map(isPinnable)).toEqual([true, true])
    const others = ['http://d.example/1', 'https://user@d.example/1', 'https://:secret@d.example/1', 'https://d.example:8443/1']
    expect([...others, 'd.example/1', ['https://d.example/1'], undefined].filter(isPinnable)).toEqual([])
  })

  test('knows only the addresses that can be pinned', () => {
    const none = { datasetUrl: '', resourceUrl: '' }
    expect(pinnedAddresses(undefined)).toEqual(none)
    expect(pinnedAddresses({ type: 'open_data_dataset', datasetUrl: 'http://d.example/1', resourceUrl: 7 })).toEqual(none)
    expect(pinnedAddresses({ type: 'open_data_dataset', ...addresses })).toEqual(addresses)
  })

  test('says nothing about the work when an address does not answer', () => {
    expect(judgeOpenData(submission, { ...evidence, resourceReachable: false })).toMatchObject({
      outcome: 'inconclusive',
      reasonCode: 'DETERMINISTIC_FETCH_EVIDENCE_UNREACHABLE',
    })
  })
})

describe('the items of a finding', () => {
  const terms = (text: string) => judgeBenchmark(config(['alpha'], 1), null, { summary: text })
  const anchored = (quote: string) =>
    judgeRevisionAnchors(terms('alpha'), { citation_findings: [{ source_quote: quote }] }, 'The bridge opened in 1931.')
  const data = {
    datasetUrl: 'https://d.example/1',
    resourceUrl: 'https://d.example/1.csv',
    datasetReachable: true,
    resourceReachable: true,
  }
  const openData = (changes: Partial<typeof data>, resource_url = data.resourceUrl) =>
    judgeOpenData({ dataset_url: data.datasetUrl, resource_url }, { ...data, ...changes })
  const human = (autoApprove: boolean) =>
    judgeHumanFallback({ handler: 'human_fallback', version: 1, autoApprove, escalationMessage: 'A person looks.' } as never)
  const [TERMS, FOUND, QUOTES] = ['terms_distinguish_work', 'terms_found', 'quotes_in_revision'] as const
  const [SUBMITTED, ANSWER] = ['pinned_addresses_submitted', 'pinned_addresses_answer'] as const

  test.each<[string, () => { items: readonly object[] }, object]>([
    ['terms that distinguish nothing', () => judgeBenchmark(config([], 1), null, ''), { [TERMS]: 'unmet', [FOUND]: '-', [QUOTES]: '-' }],
    ['missed terms', () => terms('none'), { [TERMS]: 'met', [FOUND]: 'unmet', [QUOTES]: '-' }],
    ['met terms', () => terms('alpha'), { [TERMS]: 'met', [FOUND]: 'met', [QUOTES]: '-' }],
    ['an invented quote', () => anchored('The bridge opened in 1932.'), { [TERMS]: 'met', [FOUND]: 'met', [QUOTES]: 'unmet' }],
    ['a quote', () => anchored('The bridge opened in 1931.'), { [TERMS]: 'met', [FOUND]: 'met', [QUOTES]: 'met' }],
    ['the answer', () => judgeDeterministic('exact', outputs('42'), '42'), { answer_expected: 'met' }],
    ['another answer', () => judgeDeterministic('exact', outputs('42'), '43'), { answer_expected: 'unmet' }],
    ['other addresses', () => openData({}, 'https://d.example/2'), { [SUBMITTED]: 'unmet', [ANSWER]: '-' }],
    ['an address that does not answer', () => openData({ resourceReachable: false }), { [SUBMITTED]: 'met', [ANSWER]: 'unmet' }],
    ['addresses that answer', () => openData({}), { [SUBMITTED]: 'met', [ANSWER]: 'met' }],
    ['a valid submission that the job approves', () => human(true), { submission_valid: 'met' }],
    ['a valid submission that a person decides', () => human(false), { submission_valid: 'met' }],
  ])('of %s say what was checked and where', (_what, judge, expected) => {
    expect(judge().items).toEqual(
      Object.entries(expected).map(([criterion, result]) => ({
        criterion,
        result: result === '-' ? 'not_applicable' : result,
        evidence: result === '-' ? null : criterion === TERMS ? '/verifierConfigSnapshot' : '/verificationInput',
      })),
    )
  })
})

describe('a verifier tells work from a placeholder', () => {
  const job = ({ expectedOutputs = [], ...changes }: Partial<JobDefinition & CommittedJob>): CommittedJob => ({
    definition: { ...builtJob().definition, outputSchemaRef: 'schema://jobs/open-data-quality-audit-output', ...changes },
    expectedOutputs,
  })
  const expecting = (answer: string): Partial<JobDefinition & CommittedJob> => {
    const expectedOutputs = outputs(answer)
    const commitments = expectedOutputs.map(commitmentOf)
    return { expectedOutputs, verifierConfig: { handler: 'deterministic', version: 1, commitments, matchMode: 'exact' } }
  }
  const address = 'https://data.example/a'
  const openData = (datasetUrl: string, resourceUrl: string): Partial<JobDefinition & CommittedJob> => ({
    ...expecting(address),
    verification: { method: OPEN_DATA_METHOD, signals: [], evidenceSchemaRef: 'schema://jobs/open-data-quality-audit-output' },
    source: { type: 'open_data_dataset', datasetUrl, resourceUrl },
  })

  test.each(['<dataset_title>', 'dataset title', 'Placeholder', 'todo', 'N/A', 'done', 'yes', 'https://example.com/'])(
    'not by the answer %s, which says nothing',
    (answer) => expect(rejectsPlaceholders(job(expecting(answer)))).toBe(false),
  )

  test.each<[string, boolean, Partial<JobDefinition & CommittedJob>]>([
    ['an answer that cannot be guessed', true, expecting('42.195')],
    ['pinned addresses', true, openData(address, `${address}.csv`)],
    ['the address of every example', false, openData('https://example.com/', 'https://example.com/')],
    ['terms besides the name of a member', true, { verifierConfig: config(['summary', 'jitter', 'backoff'], 1) }],
    ['a schema that does not exist', false, { ...expecting('42.195'), outputSchemaRef: 'schema://jobs/no-such' }],
  ])('by %s: %p', (_means, expected, changes) => {
    expect(rejectsPlaceholders(job(changes))).toBe(expected)
  })
})

test('the outcome of a verdict is a known word, and a platform fault for any other', () => {
  expect(VERDICT_OUTCOMES.map(parseVerdictOutcome)).toEqual(VERDICT_OUTCOMES)
  const unknown = ['', 'APPROVED', 'maybe', 'constructor', '__proto__']
  expect(unknown.map(parseVerdictOutcome)).toEqual(unknown.map(() => 'platform_fault'))
})

test.each([
  ['codehost_pr', 12 * 3_600],
  ['human_fallback', 48 * 3_600],
  ['benchmark', 48 * 3_600],
])('a %s submission waits %d seconds for a verdict where pull requests have 12 hours', (mode, seconds) => {
  expect(reviewSeconds(mode, { CODEHOST_PR_REVIEW_SLA_HOURS: 12 })).toBe(seconds)
})

test.each([
  [{ reviewEndsAt: 7_000 }, 7_000],
  [{ reviewEndsAt: null }, 1_000 + 48 * 3_600_000],
])('the review of a submission of second 1 that kept %j ends at %d', (kept, end) => {
  expect(reviewEnd(kept, 1_000)).toBe(end)
})

test('the hash of a verifier config is that of its canonical form', () => {
  const hash = verifierConfigHash(prConfig())
  expect(hash).toBe('0x9c24f7bd66b791b18aaa61ac498342f768a1a2d89eba6bbccd33eea9c3bf34b5')
})
