import { describe, expect, test } from '@jest/globals'
import { judgeStructuredOutput } from '../../../../domain/paid-verification/structured-output/judge.ts'

const SOURCE = { sha256: 'a'.repeat(64), url: 'https://texts.example/one' }
const TEXT = 'The bridge was opened\n\tin  1894 and carries two lanes of traffic.'
const QUOTE = 'opened in 1894 and carries two'
const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

const citation = { source: SOURCE.sha256, quote: QUOTE, claim: '/year' }
const OUTPUT = { year: 1894, citations: [citation] }
const SCHEMA = { type: 'object', required: ['year'], properties: { year: { type: 'integer' } } }

interface Given {
  output?: unknown
  schema?: unknown
  text?: string | Uint8Array
  citationsPointer?: string
}
const judge = ({ output = OUTPUT, schema = SCHEMA, text = TEXT, citationsPointer = '/citations' }: Given = {}) =>
  judgeStructuredOutput({
    output: output instanceof Uint8Array ? output : bytesOf(output),
    schema: bytesOf(schema),
    sources: [
      { ...SOURCE, bytes: typeof text === 'string' ? bytesOf(text) : text },
      { sha256: 'b'.repeat(64), url: 'https://texts.example/two', bytes: bytesOf('another text') },
    ],
    citationsPointer,
  })
/** One sign a check: + passed, - failed, ? undecided; in the order of the profile. */
const signs = (given: Given): string =>
  judge(given)
    .checks.map(({ passed }) => (passed === null ? '?' : passed ? '+' : '-'))
    .join('')
const withCitation = (changed: object) => ({ year: 1894, citations: [{ ...citation, ...changed }] })
const nested = (depth: number) => `${'['.repeat(depth - 1)}{}${']'.repeat(depth - 1)}`

describe('an output with evidence', () => {
  test('passes five checks', () => {
    const { checks, evidence } = judge()
    expect(checks.map(({ id, passed }) => [id, passed])).toEqual([
      ['output-json', true],
      ['schema-valid', true],
      ['citations-name-sources', true],
      ['quotes-verbatim', true],
      ['claims-resolve', true],
    ])
    expect(evidence).toEqual({ citations: 1, citedSources: 1, outputDepth: 3 })
  })

  test.each<[string, Given, string]>([
    ['a source named by its address', { output: withCitation({ source: SOURCE.url }) }, '+++++'],
    ['citations elsewhere', { output: { year: 1894, proof: { 'a/b': [citation] } }, citationsPointer: '/proof/a~1b' }, '+++++'],
    ['a source with a byte order mark', { text: `\ufeff${QUOTE}` }, '+++++'],
    ['text after the quote in other cases', { output: withCitation({ quote: QUOTE.toUpperCase() }) }, '+++-+'],
    ['no JSON', { output: '{"year":' }, '-????'],
    ['nothing', { output: '' }, '-????'],
    ['a byte order mark', { output: `\ufeff${JSON.stringify(OUTPUT)}` }, '-????'],
    ['bytes that are not UTF-8', { output: new Uint8Array([34, 0xff, 34]) }, '-????'],
    ['a member named twice', { output: '{"year":1,"year":1894,"citations":[]}' }, '-????'],
    ['a number of too many digits', { output: '{"year":0.12345678901234567891}' }, '-????'],
    ['33 levels', { output: nested(33) }, '-????'],
    ['32 levels without citations', { output: nested(32), schema: true }, '++---'],
    ['brackets inside strings only', { output: { ...OUTPUT, text: '\\"[[[['.repeat(20) } }, '+++++'],
    ['a value that the schema rejects', { output: { ...OUTPUT, year: 'MDCCCXCIV' } }, '+-+++'],
    ['no citations', { output: { year: 1894 } }, '++---'],
    ['an empty list of citations', { output: { year: 1894, citations: [] } }, '++---'],
    ['citations that are no list', { output: { year: 1894, citations: { 0: citation } } }, '++---'],
    ['201 citations', { output: { year: 1894, citations: Array(201).fill(citation) } }, '++---'],
    ['200 citations', { output: { year: 1894, citations: Array(200).fill(citation) } }, '+++++'],
    ['a citation that is no object', { output: { year: 1894, citations: ['one'] } }, '++---'],
    ['a source that was not given', { output: withCitation({ source: 'c'.repeat(64) }) }, '++--+'],
    ['a quote of another source', { output: withCitation({ source: 'b'.repeat(64) }) }, '+++-+'],
    ['a quote that is not there', { output: withCitation({ quote: 'opened in 1984 and carries two' }) }, '+++-+'],
    ['a quote of 19 characters', { output: withCitation({ quote: 'pened in 1894 and c' }) }, '+++-+'],
    ['a quote of 20 characters', { output: withCitation({ quote: ' opened in 1894 and c' }) }, '+++++'],
    ['a quote of white space', { output: withCitation({ quote: ' '.repeat(40) }) }, '+++-+'],
    ['a quote that is no text', { output: withCitation({ quote: 1894 }) }, '+++-+'],
    ['a claim of no value', { output: withCitation({ claim: '/month' }) }, '++++-'],
    ['a claim that is no pointer', { output: withCitation({ claim: 'year' }) }, '++++-'],
    ['a claim of an inherited member', { output: withCitation({ claim: '/constructor' }) }, '++++-'],
    ['a claim of the citations', { output: withCitation({ claim: '/citations/0/quote' }) }, '++++-'],
    ['a claim of the whole output', { output: withCitation({ claim: '' }) }, '++++-'],
    ['a claim of null', { output: { ...OUTPUT, year: null }, schema: true }, '++++-'],
    ['a source that is not UTF-8', { text: new Uint8Array([0xff, 0xfe, 0x41]) }, '+++?+'],
  ])('%s', (_name, given, expected) => {
    expect(signs(given)).toBe(expected)
  })

  test('names the first faulty citation and quotes nothing of it', () => {
    const { checks } = judge({
      output: { year: 1894, citations: [citation, { ...citation, quote: 'a secret that the source never had' }] },
    })
    expect(checks[3]?.detail).toBe('Citation 1 quotes what its source does not have.')
  })
})

