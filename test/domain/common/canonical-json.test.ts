import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalJson, MAX_JSON_DEPTH } from '../../../domain/common/canonical-json.ts'
import { keccakOf, sha256Of } from '../../../domain/common/hashes.ts'
import { refusalOf } from '../builders/refusal.ts'

const vectors = [
  {
    name: 'the empty object',
    value: {},
    text: '{}',
    keccak: '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d',
    sha256: '0x44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  },
  {
    name: 'a submission',
    value: { tests: 'npm test: 12 passed', summary: 'Fix the parser', prUrl: 'https://codehost.example/acme/tool/pull/7' },
    text: '{"prUrl":"https://codehost.example/acme/tool/pull/7","summary":"Fix the parser","tests":"npm test: 12 passed"}',
    keccak: '0x97001d2f6424737f29bee8f8cbd03d9353a1e565b21f94ad41bca0e4580d772c',
    sha256: '0xc0d7cfee5ace9722832826824501c0bdaccb7bdb426c2e7d689112ae30eb0baf',
  },
  {
    name: 'odd numbers, escapes and key order',
    value: {
      b: [1e30, 4.5, 2e-3, 1e-7, -0],
      '\u20ac': 'a\u0007\n"\\',
      A: null,
      a: true,
      '\u{1f600}': 1,
      '\ufb33': 2,
      '\u00e9': 'e\u0301',
    },
    text: '{"A":null,"a":true,"b":[1e+30,4.5,0.002,1e-7,0],"\u00e9":"e\u0301","\u20ac":"a\\u0007\\n\\"\\\\","\u{1f600}":1,"\ufb33":2}',
    keccak: '0x4abd2b11480e892c8b4c337426930d5a227746a09b099113a96b95863684726c',
    sha256: '0x7cd5d570fa3ea7555ef2301a6785e0398424a931a5ddc8ca0fedd30ebb705247',
  },
]

describe('canonical JSON', () => {
  test.each(vectors)('prints and hashes $name as published', ({ value, text, keccak, sha256 }) => {
    expect(canonicalJson(value)).toBe(text)
    expect(keccakOf(value)).toBe(keccak)
    expect(sha256Of(value)).toBe(sha256)
  })

  test('the evidence hash of the published evidence is its keccak256, not its SHA-256', () => {
    const evidence = { prUrl: 'https://codehost.example/acme/widgets/pull/7', summary: 'Fix parser crash', tests: 'npm test: 12 passed' }
    expect(keccakOf(evidence)).toBe('0x1a7f902330af61fd9fcafdd9b582483af1d33957bebda85aef163fe1240a7431')
    expect(sha256Of(evidence)).toBe('0xbe79178918560a6456b2caf0bca9c9bfd481ffc4acdd2067eef95d24494a5f6f')
  })

  test('what is printed parses back to the value and prints the same again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('the order in which members were written never shows', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (members) => {
        const reversed = Object.fromEntries(Object.entries(members).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(members))
      }),
    )
  })

  test('undefined members are dropped', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })

  test.each([
    ['a number that is not finite', { list: [1, Number.NaN] }, '/list/1', 'finite'],
    ['infinity', Number.POSITIVE_INFINITY, '', 'finite'],
    ['half a surrogate pair in a string', { 'a/b': '\ud800' }, '/a~1b', 'well_formed'],
    ['half a surrogate pair in a key', { '\udc00': 1 }, '/\udc00', 'well_formed'],
  ])('%s is refused with the place where it stands', (_name, value, pointer, rule) => {
    const refusal = refusalOf(() => canonicalJson(value))
    expect(refusal).toMatchObject({ code: 'invalid_request', info: { errors: [{ pointer, rule }] } })
  })

  test('a body nested to exhaust the stack is refused as bad input', () => {
    const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(() => canonicalJson(nested(30_000))).toThrow('nested deeper')
    expect(canonicalJson(nested(MAX_JSON_DEPTH))).toBe(`${'['.repeat(MAX_JSON_DEPTH)}${']'.repeat(MAX_JSON_DEPTH)}`)
  })

  test.each([[new Date(0)], [new Map()], [1n], [() => 1], [undefined], [[undefined]]])(
    '%p is not JSON and never hashes as something else',
    (value) => {
      expect(() => canonicalJson({ value: [value] })).toThrow(TypeError)
    },
  )
})
