import { describe, expect, test } from '@jest/globals'
import { isFactValue, parseFact, pinnedSource } from '../../../../domain/catalogue/committed-facts.ts'
import { sha256Of } from '../../../../domain/common/hashes.ts'
import { findItemConflict } from '../../../../domain/sessions/verdict-items.ts'
import { committedDigest, foreseeFacts, judgeFacts } from '../../../../domain/verification/source-facts/judge.ts'

const DIGEST = 'a3'.repeat(32)
const outputs = (...values: string[]) => values.map((value, index) => ({ value, salt: sha256Of(index) }))
const isMet = (fact: string, text: string) => judgeFacts(outputs(fact), { notes: text }, 'unchanged').outcome === 'approved'
const named = (...signals: string[]) => ({ verification: { method: 'committed_source_facts', signals, evidenceSchemaRef: '' } })

describe('a fact', () => {
  test.each([
    ['bytes 12', 'bytes 12'],
    ['bytes 12', 'It has bytes 12.'],
    ['bytes 12', 'bytes 12, operations 3'],
    ['bytes 12', 'Bytes: 12'],
    ['bytes 12', '`bytes 12`'],
    ['bytes 12', '{"bytes":12}'],
    ['bytes 12', '- **bytes** = 12\n- paths 4'],
    ['bytes 12', 'bytes 12 and again bytes 12'],
    ['bytes 12', 'Many bytes stand there: bytes 12'],
    [`sha256 ${DIGEST}`, `sha256: ${DIGEST.toUpperCase()}`],
    ['columns id,name,lat', 'columns id,name,lat'],
    ['columns *,=,"a', 'columns *,=,"a'],
    ['top_level array', 'top_level array'],
    ['columns id,name,lat', 'The columns `ID,name,lat`.'],
    ['title What is HTTP?', 'title What  is\nHTTP?'],
    ['title HTTP Semantics', 'title "HTTP Semantics"'],
  ])('%s is met by: %s', (fact, text) => {
    expect(isMet(fact, text)).toBe(true)
  })

  test.each([
    ['bytes 12', 'bytes 123'],
    ['bytes 12', 'bytes 12.5'],
    ['bytes 12', 'bytes 12,345'],
    ['bytes 12', 'bytes 12-14'],
    ['bytes 12', 'bytes 12e3'],
    ['bytes 12', 'bytes 012'],
    ['bytes 12', 'bytes -12'],
    ['bytes 12', 'bytes about 12'],
    ['bytes 12', 'kilobytes 12'],
    ['bytes 12', 'over-bytes 12'],
    ['bytes 12', 'bytes12'],
    ['bytes 12', 'bytes\u0661\u0662'],
    ['bytes 12', 'bytes 11 bytes 12 bytes 13'],
    ['bytes 12', '12'],
    ['operations 4', 'operations-without-description 4'],
    [`sha256 ${DIGEST}`, `sha256 ${DIGEST}0`],
    [`sha256 ${DIGEST}`, `sha256 ${DIGEST.slice(0, 63)}`],
    ['columns id,name', 'columns id,name,lat'],
    ['columns id,name', 'columns id, name'],
    ['title HTTP', 'title HTTPS'],
    ['title HTTP', 'title HTTP/2'],
  ])('%s is not met by: %s', (fact, text) => {
    expect(isMet(fact, text)).toBe(false)
  })

  test('does not span two texts of a submission', () => {
    expect(judgeFacts(outputs('bytes 12'), { a: 'bytes', b: '12' }, 'unchanged')).toMatchObject({ outcome: 'rejected' })
  })

  test.each(['bytes', 'bytes  12', 'Bytes 12', ' bytes 12', '12', ''])('is not read from "%s"', (text) => {
    expect(parseFact(text)).toBeNull()
  })

  test.each([
    ['sha256', DIGEST, true],
    ['sha256', DIGEST.slice(1), false],
    ['bytes', '12', true],
    ['bytes', '12 or 13', false],
    ['bytes', 'twelve', false],
    ['columns', 'a,b', true],
  ])('%s may have the value %s: %s', (name, value, isAllowed) => {
    expect(isFactValue({ name, value })).toBe(isAllowed)
  })
})

