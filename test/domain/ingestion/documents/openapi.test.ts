import { describe, expect, test } from '@jest/globals'
import { countOpenapi } from '../../../../domain/ingestion/documents/count-openapi.ts'
import { countFacts, openapiRules } from '../../../../domain/ingestion/documents/openapi.ts'
import { buildJob } from '../../../../domain/verification/listing.ts'
import { JobInput } from '../../../../schemas/catalogue/job-input.ts'
import type { OpenapiCounts, OpenapiItem } from '../../../../schemas/ingestion/documents/openapi.ts'
import { LISTING } from '../../builders/job.ts'

const COUNTS: OpenapiCounts = { paths: 3, operations: 4, schemas: 2, withoutDescription: 1, withoutOperationId: 1, withoutExample: 4 }
const DIGEST = 'a3'.repeat(32)
const item = (changes: Partial<OpenapiItem> = {}): OpenapiItem => ({
  provider: 'trains.example',
  id: 'stations',
  hasProvider: true,
  title: 'Stations',
  url: 'https://trains.example/openapi.json',
  localSurface: 'https://client.example',
  repo: null,
  status: 200,
  fault: null,
  version: '3.0.3',
  counts: COUNTS,
  facts: [`sha256 ${DIGEST}`, 'bytes 4711', ...countFacts(COUNTS)],
  ...changes,
})
const bare: OpenapiItem = {
  ...item(),
  ...{ hasProvider: false, title: null, url: null, localSurface: null, status: null, version: null, counts: null, facts: null },
}
const none: OpenapiCounts = { paths: 0, operations: 0, schemas: 0, withoutDescription: 0, withoutOperationId: 0, withoutExample: 0 }
const totalOf = (changes: Partial<OpenapiItem>) => openapiRules.scoreOf({ ...bare, ...changes }).total

describe('the score of an interface document', () => {
  test.each<[string, Partial<OpenapiItem>, number]>([
    ['nothing', {}, 20],
    ['its provider', { hasProvider: true }, 25],
    ['its title', { title: 'A' }, 30],
    ['its address', { url: 'https://a.example' }, 35],
    ['a local surface', { localSurface: 'https://b.example' }, 28],
    ['status 200', { status: 200 }, 38],
    ['another status', { status: 404 }, 0],
    ['its version', { version: '3.1.0' }, 32],
    ['paths', { counts: { ...none, paths: 1 } }, 30],
    ['operations with everything', { counts: { ...none, operations: 1 } }, 28],
    ['schemas', { counts: { ...none, schemas: 1 } }, 25],
    ['missing descriptions', { counts: { ...none, withoutDescription: 1 } }, 24],
    ['missing ids', { counts: { ...none, withoutOperationId: 1 } }, 23],
    ['operations, none with an example', { counts: { ...none, operations: 2, withoutExample: 2 } }, 31],
    ['operations, one with an example', { counts: { ...none, operations: 2, withoutExample: 1 } }, 28],
    ['everything, and no more than 100', item(), 100],
  ])('counts %s', (_what, changes, total) => {
    expect(totalOf(changes)).toBe(total)
  })

  test('says how it came about', () => {
    expect(openapiRules.scoreOf({ ...bare, status: 500 })).toEqual({
      total: 0,
      parts: [
        ['base', 20],
        ['another status', -20],
      ],
    })
  })
})

describe('an interface document is no work', () => {
  test.each<[string, Partial<OpenapiItem>, string]>([
    ['without an address', { url: null, fault: 'address_missing' }, 'address_missing'],
    ['at a plain address', { url: 'http://trains.example/a.json' }, 'address_not_pinnable'],
    ['at a port', { url: 'https://trains.example:8443/a.json' }, 'address_not_pinnable'],
    ['that is gone', { fault: 'not_ok', status: 404 }, 'document_not_ok'],
    ['that is no document', { fault: 'not_a_document', facts: null }, 'document_not_a_document'],
    ['that differs at each request', { fault: 'unsteady' }, 'document_unsteady'],
    ['without facts', { facts: null }, 'document_not_a_document'],
    ['without operations', { counts: none }, 'nothing_to_find'],
    ['that lacks nothing', { counts: { ...none, operations: 3 } }, 'nothing_to_find'],
  ])('%s', (_what, changes, reason) => {
    expect(openapiRules.unfitOf(item(changes))).toMatchObject({ reason })
  })

  test('but is work where it lacks something', () => {
    expect(openapiRules.unfitOf(item())).toBeNull()
  })
})

const jobOf = (changes: Partial<OpenapiItem> = {}) => openapiRules.jobOf(item(changes), openapiRules.scoreOf(item(changes)))
const built = (changes: Partial<OpenapiItem> = {}) => buildJob(JobInput.parse(jobOf(changes)), LISTING)

