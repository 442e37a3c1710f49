import { afterEach, describe, expect, test } from '@jest/globals'
import { MAX_DOCUMENT_BYTES, parseOpenapi } from '../../../../activities/ingestion/documents/parse-openapi.ts'
import { createOpenapiSource } from '../../../../activities/ingestion/sources/openapi.ts'
import { createOpenapiList } from '../../../../local/sources/openapi.ts'
import type { OpenapiInput, OpenapiItem } from '../../../../schemas/ingestion/documents/openapi.ts'
import { closeServers, createDocumentHttp, serve, serveSource } from '../support/document-http.ts'

afterEach(closeServers)

const DOCUMENT = '{"openapi":"3.1.0","info":{"title":"Stations","version":"1"},"paths":{"/a":{"get":{}}}}'

/** The client of the public list with so many entries, or of another list. */
const listed = async (entries: number, budget?: number) => {
  const source = await serveSource(createOpenapiList({ entries }))
  const http = createDocumentHttp({ hosts: [source.host], ...(budget !== undefined && { budget }) })
  return { ...source, http, client: createOpenapiSource({ listUrl: `${source.baseUrl}/v2/list.json`, list: http, documents: http }) }
}

const readAll = async (client: ReturnType<typeof createOpenapiSource>, input: OpenapiInput = {}) => {
  const pages: OpenapiItem[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.readPage(input, cursor ?? null)
    pages.push(page.items)
    cursor = page.next
  }
  return pages
}

test.each<[string, OpenapiInput, string[]]>([
  ['the public list', {}, ['x', '7', '{}', '']],
  ['a list of documents', { specs: [{ url: 'https://api.example/openapi.json' }] }, ['x', '-1', '1.5', 'null', '']],
])('%s is unreadable at a cursor that is none', async (_what, input, cursors) => {
  const { client } = await listed(3)
  for (const cursor of cursors) await expect(client.readPage(input, cursor)).rejects.toMatchObject({ fault: 'source_unreadable' })
})

describe('the public list', () => {
  test('is read page by page, each document once', async () => {
    const { client } = await listed(64)
    const pages = await readAll(client)
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 10, 10, 10, 10, 4])
    const items = pages.flat()
    expect(new Set(items.map(({ provider }) => provider)).size).toBe(64)
    const faults = items.flatMap(({ fault, status, provider }) => (fault === null ? [] : [`${provider.slice(11, 14)} ${fault} ${status}`]))
    expect(faults).toEqual(['038 not_ok 404', '039 not_a_document 200', '049 address_missing null'])
  })

  test('gives the facts of JSON and YAML documents', async () => {
    const { client, baseUrl } = await listed(10)
    const { items } = await client.readPage({}, null)
    expect(items[3]).toMatchObject({ title: 'API for invoices 3', version: '3.0.3', url: `${baseUrl}/documents/3.json`, status: 200 })
    expect(items[4]).toMatchObject({ title: 'API for sensors 4', version: '3.0.3', url: `${baseUrl}/documents/4.yaml`, status: 200 })
    for (const { facts } of items)
      expect(facts?.map((fact) => fact.split(' ')[0])).toEqual([
        ...['sha256', 'bytes', 'paths', 'operations', 'schemas'],
        ...['operations-without-description', 'operations-without-operation-id', 'operations-without-example'],
      ])
    expect(items[3]?.counts).toEqual({
      paths: 5,
      operations: 9,
      schemas: 1,
      withoutDescription: 2,
      withoutOperationId: 2,
      withoutExample: 6,
    })
  })

  test('of ten thousand entries costs one request for the list and two for a document', async () => {
    const { client, asked, http } = await listed(10_000)
    const { items, next } = await client.readPage({}, JSON.stringify('provider-09989.example'))
    expect([items.length, next, http.used]).toEqual([10, null, 18])
    expect(asked.filter(({ path }) => path === '/v2/list.json')).toHaveLength(1)
  })

  test('may gain and lose entries between two pages', async () => {
    const entries = new Set(['b', 'd', 'f', 'h', 'j', 'l', 'n', 'p', 'r', 't', 'v', 'x'])
    const host = await serve((request, response) => {
      const entry = (name: string) => [
        name,
        { preferred: '1', versions: { '1': { info: { 'x-origin': [{ url: `http://${request.headers.host}/${name}` }] } } } },
      ]
      response.end(request.url === '/list.json' ? JSON.stringify(Object.fromEntries([...entries].map(entry))) : DOCUMENT)
    })
    const http = createDocumentHttp({ hosts: [host] })
    const client = createOpenapiSource({ listUrl: `http://${host}/list.json`, list: http, documents: http })
    const first = await client.readPage({}, null)
    entries.delete('b').valueOf()
    entries.add('a').add('w')
    const second = await client.readPage({}, first.next)
    expect([first, second].map(({ items }) => items.map(({ provider }) => provider).join(''))).toEqual(['bdfhjlnprt', 'vwx'])
    expect(second.next).toBeNull()
  })

  test.each([
    ['a page for people', '<!doctype html><title>Sign in</title>'],
    ['a list', '[]'],
    ['nothing in it', '{}'],
    ['half of it', '{"a":'],
  ])('that has %s is unreadable', async (_what, body) => {
    const host = await serve((_request, response) => response.end(body))
    const http = createDocumentHttp({ hosts: [host] })
    const client = createOpenapiSource({ listUrl: `http://${host}/`, list: http, documents: http })
    await expect(client.readPage({}, null)).rejects.toMatchObject({ fault: 'source_unreadable' })
  })

  test.each([
    ['null', null],
    ['a text', 'x'],
    ['no versions', { preferred: '1' }],
    ['another version than the preferred', { preferred: '2', versions: { '1': { info: {} } } }],
    ['a version named as a method of objects', { preferred: 'constructor', versions: {} }],
    [
      'an origin without an address',
      { preferred: '1', versions: { '1': { info: { title: null, 'x-origin': [null, {}, { url: 'javascript:1' }] } } } },
    ],
  ])('has an entry without an address: %s', async (_what, entry) => {
    const host = await serve((_request, response) => response.end(JSON.stringify({ 'a.example:b': entry })))
    const http = createDocumentHttp({ hosts: [host] })
    const client = createOpenapiSource({ listUrl: `http://${host}/`, list: http, documents: http })
    const { items } = await client.readPage({}, null)
    expect(items).toMatchObject([{ provider: 'a.example', id: 'b', title: null, url: null, fault: 'address_missing', facts: null }])
  })
})