describe('a verdict on facts', () => {
  const expected = outputs(`sha256 ${DIGEST}`, 'bytes 12')
  const whole = { notes: `sha256 ${DIGEST} bytes 12` }
  const partial = { notes: 'bytes 12' }
  test.each([
    ['every fact', whole, 'unreachable', 'approved', 'DETERMINISTIC_MATCH', ['met', 'met']],
    ['a part, from the committed bytes', partial, 'unchanged', 'rejected', 'DETERMINISTIC_MISMATCH', ['unmet', 'met', 'met']],
    ['a part, from other bytes', partial, 'changed', 'inconclusive', 'DETERMINISTIC_SOURCE_CHANGED', ['unmet', 'met', 'unmet']],
    [
      'a part, from nowhere',
      partial,
      'unreachable',
      'inconclusive',
      'DETERMINISTIC_SOURCE_UNREACHABLE',
      ['unmet', 'met', 'not_applicable'],
    ],
    ['nothing', null, 'unchanged', 'rejected', 'DETERMINISTIC_MISMATCH', ['unmet', 'unmet', 'met']],
  ] as const)('says met or not met for each, and no value: %s', (_what, submission, state, outcome, reasonCode, results) => {
    const finding = judgeFacts(expected, submission, state)
    expect(finding).toMatchObject({ outcome, reasonCode })
    expect(finding.items.map(({ result }) => result)).toEqual(results)
    expect(findItemConflict(finding.outcome, finding.items)).toBeNull()
    expect(JSON.stringify(finding)).not.toMatch(/a3a3|\b12\b/)
  })

  test('approves nothing where no fact is committed to', () => {
    expect(judgeFacts([], whole, 'unchanged')).toMatchObject({ outcome: 'rejected' })
    expect(judgeFacts(outputs('no-value'), whole, 'unchanged')).toMatchObject({ outcome: 'rejected' })
  })

  test('compares the digest that the job committed to', () => {
    expect(committedDigest(expected)).toBe(DIGEST)
    expect(committedDigest(outputs('bytes 12'))).toBeNull()
  })
})

describe('a rejection of facts is foreseen', () => {
  test.each([
    ['a name without a value', 'sha256 unknown bytes 12', 'does not state sha256'],
    ['a name that is missing', `sha256 ${DIGEST}`, 'does not state bytes'],
    ['several numbers', `sha256 ${DIGEST} bytes 1 bytes 2`, 'states with several numbers bytes'],
    ['both', 'bytes 1 bytes 2', 'does not state sha256 and states with several numbers bytes'],
  ])('for %s', (_what, notes, detail) => {
    const finding = foreseeFacts(named('sha256', 'bytes'), { notes })
    expect(finding).toMatchObject({ outcome: 'rejected', detail: expect.stringContaining(detail) })
    // The verdict says the same, whatever the values are.
    expect(judgeFacts(outputs(`sha256 ${DIGEST}`, 'bytes 2'), { notes }, 'unchanged').outcome).toBe('rejected')
  })

  test('for no submission that states each name with any value', () => {
    expect(foreseeFacts(named('sha256', 'bytes', 'columns'), { notes: `sha256 ${DIGEST} bytes 99 columns x` })).toBeNull()
    expect(foreseeFacts({}, {})).toBeNull()
  })
})

test.each([
  ['https://data.example/a.json', true],
  ['https://data.example:8443/a.json', false],
  ['https://a:b@data.example/', false],
  ['http://data.example/a.json', false],
  ['http://127.0.0.1:4100/openapi/a.json', true],
  ['http://[::1]:4100/a', true],
  ['http://a:b@127.0.0.1/', false],
  ['http://127.0.0.1.data.example/', false],
  ['ftp://localhost/', false],
  [7, false],
  [undefined, false],
])('a job pins %s as its source: %s', (pinnedUrl, isPinned) => {
  expect(pinnedSource({ type: 'openapi_spec', ...(pinnedUrl !== undefined && { pinnedUrl }) })).toBe(isPinned ? pinnedUrl : null)
})
