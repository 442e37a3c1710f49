import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createOsvSource } from '../../../activities/ingestion/sources/osv.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { createOsvSource as createLocalOsv } from '../../../local/sources/osv.ts'
import { OsvInput } from '../../../schemas/ingestion/osv.ts'
import { policyOf } from '../../domain/ingestion/items.ts'
import { differences, documentedRow } from './support/documented.ts'
import { plainHttp } from './support/plain-http.ts'
import { passTo, type Recorded, type RecordingServer, startRecorded } from './support/recorded.ts'

const LOCK_HEADERS = { accept: 'application/vnd.github.raw+json', 'x-github-api-version': '2022-11-28' }
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

/** A body as the document writes it: names of members, and the one value that is always the same. */
const formOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(formOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return value === 'npm' ? '"npm"' : ''
  const member = ([name, one]: [string, unknown]): string => [name, formOf(one)].filter((part) => part !== '').join(': ')
  return `{${Object.entries(value).map(member).join(', ')}}`
}

describe('a request', () => {
  test('for package versions is the documented one', () => {
    const [request] = toDatabase
    const [address, parameters] = documentedRow('package versions')
    expect(`${request?.method} \`${request?.path}\``).toBe(address)
    expect(parameters).toContain(`\`${formOf(JSON.parse(request?.body ?? ''))}\``)
    expect(request).toMatchObject({ params: {}, headers: { 'content-type': 'application/json' } })
  })

  test('for the next page of a result is the documented one', () => {
    const [first, next] = toDatabase.map(({ body }) => (body === '' ? null : JSON.parse(body)))
    const [address, parameters] = documentedRow('next page of a result')
    expect(`${toDatabase[1]?.method} \`${toDatabase[1]?.path}\``).toBe(address)
    expect(parameters).toContain('the same with `page_token`')
    expect(next).toEqual({ queries: [{ ...first.queries[0], page_token: 'page-2' }] })
  })

  test('for an advisory is the documented one', () => {
    const [, , ...advisories] = toDatabase
    expect(advisories.map((request) => differences('advisory', request))).toEqual([[], []])
  })

  test('for a lock file is the documented one', () => {
    const [request] = toHost
    expect([differences('lock file', request), toHost.length]).toEqual([[], 1])
    for (const [name, value] of Object.entries(LOCK_HEADERS)) {
      expect(request?.headers[name]).toBe(value)
      expect(documentedRow('lock file')[1]).toContain(`\`${name}: ${value}\``)
    }
    expect(request?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  })

  test('to the database has no token of the code host', () => {
    expect(toDatabase.filter(({ headers }) => 'authorization' in headers)).toEqual([])
  })
})