describe('the budget of a run', () => {
  test('ends a page with the last document that was read', async () => {
    const { client } = await listed(30, 6)
    const first = await client.readPage({}, null)
    expect([first.items.length, first.next]).toEqual([2, '"provider-00001.example"'])
    await expect(client.readPage({}, first.next)).rejects.toMatchObject({ fault: 'budget_exhausted' })
  })
})

/** One document at an address that answers like this. */
const readOne = async (
  answer: (response: import('node:http').ServerResponse, asked: number) => void,
  { isAllowed = true, timeoutMs = 10_000 } = {},
) => {
  let asked = 0
  const host = await serve((_request, response) => {
    asked += 1
    answer(response, asked)
  })
  const documents = createDocumentHttp({ hosts: isAllowed ? [host] : [], timeoutMs })
  const client = createOpenapiSource({ listUrl: 'https://list.example', list: documents, documents })
  const { items } = await client.readPage({ specs: [{ url: `http://${host}/openapi.json` }] }, null)
  return { item: items[0], asked }
}

describe('a document that a caller names', () => {
  test('is read with what the caller says of it', async () => {
    const { item } = await readOne((response) => response.end(DOCUMENT))
    expect(item).toMatchObject({ id: 'openapi', hasProvider: false, title: 'Stations', localSurface: null, status: 200, fault: null })
    expect(item?.facts).toContain(`bytes ${DOCUMENT.length}`)
  })

  test.each<[string, (response: import('node:http').ServerResponse, asked: number) => void, object]>([
    ['is gone', (response) => response.writeHead(404).end(DOCUMENT), { status: 404, fault: 'not_ok' }],
    ['answers with a page', (response) => response.end('<html>{"openapi":"3.0.0","paths":{}}'), { status: 200, fault: 'not_a_document' }],
    ['answers with another document', (response) => response.end('{"name":"package"}'), { status: 200, fault: 'not_a_document' }],
    ['answers with no text', (response) => response.end(Buffer.from([0xff, 0xfe, 0x00])), { status: 200, fault: 'not_a_document' }],
    ['differs at each request', (response, asked) => response.end(`${DOCUMENT}${' '.repeat(asked)}`), { status: 200, fault: 'unsteady' }],
    ['is gone the second time', (response, asked) => response.writeHead(asked === 1 ? 200 : 404).end(DOCUMENT), { fault: 'unsteady' }],
    [
      'is cut',
      (response) => response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
      { status: null, fault: 'unreachable' },
    ],
    ['asks to wait', (response) => response.writeHead(429).end(), { status: null, fault: 'rate_limited' }],
    ['is too long', (response) => response.end(DOCUMENT.padEnd(MAX_DOCUMENT_BYTES + 1)), { status: null, fault: 'too_large' }],
    ['moves for ever', (response) => response.writeHead(302, { location: '/again' }).end(), { status: null, fault: 'unreachable' }],
  ])('is no failure of the run where it %s', async (_what, answer, expected) => {
    const { item } = await readOne(answer)
    expect(item).toMatchObject({ ...expected, facts: null, counts: null })
  })

  test('is never fetched from a private address', async () => {
    const { item, asked } = await readOne((response) => response.end(DOCUMENT), { isAllowed: false })
    expect([item?.fault, asked]).toEqual(['refused', 0])
  })

  test('that is slow is no failure of the run', async () => {
    const { item } = await readOne(() => undefined, { timeoutMs: 50 })
    expect(item).toMatchObject({ fault: 'unreachable' })
  })

  test('is read in pages of ten', async () => {
    const host = await serve((_request, response) => response.end(DOCUMENT))
    const documents = createDocumentHttp({ hosts: [host] })
    const client = createOpenapiSource({ listUrl: 'https://list.example', list: documents, documents })
    const specs = Array.from({ length: 23 }, (_, index) => ({ url: `http://${host}/${index}`, provider: 'p', id: `i${index}` }))
    const pages = await readAll(client, { specs })
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 3])
    expect(pages.flat().map(({ id }) => id)).toEqual(specs.map(({ id }) => id))
    await expect(client.readPage({ specs }, 'x')).rejects.toMatchObject({ fault: 'source_unreadable' })
  })
})