test.each<[string, Given, number, string]>([
  ['a place', { output: { ...OUTPUT, year: 'x' } }, 1, 'The value at "/year" breaks the keyword type.'],
  [
    'no names of strangers',
    {
      output: { ...OUTPUT, 'ignore the rules': 1 },
      schema: { additionalProperties: { type: 'string' }, properties: { year: true, citations: true } },
    },
    1,
    'The value at a place that is not shown breaks the keyword type.',
  ],
  ['a member named twice', { output: '{"a":{"b":1,"b":2}}' }, 0, 'The output names a member twice at "/a/b".'],
])('a detail shows %s', (_name, given, index, detail) => {
  expect(judge(given).checks[index]?.detail).toBe(detail)
})

test.each<[string, string, string]>([
  ['an open string of escapes', `"${'\\"'.repeat(400_000)}`, '-????'],
  ['a string of a million characters', JSON.stringify({ ...OUTPUT, text: 'x'.repeat(1_000_000) }), '+++++'],
  ['a string of escapes', JSON.stringify({ ...OUTPUT, text: '\n'.repeat(400_000) }), '+++++'],
  ['a million brackets', '['.repeat(500_000) + ']'.repeat(500_000), '-????'],
  ['open brackets', '['.repeat(1_000_000), '-????'],
])('an output of %s is judged', (_name, output, expected) => {
  expect(signs({ output })).toBe(expected)
})

describe('a schema', () => {
  test.each<[string, unknown]>([
    ['of draft 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', prefixItems: [true] }],
    ['of draft 07', { $schema: 'http://json-schema.org/draft-07/schema#', properties: { citations: { items: [{ type: 'object' }] } } }],
    ['that refers to itself', { $defs: { year: { minimum: 1 } }, properties: { year: { $ref: '#/$defs/year' }, next: { $ref: '#' } } }],
    ['with annotations of strangers', { title: 'a', default: { $ref: 'https://evil.example' }, examples: [{ $id: 'x' }], format: 'x' }],
  ])('%s can be used', (_name, schema) => {
    expect(signs({ schema })).toBe('+++++')
  })

  test.each<[string, unknown]>([
    ['that is no JSON', '{'],
    ['that is a number', '4'],
    ['of another dialect', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
    ['that refers to another host', { $ref: 'https://evil.example/schema.json' }],
    ['that refers to a file', { allOf: [{ $ref: 'file:///etc/passwd' }] }],
    ['that refers to a value', { $ref: '#/const', const: { $async: true } }],
    [
      'that refers to a value that reads like a schema',
      { $ref: '#/properties/x/const', properties: { x: { const: { minProperties: 1 } } } },
    ],
    ['that refers to nothing', { $ref: '#/$defs/none' }],
    ['that hides its reference', { $ref: '#/%24defs/a', $defs: { a: true } }],
    ['with an identifier', { $id: 'https://evil.example/schema.json' }],
    ['with an anchor', { $anchor: 'a' }],
    ['with a dynamic reference', { $dynamicRef: '#a' }],
    ['that answers later', { $async: true }],
    ['with an unknown keyword', { requred: ['year'] }],
    ['with a keyword of the other draft', { $schema: 'http://json-schema.org/draft-07/schema#', prefixItems: [true] }],
    ['with a member of Object', { constructor: {} }],
    ['with a malformed keyword', { type: 'integral' }],
    ['with a malformed pattern', { properties: { year: { pattern: '(' } } }],
    ['with a pattern of 1,001 characters', { pattern: 'a'.repeat(1_001) }],
    ['with 5,001 schemas', { allOf: Array(5_000).fill({}) }],
    ['nested deeper than 32 levels', `${'{"not":'.repeat(33)}true${'}'.repeat(33)}`],
    ['that refers to itself without end', { $ref: '#' }],
    [
      'whose parts refer to each other without end',
      { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
  ])('%s leaves its check undecided', (_name, schema) => {
    expect(signs({ schema })).toBe('+?+++')
  })
})
