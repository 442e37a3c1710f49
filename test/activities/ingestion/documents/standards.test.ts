import { afterEach, describe, expect, test } from '@jest/globals'
import { createStandardsSource } from '../../../../activities/ingestion/sources/standards.ts'
import { createStandardsCatalogue } from '../../../../local/sources/standards.ts'
import type { StandardsInput, StandardsItem } from '../../../../schemas/ingestion/documents/standards.ts'
import { closeServers, createDocumentHttp, serve, serveSource } from '../support/document-http.ts'

afterEach(closeServers)

const catalogueOf = async (entries: number, budget?: number) => {
  const source = await serveSource(createStandardsCatalogue({ entries }))
  const http = createDocumentHttp({ hosts: [source.host], ...(budget !== undefined && { budget }) })
  const client = createStandardsSource({ catalogueUrl: source.baseUrl, pagesUrl: source.baseUrl, catalogue: http, documents: http })
  return { ...source, http, client }
}

const readAll = async (client: ReturnType<typeof createStandardsSource>, input: StandardsInput = {}) => {
  const pages: StandardsItem[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.readPage(input, cursor ?? null)
    pages.push(page.items)
    cursor = page.next
  }
  return pages
}

describe('the catalogue of standards', () => {
  test('is read page by page, each standard once', async () => {
    const { client } = await catalogueOf(43)
    const pages = await readAll(client)
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 10, 10, 3])
    expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 43 }, (_, index) => `rfc${index + 1}`))
    expect(pages.flat().flatMap(({ id, fault, status }) => (fault === null ? [] : [`${id} ${fault} ${status}`]))).toEqual([
      'rfc39 not_ok 404',
    ])
  })

  test('gives what its records and pages say', async () => {
    const { client, baseUrl } = await catalogueOf(10)
    const { items } = await client.readPage({}, null)
    expect(items[2]).toMatchObject({
      ...{ provider: 'ietf', id: 'rfc3', hasProvider: true, title: 'Caching of Messages, Part 3', url: `${baseUrl}/rfc/rfc3.html` },
      ...{ version: 'October 2013', expectedStatus: 'BEST CURRENT PRACTICE', status: 200, fault: null },
      ...{ hasCanonical: true, hasLastModified: true, hasEtag: true },
    })
    expect(items[2]?.facts?.[2]).toBe('title RFC 3: Caching of Messages, Part 3')
    // A record may name no date.
    expect(items[6]).toMatchObject({ id: 'rfc7', version: null, hasCanonical: false })
  })

  test('of ten thousand standards is read behind any offset', async () => {
    const { client, http } = await catalogueOf(10_000)
    const { items, next } = await client.readPage({}, '9990')
    expect([items[0]?.id, items.length, next, http.used]).toEqual(['rfc9991', 10, null, 30])
  })

  test('is unreadable in another form', async () => {
    for (const body of ['<html>', '[]', '{"meta":{},"objects":[]}', '{"meta":{"next":null,"total_count":5},"objects":[]}']) {
      const host = await serve((_request, response) => response.end(body))
      const http = createDocumentHttp({ hosts: [host] })
      const client = createStandardsSource({ catalogueUrl: `http://${host}`, pagesUrl: `http://${host}`, catalogue: http, documents: http })
      await expect(client.readPage({}, null)).rejects.toMatchObject({ fault: 'source_unreadable' })
    }
  })

  test('that names the same page for ever ends, and a name that is no standard is passed over', async () => {
    let asked = 0
    const host = await serve((request, response) => {
      if (!request.url?.startsWith('/api/')) return response.end('<title>A</title>')
      asked += 1
      const objects = [{ name: 'rfc1' }, { name: '../../admin' }, { name: 'draft-a-b' }]
      return response.end(JSON.stringify({ meta: { next: '/api/v1/doc/document/', total_count: 9 }, objects }))
    })
    const http = createDocumentHttp({ hosts: [host] })
    const client = createStandardsSource({ catalogueUrl: `http://${host}`, pagesUrl: `http://${host}`, catalogue: http, documents: http })
    const pages = await readAll(client)
    expect([asked, new Set(pages.flat().map(({ id }) => id))]).toEqual([3, new Set(['rfc1'])])
  })

  test('goes on behind the last standard that the budget allowed', async () => {
    const { client } = await catalogueOf(30, 7)
    const first = await client.readPage({}, null)
    expect([first.items.length, first.next]).toEqual([2, '2'])
    await expect(client.readPage({}, first.next)).rejects.toMatchObject({ fault: 'budget_exhausted' })
  })
})

const readOne = async (answer: (response: import('node:http').ServerResponse, asked: number) => void) => {
  let asked = 0
  const host = await serve((_request, response) => {
    asked += 1
    answer(response, asked)
  })
  const http = createDocumentHttp({ hosts: [host] })
  const client = createStandardsSource({
    catalogueUrl: 'https://a.example',
    pagesUrl: 'https://a.example',
    catalogue: http,
    documents: http,
  })
  return (await client.readPage({ specs: [{ url: `http://${host}/http.html`, title: 'HTTP', version: '2' }] }, null)).items[0]
}

test.each<[string, StandardsInput]>([
  ['the catalogue of standards', {}],
  ['a list of pages', { specs: [{ url: 'https://standards.example/http.html' }] }],
])('%s is unreadable at a cursor that is none', async (_what, input) => {
  const { client } = await catalogueOf(3)
  for (const cursor of ['x', '-1', '1.5', '{}', 'null', ''])
    await expect(client.readPage(input, cursor)).rejects.toMatchObject({ fault: 'source_unreadable' })
})

describe('a page that a caller names', () => {
  test('is read with what the caller says of it', async () => {
    const item = await readOne((response) =>
      response.setHeader('etag', '"1"').setHeader('link', '<https://a.example>; rel="canonical"').end('<title>HTTP &amp; more</title>'),
    )
    expect(item).toMatchObject({
      id: 'http',
      hasProvider: false,
      title: 'HTTP',
      version: '2',
      hasCanonical: true,
      hasEtag: true,
      hasLastModified: false,
    })
    expect(item?.facts?.slice(1)).toEqual(['bytes 30', 'title HTTP & more'])
  })

  test.each<[string, (response: import('node:http').ServerResponse, asked: number) => void, object]>([
    ['without a title has two facts', (response) => response.end('plain text'), { fault: null, facts: [expect.anything(), 'bytes 10'] }],
    [
      'in another charset has no title',
      (response) => response.end(Buffer.from('<title>\xe9</title>', 'latin1')),
      { facts: [expect.anything(), 'bytes 16'] },
    ],
    [
      'with a long title has none',
      (response) => response.end(`<title>${'x'.repeat(1_000_000)}</title>`),
      { facts: [expect.anything(), 'bytes 1000015'] },
    ],
    ['that is empty has no facts', (response) => response.end(), { fault: 'not_a_document', facts: null }],
    [
      'that is gone has no facts',
      (response) => response.writeHead(410).end('<title>Gone</title>'),
      { status: 410, fault: 'not_ok', facts: null },
    ],
    ['with the time in it has no facts', (response, asked) => response.end(`<title>A</title>${asked}`), { fault: 'unsteady', facts: null }],
  ])('%s', async (_what, answer, expected) => {
    expect(await readOne(answer)).toMatchObject(expected)
  })
})
