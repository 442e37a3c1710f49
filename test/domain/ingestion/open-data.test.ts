import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { openDataRules } from '../../../domain/ingestion/open-data.ts'
import { buildJob } from '../../../domain/verification/listing.ts'
import { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { OpenDataInput, type OpenDataItem } from '../../../schemas/ingestion/open-data.ts'
import { LISTING } from '../builders/job.ts'

const SHA = 'ab'.repeat(32)
const CSV = { title: 'Stations', url: 'https://files.example/stations.csv', format: 'CSV' }

const dataset = (changes: Partial<OpenDataItem> = {}): OpenDataItem => ({
  kind: 'datagov',
  portal: 'catalog.data.gov',
  datasetId: 'air-quality-stations',
  title: 'Air quality stations',
  agency: 'Example Agency',
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
  datasetUrl: 'https://catalog.data.gov/dataset/air-quality-stations',
  modifiedAt: '2023-01-01T00:00:00.000Z',
  isPublic: true,
  isMissing: false,
  resource: CSV,
  facts: [`sha256 ${SHA}`, 'bytes 123', 'columns id,name', 'rows 7'],
  resourceFault: null,
  readAt: '2026-01-02T03:04:05.000Z',
  ...changes,
})

const { scoreOf, unfitOf, jobOf, keyOf, contentOf, textsOf } = openDataRules
const jobFor = (item: OpenDataItem) => JobInput.parse(jobOf(item, scoreOf(item)))
const built = (item: OpenDataItem) => buildJob(JobInput.parse(jobFor(item)), LISTING)

/** Without what makes the sum more than 100. */
const LESS = { title: null, datasetUrl: null } as const

describe('the score of a data set', () => {
  test.each<[string, Partial<OpenDataItem>, number]>([
    ['everything, not above 100', {}, 100],
    ['no title and no address', LESS, 90],
    ['a title', { ...LESS, title: 'A' }, 98],
    ['an address', { datasetUrl: 'https://a.example/', title: null, agency: null }, 94],
    ['no resource', { ...LESS, resource: null }, 12],
    ['another format', { ...LESS, resource: { ...CSV, format: 'PDF' } }, 74],
    ['no format', { ...LESS, resource: { ...CSV, format: null } }, 74],
    ['JSON', { ...LESS, resource: { ...CSV, format: 'JSON' } }, 90],
    ['GEOJSON', { ...LESS, resource: { ...CSV, format: 'GEOJSON' } }, 90],
    ['API', { ...LESS, resource: { ...CSV, format: 'API' } }, 90],
    ['XLS', { ...LESS, resource: { ...CSV, format: 'XLS' } }, 90],
    ['XLSX', { ...LESS, resource: { ...CSV, format: 'XLSX' } }, 90],
    ['XML', { ...LESS, resource: { ...CSV, format: 'XML' } }, 90],
    ['no agency', { ...LESS, agency: null }, 84],
    ['no licence', { ...LESS, license: null }, 85],
    ['no date', { ...LESS, modifiedAt: null }, 74],
    ['a date of exactly two years ago', { ...LESS, modifiedAt: '2024-01-03T03:04:05.000Z' }, 82],
    ['a date of more than two years ago', { ...LESS, modifiedAt: '2024-01-03T03:04:04.999Z' }, 90],
    ['a date of the future', { ...LESS, modifiedAt: '2099-01-01T00:00:00.000Z' }, 82],
    ['nothing, not below 0', { ...LESS, resource: null, agency: null, license: null, modifiedAt: null }, 0],
  ])('of %s is the sum of its lines', (_name, changes, total) => {
    expect(scoreOf(dataset(changes)).total).toBe(total)
  })

  test('names each line with its points', () => {
    expect(scoreOf(dataset()).parts).toEqual([
      ['base', 25],
      ['title', 8],
      ['dataset address', 10],
      ['resource address', 22],
      ['preferred format', 16],
      ['agency', 6],
      ['licence', 5],
      ['date', 8],
      ['older than two years', 8],
    ])
  })

  test.each<[Partial<OpenDataItem>, string, boolean]>([
    [{}, 'starter', true],
    [{ agency: null, license: null, modifiedAt: null }, 'starter', true],
    [{ agency: null, modifiedAt: null, resource: { ...CSV, format: 'PDF' } }, 'review-needed', false],
  ])('of %j makes the job %s', (changes, estimatedDifficulty, onboardingWaiverEligible) => {
    expect(jobFor(dataset(changes))).toMatchObject({
      estimatedDifficulty,
      onboardingWaiverEligible,
      tier: onboardingWaiverEligible ? 'starter' : 'pro',
    })
  })
})

describe('a data set that is no work', () => {
  test.each<[string, Partial<OpenDataItem>]>([
    ['dataset_missing', { isMissing: true }],
    ['dataset_not_public', { isPublic: false }],
    ['title_missing', { title: null }],
    ['title_missing', { title: '\u0000 \u200b' }],
    ['dataset_url_missing', { datasetUrl: null }],
    ['resource_missing', { resource: null }],
    ['resource_unreadable', { facts: null, resourceFault: 'The host did not answer.' }],
    ['resource_unreadable', { facts: null }],
  ])('is unfit as %s', (reason, changes) => {
    expect(unfitOf(dataset(changes))?.reason).toBe(reason)
  })
})

describe('the job of a data set', () => {
  test('commits to the facts of the bytes and shows none of their values', () => {
    const { definition, expectedOutputs } = built(dataset())
    expect(definition).toMatchObject({
      id: expect.stringMatching(/^open-data-datagov-air-quality-stations-[0-9a-f]{8}$/),
      title: 'Open data audit: Air quality stations',
      rewardAmountRaw: '100000',
      claimTtlSeconds: 7200,
      retryLimit: 1,
      lane: 'benchmark-showcase',
      verifierConfig: { handler: 'deterministic', matchMode: 'contains_all' },
      verification: { method: 'committed_source_facts', signals: ['sha256', 'bytes', 'columns', 'rows'] },
      source: { type: 'open_data_dataset', portal: 'data.gov', pinnedUrl: CSV.url, license: expect.stringContaining('creativecommons') },
    })
    expect(expectedOutputs.map(({ value }) => value)).toEqual(dataset().facts)
    expect(JSON.stringify(definition)).not.toMatch(new RegExp(`${SHA}|bytes 123|id,name|rows 7`))
  })

  test('names each fact in its form', () => {
    const { agentInstructions } = jobFor(dataset({ facts: [`sha256 ${SHA}`, 'bytes 2', 'top-level array', 'entries 0'] }))
    expect(agentInstructions[0]).toMatch(/sha256 <64 hex.*bytes <number.*top-level <array.*entries <elements/)
  })

  test.each<[Partial<OpenDataItem>, RegExp]>([
    [{ datasetId: 'x'.repeat(300) }, /^open-data-datagov-x{93}-[0-9a-f]{8}$/],
    [{ datasetId: 'https://data.example/api/views/e539-uadk' }, /^open-data-datagov-https-data-example-api-views-e539-uadk-[0-9a-f]{8}$/],
    [{ datasetId: '統計' }, /^open-data-datagov-[0-9a-f]{8}$/],
    [{ kind: 'ckan', portal: 'open.canada.example' }, /^open-data-ckan-air-quality-stations-[0-9a-f]{8}$/],
  ])('of %j has an id of at most 120 characters', (changes, form) => {
    const { id } = jobFor(dataset(changes))
    expect(id).toMatch(form)
    expect(id.length).toBeLessThanOrEqual(120)
  })

  test('has another id for another data set whose slug is the same', () => {
    expect(jobFor(dataset({ datasetId: 'Air quality stations' })).id).not.toBe(jobFor(dataset()).id)
    expect(keyOf(dataset({ kind: 'ckan', portal: 'a.example' }))).toBe('a.example:air-quality-stations')
  })

  test('of any fit data set is one that can be listed: its verifier rejects every filler', () => {
    const text = fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }).filter((value) => value.trim() !== ''))
    const items = fc.record({
      kind: fc.constantFrom('datagov' as const, 'ckan' as const),
      portal: fc.constant('catalog.data.gov'),
      datasetId: fc.string({ unit: 'binary', minLength: 1 }),
      title: text.map((value) => value && (value.trim() || null)),
      agency: text,
      license: text,
      datasetUrl: fc.constant('https://a.example/'),
      modifiedAt: fc.constantFrom(null, '2020-01-01T00:00:00.000Z'),
      isPublic: fc.constant(true),
      isMissing: fc.constant(false),
      resource: fc.constantFrom(null, CSV, { title: '\u0000', url: 'http://127.0.0.1:1/a', format: '<b>' }),
      facts: fc.constantFrom(null, [`sha256 ${SHA}`, 'bytes 0'], [`sha256 ${SHA}`, 'bytes 9', 'columns done,TODO', 'rows 0']),
      resourceFault: fc.constant(null),
      readAt: fc.constant('2026-01-02T03:04:05.000Z'),
    })
    fc.assert(
      fc.property(items, (item) => {
        expect(scoreOf(item).total).toBeGreaterThanOrEqual(0)
        if (unfitOf(item) !== null) return
        const job = jobFor(item)
        expect(JobInput.parse(job)).toEqual(job)
        expect(buildJob(job, LISTING).definition.id).toBe(job.id)
      }),
      { numRuns: 150 },
    )
  })

  test('changes with the bytes of the resource, not with the time of the reading', () => {
    expect(contentOf(dataset({ readAt: '2026-01-03T00:00:00.000Z' }))).toEqual(contentOf(dataset()))
    expect(contentOf(dataset({ facts: ['bytes 124'] }))).not.toEqual(contentOf(dataset()))
  })

  test('names every text of the source for the screen', () => {
    expect(textsOf(dataset({ license: null })).map(({ pointer }) => pointer)).toEqual([
      '/datasetId',
      '/title',
      '/agency',
      '/resource/title',
      '/resource/url',
      '/resource/format',
    ])
  })
})

describe('the inputs of a run', () => {
  test.each([{ query: 'water' }, { datasets: ['a'] }, { query: 'water', organization: 'epa-gov' }])('take %j', (input) => {
    expect(OpenDataInput.parse(input)).toEqual(input)
  })

  test.each([
    {},
    { organization: 'epa-gov' },
    { query: 'water', datasets: ['a'] },
    { query: ' ' },
    { query: 'x'.repeat(201) },
    { datasets: [] },
    { datasets: Array.from({ length: 51 }, String) },
    { query: 'water', organization: '../x' },
    { query: 'water', specs: [] },
  ])('refuse %j', (input) => {
    expect(OpenDataInput.safeParse(input).success).toBe(false)
  })
})
