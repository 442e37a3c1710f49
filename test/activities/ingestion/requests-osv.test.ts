import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createOsvSource } from '../../../activities/ingestion/sources/osv.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { createOsvSource as createLocalOsv } from '../../../local/sources/osv.ts'
import { OsvInput } from '../../../schemas/ingestion/osv.ts'
import { policyOf } from '../../domain/ingestion/items.ts'
import { plainHttp } from './support/plain-http.ts'
import { passTo, type Recorded, type RecordingServer, startRecorded } from './support/recorded.ts'

const TOKEN = codehostSettings('').CODEHOST_TOKEN

let host: LocalCodehost
let files: RecordingServer
let database: RecordingServer
let toHost: Recorded[]
let toDatabase: Recorded[]
beforeAll(async () => {
  host = await startCodehost()
  host.content.setFile('acme/widgets', 'web app/package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: {} }))
  files = await startRecorded(passTo(host.url))
  database = await startRecorded(createLocalOsv().answer)
  const source = createOsvSource({
    http: plainHttp(database.url),
    baseUrl: database.url,
    codehost: plainHttp(files.url, TOKEN),
    codehostUrl: files.url,
    webHost: 'codehost.example',
    readPolicy: async (repo) => policyOf({ repo }),
  })
  const packages = [{ ecosystem: 'npm', name: 'seed-lib-0', version: '1.1.0' }]
  const manifests = [{ repo: 'acme/widgets', path: 'web app/package-lock.json', ref: 'release/2' }]
  await source.readPage(OsvInput.parse({ packages, manifests }), null)
  toHost = files.takeRequests()
  toDatabase = database.takeRequests()
})
afterAll(async () => {
  await files.stop()
  await database.stop()
  await host.stop()
})

/** A row of the table in docs/sources.md each. */
describe('a request', () => {
  test('for a batch of package versions has its address, parameters and headers', () => {
    const [request] = toDatabase
    expect(request).toMatchObject({ method: 'POST', path: '/v1/querybatch', params: {}, headers: { 'content-type': 'application/json' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({ queries: [{ package: { ecosystem: 'npm', name: 'seed-lib-0' }, version: '1.1.0' }] })
  })

  test('for the next page of a result names its token', () => {
    const [, request] = toDatabase
    expect(JSON.parse(request?.body ?? '')).toEqual({
      queries: [{ package: { ecosystem: 'npm', name: 'seed-lib-0' }, version: '1.1.0', page_token: 'page-2' }],
    })
  })

  test('for an advisory has its address and no parameters', () => {
    const [, , ...advisories] = toDatabase
    expect(advisories).toHaveLength(2)
    for (const { method, path, params } of advisories)
      expect({ method, path, params }).toEqual({ method: 'GET', path: expect.stringMatching(/^\/v1\/vulns\/GHSA-[a-z0-9-]+$/), params: {} })
  })

  test('for a lock file has its address, parameters and headers', () => {
    expect(toHost).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/repos/acme/widgets/contents/web app/package-lock.json',
        params: { ref: 'release/2' },
        headers: expect.objectContaining({
          accept: 'application/vnd.github.raw+json',
          'x-github-api-version': '2022-11-28',
          authorization: `Bearer ${TOKEN}`,
        }),
      }),
    ])
  })

  test('to the database has no token of the code host', () => {
    expect(toDatabase.filter(({ headers }) => 'authorization' in headers)).toEqual([])
  })
})
