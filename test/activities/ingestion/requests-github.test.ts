import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createSourceMemory } from '../../../activities/ingestion/http/memory.ts'
import { createGithubSource } from '../../../activities/ingestion/sources/github.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { policyOf } from '../../domain/ingestion/items.ts'
import { differences } from './support/documented.ts'
import { plainHttp } from './support/plain-http.ts'
import { passTo, type Recorded, type RecordingServer, startRecorded } from './support/recorded.ts'

const TOKEN = codehostSettings('').CODEHOST_TOKEN
const NEWEST = Date.UTC(2026, 10, 1)
const Q = 'repo:meadow-01/parser is:issue is:open -label:wontfix -label:duplicate -label:invalid'

let host: LocalCodehost
let server: RecordingServer
let requests: Recorded[]
beforeAll(async () => {
  host = await startCodehost({ newest: NEWEST })
  server = await startRecorded(passTo(host.url))
  const source = createGithubSource({
    minimumStars: 10,
    http: plainHttp(server.url, TOKEN),
    baseUrl: server.url,
    webHost: 'codehost.example',
    readPolicy: async (repo) => policyOf({ repo }),
    now: () => NEWEST,
    repositories: createSourceMemory().repositories,
  })
  const { next } = await source.readPage({ query: 'repo:meadow-01/parser' }, null)
  await source.readPage({ query: 'repo:meadow-01/parser' }, next)
  requests = server.takeRequests()
})
afterAll(async () => {
  await server.stop()
  await host.stop()
})

const sent = (path: string): Recorded[] => requests.filter((request) => request.path === path)

describe('a request to the code host', () => {
  test.each([
    ['search of issues', '/search/issues'],
    ['repository', '/repos/meadow-01/parser'],
    ['closed pull requests', '/repos/meadow-01/parser/pulls'],
    ['timeline', '/repos/meadow-01/parser/issues/99/timeline'],
  ])('for the %s is the documented one', (name, path) => {
    const [request] = sent(path)
    expect(differences(name, request)).toEqual([])
    expect(request?.body).toBe('')
    expect(request?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${TOKEN}`,
    })
  })

  test('for the first part of the search has the documented query', () => {
    const [first] = sent('/search/issues')
    expect(first?.params).toMatchObject({ q: Q, page: '1' })
    expect(readFileSync('docs/sources.md', 'utf8')).toContain(Q.replace('repo:meadow-01/parser ', '`q` is the query of the run with `'))
  })

  test('for a later part of the search names its window', () => {
    const [, later] = sent('/search/issues')
    expect(later?.params).toEqual({
      q: expect.stringMatching(/ updated:<=2026-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/),
      sort: 'updated',
      order: 'desc',
      per_page: '100',
      page: '1',
    })
  })

  test('has no other address than those of the table', () => {
    const known = /^\/(?:search\/issues|repos\/meadow-01\/parser(?:\/pulls|\/issues\/[0-9]+\/timeline)?)$/
    expect(requests.filter(({ path }) => !known.test(path))).toEqual([])
  })
})
