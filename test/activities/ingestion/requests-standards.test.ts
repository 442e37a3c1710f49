import { afterEach, expect, test } from '@jest/globals'
import { createStandardsSource } from '../../../activities/ingestion/sources/standards.ts'
import { createStandardsCatalogue } from '../../../local/sources/standards.ts'
import type { StandardsInput } from '../../../schemas/ingestion/documents/standards.ts'
import { closeServers, createDocumentHttp, serveSource } from './support/document-http.ts'
import { documentedRow, ownHeaders } from './support/documented.ts'

afterEach(closeServers)

/** Requests of the page at a cursor. */
const record = async (cursor: string | null, inputOf: (baseUrl: string) => StandardsInput = () => ({})) => {
  const { host, baseUrl, asked } = await serveSource(createStandardsCatalogue({ entries: 11 }))
  const http = createDocumentHttp({ hosts: [host] })
  const client = createStandardsSource({ catalogueUrl: baseUrl, pagesUrl: baseUrl, catalogue: http, documents: http })
  await client.readPage(inputOf(baseUrl), cursor)
  return asked.map(({ method, path, headers }) => ({ method, url: new URL(path, 'http://source.example'), own: ownHeaders(headers) }))
}

test.each([
  [null, '0'],
  ['10', '10'],
])('the request "page of a catalogue" at %s is the documented one', async (cursor, offset) => {
  const [sent] = await record(cursor)
  const parameters = { format: 'json', type: 'rfc', limit: '10', offset }
  expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual(parameters)
  expect(sent?.own).toEqual([])
  const [address, documented] = documentedRow('page of a catalogue')
  expect(address).toBe(`\`${sent?.method}\` \`${sent?.url.pathname}\``)
  expect(documented).toBe(
    Object.keys(parameters)
      .map((name) => `\`${name}\``)
      .join(', '),
  )
})

test('the requests "record of a standard" and "page of a standard" are the documented ones', async () => {
  const [, ...sent] = await record('10')
  expect(sent.map(({ method, url, own }) => [`${method} ${url.pathname}${url.search}`, own])).toEqual([
    ['GET /rfc/rfc11.json', []],
    ['GET /rfc/rfc11.html', []],
    ['GET /rfc/rfc11.html', ['if-none-match', 'if-modified-since']],
  ])
  expect(documentedRow('record of a standard')[0]).toBe('`GET` `/rfc/rfc<number>.json`')
  expect(documentedRow('page of a standard')[0]).toBe('`GET` `/rfc/rfc<number>.html`')
})

test('the request "page of an input" has the address of the input', async () => {
  const sent = await record(null, (baseUrl) => ({ specs: [{ url: `${baseUrl}/rfc/rfc2.html?section=1` }] }))
  expect(sent.map(({ url }) => `${url.pathname}${url.search}`)).toEqual(['/rfc/rfc2.html?section=1', '/rfc/rfc2.html?section=1'])
  expect(documentedRow('page of an input')[0]).toBe('`GET` of the address that it names')
})
