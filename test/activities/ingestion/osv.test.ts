import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { UnreadItem } from '../../../activities/ingestion/source.ts'
import { readLockFile } from '../../../activities/ingestion/sources/osv/lock-file.ts'
import { createOsvSource } from '../../../activities/ingestion/sources/osv.ts'
import { osvRules } from '../../../domain/ingestion/osv.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { createOsvSource as createLocalOsv, seededPackage, seededVersion } from '../../../local/sources/osv.ts'
import { OsvInput, type OsvPackage } from '../../../schemas/ingestion/osv.ts'
import { policyOf } from '../../domain/ingestion/items.ts'
import { plainHttp } from './support/plain-http.ts'
import { type RecordingServer, startRecorded } from './support/recorded.ts'

const TOKEN = codehostSettings('').CODEHOST_TOKEN
const local = createLocalOsv()
let host: LocalCodehost
let server: RecordingServer
beforeAll(async () => {
  host = await startCodehost()
  server = await startRecorded(local.answer)
})
afterAll(async () => {
  await server.stop()
  await host.stop()
})
afterEach(() => {
  server.answerBy()
  server.takeRequests()
  local.forget()
})

const sourceOf = () =>
  createOsvSource({
    http: plainHttp(server.url),
    baseUrl: server.url,
    codehost: plainHttp(host.url, TOKEN),
    codehostUrl: host.url,
    webHost: 'codehost.example',
    readPolicy: async (repo) => policyOf({ repo: host.world.newNameOf(repo) ?? repo }),
  })

const npm = (...names: string[]) => ({ packages: names.map((name) => ({ ecosystem: 'npm' as const, name, version: '1.1.0' })) })
const readAll = async (input: unknown) => {
  const source = sourceOf()
  const items: OsvPackage[] = []
  const unread: UnreadItem[] = []
  let pages = 0
  for (let cursor: string | null = null; pages === 0 || cursor !== null; pages += 1) {
    const page: Awaited<ReturnType<typeof source.readPage>> = await source.readPage(OsvInput.parse(input), cursor)
    items.push(...page.items)
    unread.push(...(page.unread ?? []))
    cursor = page.next
  }
  return { items, unread, pages }
}
const json = (value: unknown, status = 200) => ({ status, type: 'application/json', body: JSON.stringify(value) })
const idOf = async (name: string): Promise<string> => (await readAll(npm(name))).items[0]?.advisories[0]?.id ?? ''