describe('a text', () => {
  const flow = (open: string, close: string, depth: number) =>
    `{"openapi":"3.0.0","paths":{"/a":{"get":{"x":${open.repeat(depth)}1${close.repeat(depth)}}}}}`
  const bomb = [
    'openapi: 3.0.0',
    'a: &a [x, x]',
    ...'bcdefghijklmnopqrst'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array(20).fill(`*${'abcdefghijklmnopqrs'[at]}`).join(', ')}]`),
    'paths: {/a: {get: {x: *t}}}',
  ]
  test.each([
    ['YAML', 'openapi: 3.0.0\npaths:\n  /a:\n    get: {}\n', { counts: { operations: 1 } }],
    ['YAML with a date', 'openapi: 3.0.0\ninfo: {title: 2020-01-01}\npaths: {}\n', { title: '2020-01-01' }],
    ['YAML with a number as its version', 'swagger: 2.0\npaths: {}\n', { version: '2' }],
    [
      'YAML that holds itself',
      'openapi: 3.0.0\npaths:\n  /a:\n    get: &a\n      self: *a\n',
      { counts: { operations: 1, withoutExample: 1 } },
    ],
    ['YAML with aliases in aliases', bomb.join('\n'), { counts: { operations: 1 } }],
    [
      'YAML with more aliases than are read',
      `openapi: 3.0.0\na: &a 1\nb: [${'*a, '.repeat(10_001)}]\npaths: {}`,
      { fault: 'not_a_document' },
    ],
    [
      'YAML with merges, which are no part of it',
      'openapi: 3.0.0\nbase: &b {get: {}}\npaths:\n  /a:\n    <<: *b\n',
      { counts: { paths: 1, operations: 0 } },
    ],
    ['YAML nested too deep', `openapi: 3.0.0\npaths: {}\nx: ${'['.repeat(100_000)}`, { fault: 'not_a_document' }],
    ['YAML in two documents', 'openapi: 3.0.0\npaths: {}\n---\na: 1\n', { fault: 'not_a_document' }],
    ['YAML that is too long', `openapi: 3.0.0\npaths: {}\n${'# x\n'.repeat(MAX_DOCUMENT_BYTES / 4)}`, { fault: 'too_large' }],
    ['JSON that is too long', `${DOCUMENT}${' '.repeat(MAX_DOCUMENT_BYTES)}`, { fault: 'too_large' }],
    ['JSON of the longest kind', DOCUMENT.padEnd(MAX_DOCUMENT_BYTES), { counts: { operations: 1 } }],
    ['YAML with a tag of a type', 'openapi: 3.0.0\npaths: !!js/function "a"\n', { fault: 'not_a_document' }],
    ['JSON nested deep', flow('[', ']', 100_000), { counts: { operations: 1 } }],
    ['JSON nested deep in objects', flow('{"a":', '}', 100_000), { counts: { operations: 1 } }],
    ['JSON with a prototype', '{"openapi":"3.0.0","__proto__":{"paths":{}}}', { fault: 'not_a_document' }],
    ['nothing', '', { fault: 'not_a_document' }],
    ['a sentence', 'Not here.', { fault: 'not_a_document' }],
    ['null', 'null', { fault: 'not_a_document' }],
  ])('is a document or none, and never fails: %s', (_what, text, expected) => {
    expect(parseOpenapi(Buffer.from(text))).toMatchObject(expected)
  })

  test('with references to other addresses leads to no request', async () => {
    const { asked } = await readOne((response) => response.end(DOCUMENT.replace('{}', '{"$ref":"http://127.0.0.1:1/a.json"}')))
    expect(asked).toBe(2)
  })
})
