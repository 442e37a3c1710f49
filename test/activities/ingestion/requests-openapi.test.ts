import { afterEach, expect, test } from '@jest/globals'
import { createOpenapiSource } from '../../../activities/ingestion/sources/openapi.ts'
import { createOpenapiList } from '../../../local/sources/openapi.ts'
import type { OpenapiInput } from '../../../schemas/ingestion/documents/openapi.ts'
import { closeServers, createDocumentHttp, serveSource } from './support/document-http.ts'
import { documentedRow, ownHeaders } from './support/documented.ts'

afterEach(closeServers)

/** Requests of one page, and of the same page again. */
const record = async (inputOf: (baseUrl: string) => OpenapiInput) => {
  const { host, baseUrl, asked } = await serveSource(createOpenapiList({ entries: 1 }))
  const http = createDocumentHttp({ hosts: [host] })
  const client = createOpenapiSource({ listUrl: `${baseUrl}/v2/list.json`, list: http, documents: http })
  const pages = [await client.readPage(inputOf(baseUrl), null), await client.readPage(inputOf(baseUrl), null)]
  expect(pages[1]).toEqual(pages[0])
  return asked.map(({ method, path, headers }) => [`${method} ${path}`, ownHeaders(headers)])
}

test('the requests "list" and "interface document" are the documented ones, conditional when repeated', async () => {
  const conditional = ['if-none-match', 'if-modified-since']
  expect(await record(() => ({}))).toEqual([
    ['GET /v2/list.json', []],
    ['GET /documents/0.json', []],
    ['GET /documents/0.json', conditional],
    ['GET /v2/list.json', conditional],
    ['GET /documents/0.json', conditional],
    ['GET /documents/0.json', conditional],
  ])
  expect(documentedRow('list').join(' ')).toMatch(/`\/v2\/list\.json`.*if-none-match/)
  expect(documentedRow('interface document')[0]).toBe('`GET` of the address that list or input names')
})

test('the request of a document of the input has the address of the input, and none goes to the list', async () => {
  const requests = await record((baseUrl) => ({ specs: [{ url: `${baseUrl}/documents/0.json?v=2#part` }] }))
  expect(new Set(requests.map(([request]) => request))).toEqual(new Set(['GET /documents/0.json?v=2']))
})