describe('the client of the vulnerability database', () => {
  test('reads the advisories of a package version together, with severity and fixed version', async () => {
    const { items } = await readAll(npm('seed-lib-6'))
    expect(items).toEqual([
      {
        ecosystem: 'npm',
        name: 'seed-lib-6',
        version: '1.1.0',
        repository: null,
        advisories: [
          expect.objectContaining({
            id: expect.stringMatching(/^GHSA-/),
            aliases: ['CVE-2026-10012'],
            fixedVersion: '2.0.0',
            cvss: expect.any(Number),
          }),
          expect.objectContaining({ aliases: ['CVE-2026-10013'], fixedVersion: '1.2.1' }),
        ],
      },
    ])
    expect(osvRules.unfitOf(items[0] as OsvPackage)).toBeNull()
  })

  test('follows the pages of one result, and asks for an advisory once', async () => {
    const packages = ['1.1.0', '1.2.0'].map((version) => ({ ecosystem: 'npm', name: 'seed-lib-150', version }))
    const { items } = await readAll({ packages })
    expect(items.map(({ advisories }) => advisories.length)).toEqual([2, 2])
    const requests = server.takeRequests()
    expect(
      requests
        .filter(({ path }) => path === '/v1/querybatch')
        .map(({ body }) => JSON.parse(body).queries.map((one: object) => 'page_token' in one)),
    ).toEqual([
      [false, false],
      [true, true],
    ])
    expect(requests.filter(({ path }) => path.startsWith('/v1/vulns/'))).toHaveLength(2)
  })

  test('leaves out versions without advisories, withdrawn ones and unknown packages', async () => {
    const packages = [
      { ecosystem: 'npm', name: 'seed-lib-1', version: '2.0.0' },
      { ecosystem: 'npm', name: 'seed-lib-7', version: '1.1.0' },
      { ecosystem: 'npm', name: 'left-merge', version: '1.1.0' },
    ]
    expect(await readAll({ packages })).toEqual({ items: [], unread: [], pages: 1 })
  })

  test('looks at no more targets than it may, 50 a page', async () => {
    const packages = Array.from({ length: 130 }, (_, index) => ({
      ecosystem: 'npm',
      name: seededPackage(index * 3 + 1),
      version: seededVersion(index),
    }))
    const { items, pages } = await readAll({ packages, maxPackageTargets: 120 })
    expect(pages).toBe(3)
    expect(items.length).toBeGreaterThan(100)
    expect(new Set(items.map(osvRules.keyOf)).size).toBe(items.length)
  })

  test('reads the packages of a lock file with the repository and its policy', async () => {
    const { items } = await readAll({ manifests: [{ repo: 'meadow-01/parser', path: 'package-lock.json' }] })
    expect(items.length).toBeGreaterThan(5)
    expect(items[0]?.repository).toMatchObject({
      name: 'meadow-01/parser',
      url: 'https://codehost.example/meadow-01/parser',
      manifestPath: 'package-lock.json',
      policy: { verdict: 'allows' },
    })
  })

  test('reads a lock file of some megabytes, and of a renamed repository', async () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => [
      `node_modules/other-${index}`,
      { version: '1.0.0', integrity: 'x'.repeat(100) },
    ])
    const packages = {
      '': { dependencies: { 'seed-lib-1': '^1.0.0' } },
      'node_modules/seed-lib-1': { version: '1.0.0' },
      ...Object.fromEntries(entries),
    }
    host.content.setFile('acme/large', 'web/package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }))
    host.world.changeRepository('acme/large', { renameTo: 'acme/larger' })
    const { items } = await readAll({ manifests: [{ repo: 'acme/large', path: 'web/package-lock.json' }], maxPackageTargets: 40 })
    expect(items.map(({ name, repository }) => [name, repository?.name])).toEqual([['seed-lib-1', 'acme/larger']])
  })

  test.each<[string, (id: string) => void, string | null]>([
    ['gone since the batch', (id) => local.replace(id, null), 'advisory_gone'],
    ['withdrawn since the batch', (id) => local.replace(id, { id, modified: '', withdrawn: '2026-01-01T00:00:00Z' }), null],
    [
      'about another package since the batch',
      (id) => local.replace(id, { id, modified: '', affected: [{ package: { ecosystem: 'npm', name: 'x' } }] }),
      null,
    ],
    [
      'about other versions since the batch',
      (id) =>
        local.replace(id, {
          id,
          modified: '',
          affected: [
            { package: { ecosystem: 'npm', name: 'seed-lib-10' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '3.0.0' }] }] },
          ],
        }),
      null,
    ],
    ['longer than the service reads', (id) => local.replace(id, { id, modified: '', details: 'x'.repeat(2_000_000) }), 'advisory_too_long'],
  ])('leaves out an advisory that is %s', async (_name, change, reason) => {
    change(await idOf('seed-lib-10'))
    const { items, unread } = await readAll(npm('seed-lib-10', 'seed-lib-11'))
    expect(items.map(({ name }) => name)).toEqual(['seed-lib-11'])
    const why = reason === null ? [] : [{ key: 'npm:seed-lib-10@1.1.0', reason, detail: expect.any(String) }]
    expect(unread).toEqual(why)
  })

  test('takes an advisory that was merged into another by the id of that one', async () => {
    const id = await idOf('seed-lib-13')
    const affected = [{ package: { ecosystem: 'npm', name: 'seed-lib-13' } }]
    local.replace(id, { id: 'GHSA-merged', modified: '', aliases: [id], affected, summary: 'x'.repeat(10_000_000).slice(0, 400_000) })
    const { items } = await readAll(npm('seed-lib-13'))
    expect(items[0]?.advisories).toEqual([expect.objectContaining({ id: 'GHSA-merged', aliases: [id], modified: '', cvss: null })])
    expect(items[0]?.advisories[0]?.summary).toHaveLength(300)
  })

  const batch = (results: unknown) => () =>
    server.answerBy((request) => (request.method === 'POST' ? json({ results }) : local.answer(request)))
  test.each<[string, () => void]>([
    ['a batch in another shape', batch('none')],
    ['a batch with another number of results', batch([{}, {}])],
    ['a batch that repeats its pages', batch([{ vulns: [{ id: 'A' }], next_page_token: 'again' }])],
    [
      'an advisory of another id',
      () => server.answerBy((request) => (request.method === 'POST' ? local.answer(request) : json({ id: 'OTHER' }))),
    ],
    ['an advisory in another shape', () => server.answerBy((request) => (request.method === 'POST' ? local.answer(request) : json([])))],
    ['no JSON', () => server.answerBy(() => ({ status: 200, type: 'application/json', body: '<html>' }))],
  ])('fails at %s', async (_name, arrange) => {
    arrange()
    await expect(readAll(npm('seed-lib-1'))).rejects.toMatchObject({ fault: 'source_unreadable' })
  })

  test('fails at a repository without the lock file, and at a cursor that is none', async () => {
    const manifests = [{ repo: 'acme/widgets', path: 'package-lock.json' }]
    await expect(readAll({ manifests })).rejects.toMatchObject({ fault: 'source_refused' })
    await expect(sourceOf().readPage(OsvInput.parse(npm('a')), '{"offset":-1}')).rejects.toMatchObject({ fault: 'source_unreadable' })
  })
})

describe('a lock file', () => {
  const packages = {
    '': { dependencies: { zeta: '1' }, devDependencies: { '@a/b': '2' } },
    'node_modules/alpha': { version: '1.0.0' },
    'node_modules/zeta': { version: '3.0.0' },
    'node_modules/zeta/node_modules/alpha': { version: '2.0.0' },
    'node_modules/@a/b': { version: '2.0.0' },
    'node_modules/other-name': { name: 'real-name', version: '1.0.0' },
    'node_modules/linked': { resolved: 'packages/linked', link: true },
    'packages/linked': { version: '1.0.0' },
    'node_modules/from-git': { version: 'git+ssh://host/x.git#abc' },
    'node_modules/no version': {},
  }
  test('of version 3 names each version of the registry once, direct ones first', () => {
    expect(readLockFile({ lockfileVersion: 3, packages }).map(({ name, version }) => `${name}@${version}`)).toEqual([
      '@a/b@2.0.0',
      'zeta@3.0.0',
      'alpha@1.0.0',
      'alpha@2.0.0',
      'real-name@1.0.0',
    ])
  })

  test('of version 1 names nested versions', () => {
    const dependencies = { b: { version: '1.0.0', dependencies: { a: { version: '2.0.0' }, c: 'broken' } }, a: { version: '1.0.0' } }
    expect(readLockFile({ lockfileVersion: 1, dependencies }).map(({ name, version }) => `${name}@${version}`)).toEqual([
      'a@1.0.0',
      'a@2.0.0',
      'b@1.0.0',
    ])
  })

  test.each([null, [], {}, { lockfileVersion: 4 }, { lockfileVersion: 3, packages: [] }])('is not %j', (value) => {
    expect(() => readLockFile(value)).toThrow('no package-lock.json')
  })
})
