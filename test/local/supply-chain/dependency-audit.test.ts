import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const SCRIPT = fileURLToPath(new URL('../../../local/supply-chain/dependency-audit.ts', import.meta.url))

/** Advisories of a registry, by package. */
type Known = Record<string, { severity: string; vulnerable_versions: string }>

const MINIMIST: Known = { minimist: { severity: 'critical', vulnerable_versions: '<0.2.4' } }
/** What the registry answers next; null: it refuses, as a mirror without advisories does. */
let known: Known | null = null

const registry = createServer((request, response) => {
  const isAdvisories = request.method === 'POST' && (request.url ?? '').endsWith('/advisories/bulk')
  if (!isAdvisories || known === null) {
    response.writeHead(isAdvisories ? 405 : 404).end('{}')
    return
  }
  const all = Object.entries(known).map(([name, facts]) => [
    name,
    [{ id: name, title: 'Slow', url: `https://a.example/${name}`, ...facts }],
  ])
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(Object.fromEntries(all)))
})
const folder = mkdtempSync(join(tmpdir(), 'audited-'))

beforeAll(async () => {
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const root = { name: 'audited', version: '1.0.0', dependencies: { ms: '2.1.3' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root))
  const packages = { '': root, 'node_modules/ms': { version: '2.1.3' } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages }))
})
afterAll(() => {
  registry.close()
  rmSync(folder, { recursive: true })
})

const audit = async (answers: Known | null): Promise<{ code: number; lines: string[] }> => {
  known = answers
  const cache = mkdtempSync(join(folder, 'cache-'))
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const env = { ...process.env, npm_config_registry: address, npm_config_cache: cache }
  const child = spawn(process.execPath, [SCRIPT], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: code as number, lines: printed.trim().split('\n') }
}

test.each<[string, Known | null, number, string[]]>([
  [
    'reports a high advisory with code 1',
    { ms: { severity: 'high', vulnerable_versions: '<3' } },
    1,
    ['advisories: 1 high', '  high  ms: Slow (https://a.example/ms)'],
  ],
  [
    'lists a low one with code 0',
    { ms: { severity: 'low', vulnerable_versions: '<3' } },
    0,
    ['advisories: 1 low', '  low  ms: Slow (https://a.example/ms)'],
  ],
  ['reports none where the registry knows others', MINIMIST, 0, ['advisories: none']],
  [
    'does not take an empty answer for none',
    {},
    2,
    ['advisories: could not be read: the registry reports none for minimist 0.0.8, which has some'],
  ],
  ['does not take a refusal for none', null, 2, [expect.stringMatching(/^advisories: could not be read: 405 /)] as unknown as string[]],
])('the audit of dependencies %s', async (_case, answers, code, lines) => {
  expect(await audit(answers)).toEqual({ code, lines })
})
