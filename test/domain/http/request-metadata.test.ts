import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { duplicateMember } from '../../../domain/http/duplicate-members.ts'
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
    expect(duplicateMember(json)).toBe(pointer)
  })

  test.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":"}',
    '"a"',
    '{"a\\\\":1,"a":2}',
  ])('is not found in %s', (json) => {
    expect(duplicateMember(json)).toBeNull()
  })

  test('is not found in what JSON.stringify prints', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => duplicateMember(JSON.stringify(value)) === null))
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