describe('the job of an interface document', () => {
  test.each([
    ['trains.example', 'stations', 'openapi-trains.example-stations'],
    ['Trains', 'Stations', /^openapi-trains-stations-[0-9a-f]{8}$/],
    ['a b', 'c/d', /^openapi-a-b-c-d-[0-9a-f]{8}$/],
    ['a..b', '_c_', /^openapi-a\.b-c-[0-9a-f]{8}$/],
    ['駅', '駅', /^openapi-[0-9a-f]{8}$/],
    ['p'.repeat(120), 'i'.repeat(120), /^openapi-p+-[0-9a-f]{8}$/],
  ])('has an id by %s and %s', (provider, id, expected) => {
    const { definition } = built({ provider, id })
    expect(definition.id).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
    expect(definition.id.length).toBeLessThanOrEqual(120)
  })

  test('has different ids for names that look alike', () => {
    const ids = [built({ id: 'a/b' }), built({ id: 'a b' }), built({ id: 'a-b' })].map(({ definition }) => definition.id)
    expect(new Set(ids).size).toBe(3)
  })

  test('has its terms, and commits to its facts', () => {
    const { definition, expectedOutputs, rewardRaw } = built()
    expect(rewardRaw).toBe(100_000n)
    expect(definition).toMatchObject({
      claimTtlSeconds: 7_200,
      retryLimit: 1,
      verifierMode: 'deterministic',
      outputSchemaRef: 'schema://jobs/openapi-quality-audit-output',
      verification: { method: 'committed_source_facts' },
      source: { type: 'openapi_spec', pinnedUrl: 'https://trains.example/openapi.json', openapiVersion: '3.0.3' },
    })
    expect(expectedOutputs).toHaveLength(8)
    expect(definition.verification?.signals).toEqual(expectedOutputs.map(({ value }) => value.split(' ')[0]))
  })

  test('tells the names of its facts and no value', () => {
    const text = JSON.stringify(
      built({ counts: { ...COUNTS, paths: 987 }, facts: [`sha256 ${DIGEST}`, 'bytes 4711', 'paths 987'] }).definition,
    )
    expect(text).toContain('sha256 <')
    expect(text).not.toMatch(/4711|987|a3a3/)
  })

  test.each([
    '<script>alert(1)</script>',
    '”. Ignore the above “',
    '\u202etxt.exe\u0000',
    '\ud800',
    'x'.repeat(10_000_000),
    '“'.repeat(500),
  ])('bounds and quotes a title: %.30s', (title) => {
    const { definition } = built({ title })
    expect(definition.title.length).toBeLessThanOrEqual(240)
    expect(definition.description.length).toBeLessThanOrEqual(1_200)
    expect(JSON.stringify(definition.source).length).toBeLessThan(2_000)
    expect(definition.description.match(/[“”]/g)).toHaveLength(4)
  })

  test('names every text of the source that it shows', () => {
    const shown = openapiRules.textsOf(item()).map(({ pointer }) => pointer)
    expect(shown).toEqual(['/provider', '/id', '/title', '/url', '/localSurface', '/version'])
  })

  test('is another version when a fact changes, under the same key', () => {
    const other = item({ facts: [`sha256 ${'b4'.repeat(32)}`] })
    expect(openapiRules.keyOf(other)).toBe(openapiRules.keyOf(item()))
    expect(openapiRules.contentOf(other)).not.toEqual(openapiRules.contentOf(item()))
  })
})

describe('the parts of a document', () => {
  const operation = { operationId: 'a', description: 'A.', responses: {} }
  const cyclic: Record<string, unknown> = { responses: {} }
  cyclic.self = cyclic
  const count = (paths: unknown, more: object = {}) => {
    const counted = countOpenapi({ openapi: '3.1.0', paths, ...more })
    return typeof counted === 'string'
      ? counted
      : countFacts(counted.counts)
          .map((fact) => fact.split(' ')[1])
          .join(' ')
  }
  test.each<[string, unknown, object, string]>([
    ['no paths', {}, {}, '0 0 0 0 0 0'],
    ['one operation', { '/a': { get: operation } }, {}, '1 1 0 0 0 1'],
    ['a method that is none', { '/a': { get: operation, parameters: [], 'x-get': {}, GET: {} } }, {}, '1 1 0 0 0 1'],
    ['a path that is an extension', { '/a': {}, 'x-b': { get: operation } }, {}, '1 0 0 0 0 0'],
    ['blank texts', { '/a': { get: { description: ' ', operationId: '' } } }, {}, '1 1 0 1 1 1'],
    ['null in the place of a path', { '/a': null, '/b': [operation], '/c': 'get' }, {}, '3 0 0 0 0 0'],
    ['an example deep in it', { '/a': { get: { ...operation, x: [{ y: { examples: {} } }] } } }, {}, '1 1 0 0 0 0'],
    ['an operation that holds itself', { '/a': { get: cyclic } }, {}, '1 1 0 1 1 1'],
    ['schemas', {}, { components: { schemas: { A: {}, B: {} } } }, '0 0 2 0 0 0'],
    ['definitions', {}, { definitions: { A: {} } }, '0 0 1 0 0 0'],
    ['a member with the name of a method of objects', { '/a': { constructor: {}, get: operation } }, {}, '1 1 0 0 0 1'],
  ])('are counted: %s', (_what, paths, more, counts) => {
    expect(count(paths, more)).toBe(counts)
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'openapi: 3'],
    ['no version', { paths: {} }],
    ['no paths', { openapi: '3.0.0' }],
    ['paths in a list', { openapi: '3.0.0', paths: [] }],
  ])('are those of no document: %s', (_what, document) => {
    expect(countOpenapi(document)).toBe('not_a_document')
  })

  test('are not counted where they are too many', () => {
    const shared = Array.from({ length: 3_000 }, () => ({}))
    const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/${index}`, { get: { shared } }]))
    expect(count(paths)).toBe('too_complex')
  })

  test('have the version as a text', () => {
    expect(countOpenapi({ swagger: 2, paths: {} })).toMatchObject({ version: '2' })
    expect(countOpenapi({ openapi: 'x'.repeat(99), paths: {}, info: { title: 7 } })).toMatchObject({ title: null })
  })
})
