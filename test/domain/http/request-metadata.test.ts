import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { findJsonFault } from '../../../domain/http/json-faults.ts'
import { namesOneHost, unreadableBody } from '../../../domain/http/request-metadata.ts'

describe('a member name that is sent twice', () => {
  test.each([
    ['{"summary":"a","summary":"b"}', '/summary'],
    ['{"a":{"b":[1,{"c":1,"c":2}]}}', '/a/b/1/c'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"a/b":1,"a/b":2}', '/a~1b'],
    ['{"":1,"":2}', '/'],
    ['[[0,[]],{"x":{},"x":{}}]', '/1/x'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
  ])('is found in %s', (json, pointer) => {
    expect(findJsonFault(json)).toEqual({ rule: 'unique', pointer })
  })

  test.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":"}',
    '"a"',
    '{"a\\\\":1,"a":2}',
  ])('is not found in %s', (json) => {
    expect(findJsonFault(json)).toBeNull()
  })

  test('is not found in what JSON.stringify prints', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findJsonFault(JSON.stringify(value)) === null))
  })
})

describe('a number that a reader rounds', () => {
  test.each([
    ['0.99999999999999999', ''],
    ['{"a":[0,{"b":1.00000000000000001}]}', '/a/1/b'],
    ['[1,-0.30000000000000000001]', '/1'],
    ['{"a":"1.00000000000000001","b":12345.678901234567890123}', '/b'],
    ['{"a":1e-400}', '/a'],
    ['{"id":4503599627370496.51}', '/id'],
    ['[9007199254740991.4]', '/0'],
  ])('is found in %s', (json, pointer) => {
    expect(findJsonFault(json)).toEqual({ rule: 'digits', pointer })
  })

  test.each([
    ...['0.1', '-0', '0.0000000000000000000', '100000000000000.00', '1.50000000000000000000', '1E2', '1e-7', '0.00000000000000000001'],
    ...[
      '9007199254740991',
      '{"a1.00000000000000001":"0.99999999999999999"}',
      '[1e21,1e400,9007199254740993]',
      '5e-324',
      '0.30000000000000004',
    ],
    ...['0.10000000000000001', '0.1000000000000000055511151231257827', '4.9e-324', '2.2250738585072014E-308'],
  ])('is not found in %s', (json) => {
    expect(findJsonFault(json)).toBeNull()
  })

  test.each([
    ['{"a":1.00000000000000001,"id":{"id":1.00000000000000001}}', null],
    ['[{"id":1.00000000000000001}]', null],
    ['{"a":1,"a":2,"id":1}', null],
    ['{"a":{"id":1.00000000000000001},"\\u0069d":1.00000000000000001}', { rule: 'digits', pointer: '/id' }],
    ['{"a":1.00000000000000001,"id":1,"id":2}', { rule: 'unique', pointer: '/id' }],
  ])('is looked for in one member of %s', (json, fault) => {
    expect(findJsonFault(json, 'id')).toEqual(fault)
  })

  test('is none that was written by its double, in any notation', () => {
    const texts = (value: number): string[] => [
      JSON.stringify(value),
      value.toExponential(),
      value.toPrecision(17),
      `${JSON.stringify(value)}`.replace('e', 'E'),
    ]
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(texts(value).map((text) => findJsonFault(text))).toEqual([null, null, null, null])
      }),
    )
  })
})

describe('a body', () => {
  test.each([
    ['application/json; charset=utf-8', 'identity'],
    ...['', 'application/json', 'Application/JSON;charset="UTF-8"', 'application/merge-patch+json'].map((type) => [type, '']),
    ...['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/json; profile=x'].map((type) => [type, '']),
  ])('of the type %s and the encoding %s is read', (type, encoding) => {
    expect(unreadableBody(type, encoding)).toBeNull()
  })

  test.each([
    ['application/json', 'gzip', /identity/],
    ['', 'identity, br', /identity/],
    ['', 'x-unknown', /identity/],
    ['application/xml', '', /application\/json/],
    ['multipart/form-data; boundary=x', '', /application\/json/],
    ['application/jsonp', '', /application\/json/],
    ['application/json; charset=utf-16', '', /utf-8/],
    ['application/json; charset=iso-8859-1', '', /utf-8/],
    ['application/json; charset=utf-8; charset=utf-16', '', /utf-8/],
    ['application/json; charset="utf-16"', '', /utf-8/],
    ['application/json ; profile=x ; charset = utf-32', '', /utf-8/],
    [';charset=utf-16', '', /utf-8/],
    ['application/json, application/xml', '', /application\/json/],
    ['APPLICATION/XML', '', /application\/json/],
    ['text/html', '', /application\/json/],
    ['application/octet-stream', '', /application\/json/],
    ['application/json', 'GZIP', /identity/],
    ['application/json', 'br', /identity/],
    ['application/json', 'zstd, identity', /identity/],
  ])('of the type %s and the encoding %s is refused', (type, encoding, reason) => {
    expect(unreadableBody(type, encoding)).toMatch(reason)
  })
})

describe('Host lines', () => {
  test.each([[['a']], [['work.example:8787']], [['[::1]:80']], [['']], [['127.0.0.1']], [['a%20b']]])('%j name one host', (hosts) => {
    expect(namesOneHost(hosts, '1.1')).toBe(true)
  })

  test.each([
    ...[[[]], [['a', 'b']], [['a', 'a']], [['a b<script>']], [['a/b']], [['user@a']], [['[::1']], [['a:port']], [['a%zz']], [['a, b']]],
  ])('%j do not', (hosts) => {
    expect(namesOneHost(hosts, '1.1')).toBe(false)
  })

  test('may be missing before HTTP 1.1, but not be two', () => {
    expect([namesOneHost([], '1.0'), namesOneHost(['a', 'b'], '1.0')]).toEqual([true, false])
  })
})
