import { describe, expect, test } from '@jest/globals'
import {
  changedSince,
  frozenErrors,
  frozenMigrations,
  frozenReleases,
  frozenWire,
  isFreezing,
  presentErrors,
  presentMigrations,
  presentVersion,
} from '../freeze/frozen.ts'
import { breaksOf, type OperationWire, presentWire, type Wire, wireOf } from '../freeze/wire.ts'

const wire = (takes: Record<string, string>, gives: Record<string, string>): Wire => ({
  'POST /things': { takes, gives, names: ['addThing'] },
})

describe('what callers rely on', () => {
  const before = wire({ 'body:/name': 'string!', 'body:/size': 'integer' }, { '200:/id': 'string', '200:/note': 'string?' })

  test.each([
    [
      'a member more to send, which need not be sent',
      wire({ 'body:/name': 'string!', 'body:/size': 'integer', 'body:/colour': 'string' }, before['POST /things']?.gives ?? {}),
      [],
    ],
    [
      'a member more in the answer',
      wire(before['POST /things']?.takes ?? {}, { '200:/id': 'string', '200:/note': 'string', '200:/at': 'string' }),
      [],
    ],
    [
      'a member that need not be sent any more',
      wire({ 'body:/name': 'string', 'body:/size': 'integer' }, before['POST /things']?.gives ?? {}),
      [],
    ],
    ['no operation', {}, ['POST /things: is gone']],
    [
      'a member that is not taken',
      wire({ 'body:/name': 'string!' }, before['POST /things']?.gives ?? {}),
      ['POST /things: body:/size is not taken any more'],
    ],
    [
      'a member that must be sent',
      wire({ 'body:/name': 'string!', 'body:/size': 'integer!' }, before['POST /things']?.gives ?? {}),
      ['POST /things: body:/size must be sent now'],
    ],
    [
      'a new member that must be sent',
      wire({ ...before['POST /things']?.takes, 'body:/colour': 'string!' }, before['POST /things']?.gives ?? {}),
      ['POST /things: body:/colour must be sent now'],
    ],
    [
      'a member of another type',
      wire({ 'body:/name': 'string!', 'body:/size': 'string' }, before['POST /things']?.gives ?? {}),
      ['POST /things: body:/size is string, not integer'],
    ],
    [
      'a member that is not given',
      wire(before['POST /things']?.takes ?? {}, { '200:/id': 'string' }),
      ['POST /things: 200:/note is not given any more'],
    ],
    [
      'a member that may be absent',
      wire(before['POST /things']?.takes ?? {}, { '200:/id': 'string?', '200:/note': 'string?' }),
      ['POST /things: 200:/id may be absent now'],
    ],
    [
      'a member that may be null',
      wire(before['POST /things']?.takes ?? {}, { '200:/id': 'null|string', '200:/note': 'string?' }),
      ['POST /things: 200:/id is null|string, not string'],
    ],
    ['a name more', { 'POST /things': { ...(before['POST /things'] as OperationWire), names: ['addThing', 'add_thing'] } }, []],
    [
      'another name',
      { 'POST /things': { ...(before['POST /things'] as OperationWire), names: ['putThing'] } },
      ['POST /things: is not called addThing any more'],
    ],
  ])('%s', (_case, after, breaks) => {
    expect(breaksOf(before, after)).toEqual(breaks)
  })

  test('is each value of a request, and not those of an answer', () => {
    const values = (allowed: string[]): Wire =>
      wireOf({
        paths: {
          '/things': {
            post: {
              parameters: [{ name: 'kind', in: 'query', schema: { enum: allowed } }],
              responses: { 200: { content: { 'application/json': { schema: { enum: allowed } } } } },
            },
          },
        },
        components: { schemas: {} },
      })
    expect(breaksOf(values(['a']), values(['a', 'b']))).toEqual([])
    expect(breaksOf(values(['a', 'b']), values(['a']))).toEqual(['POST /things: query:kind is "a", not "a" or "b"'])
  })

  test('is read from a document, through references and variants', () => {
    const found = wireOf({
      paths: {
        '/things/{id}': {
          get: {
            operationId: 'getThing',
            'x-tool': 'readThing',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: {
              200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
              404: { content: { 'application/problem+json': { schema: { type: 'object' } } } },
            },
          },
        },
      },
      components: {
        schemas: {
          Thing: {
            type: 'object',
            properties: { id: { type: 'string' }, parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } },
            required: ['id'],
          },
          Part: { anyOf: [{ type: 'null' }, { type: 'object', properties: { kind: { enum: ['a'] } }, required: ['kind'] }] },
        },
      },
    })
    expect(found).toEqual({
      'GET /things/{id}': {
        takes: { 'path:id': 'string!' },
        gives: {
          ...{ '200:': 'object', '200:/id': 'string', '200:/parts': 'array?' },
          ...{ '200:/parts/*': 'null or object?', '200:/parts/*/kind': 'enum?' },
        },
        names: ['getThing', 'readThing'],
      },
    })
  })

  test('this checkout has every operation, and breaks none of its own', () => {
    const present = presentWire()
    expect(Object.keys(present).length).toBeGreaterThan(100)
    expect(breaksOf(present, present)).toEqual([])
  })
})

test('an entry that was changed or is gone is named, a new one is not', () => {
  expect(changedSince({ a: '1', b: '2', c: '3' }, { a: '1', b: '4', d: '5' })).toEqual(['b', 'c'])
})

test.each([
  ['0.1.0', false],
  ['1.0.0-rc.1', true],
  ['1.0.0', true],
  ['1.2.0', true],
  ['2.0.0-rc.1', true],
] as const)('release %s freezes: %s', (version, freezes) => {
  expect(isFreezing(version)).toBe(freezes)
})

describe('the frozen releases', () => {
  test('hold the present one, if it freezes', () => {
    const version = presentVersion()
    expect(!isFreezing(version) || frozenReleases().includes(version)).toBe(true)
  })

  test('keep their callers, their error codes and their migrations', () => {
    const found = frozenReleases().map((release) => ({
      release,
      breaks: breaksOf(frozenWire(release), presentWire()),
      errors: changedSince(frozenErrors(release), presentErrors()),
      migrations: changedSince(frozenMigrations(release), presentMigrations()),
    }))
    expect(found.filter(({ breaks, errors, migrations }) => breaks.length + errors.length + migrations.length > 0)).toEqual([])
  })
})
