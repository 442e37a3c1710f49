import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { addressesIn, makeSecrets, SECRET_FILES } from '../../../local/production/secrets.ts'
import { databaseSsl } from '../../../schemas/database-url.ts'
import { read } from '../files.ts'
import { fileOf, problemsOf, readEnvironment, SECRETS, secretFiles, unknownAmong } from './support.ts'

const directory = mkdtempSync(join(tmpdir(), 'deployment-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Unit of a process, with its environment. */
const unitOf = (name: string) => {
  const text = read(`deploy/systemd/agent-work-${name}@.service`)
  const valuesOf = (option: string): string[] => [...text.matchAll(new RegExp(`^${option}=(.*)$`, 'gm'))].map(([, value]) => value ?? '')
  const pairs = valuesOf('Environment').flatMap((line) => line.split(' '))
  const environment: Record<string, string> = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return { lines: text.split('\n'), valuesOf, environment }
}

describe('the units of systemd', () => {
  test.each(['api', 'worker', 'console', 'runner'])('hand %s its secrets and no other, each as a file', (name) => {
    const { valuesOf, environment } = unitOf(name)
    const names = (SECRETS[name] ?? []).map(fileOf)
    expect(valuesOf('LoadCredential')).toEqual(names.map((file) => `${file}:/etc/agent-work/secrets/${file}`))
    const given = Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE') && setting !== 'CHAIN_FILE')
    const wanted = Object.entries(secretFiles(name)).map(([setting, path]) => [setting, path.replace('/run/secrets', '%d')])
    expect(Object.fromEntries(given)).toEqual(Object.fromEntries(wanted))
  })

  test.each(['api', 'worker', 'console', 'runner'])('give %s settings that exist, and no right but to read', (name) => {
    const { lines, valuesOf, environment } = unitOf(name)
    expect(unknownAmong(Object.keys(environment)).filter((setting) => setting !== 'MALLOC_ARENA_MAX')).toEqual([])
    const bounds = ['DynamicUser=yes', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'PrivateTmp=yes']
    expect(lines).toEqual(expect.arrayContaining(bounds))
    expect(valuesOf('RestrictNamespaces')).toEqual(name === 'runner' ? [] : ['yes'])
    expect(valuesOf('EnvironmentFile')).toEqual([`/etc/agent-work/${name === 'runner' ? 'runner' : 'service'}.env`])
  })

  test.each(['api', 'worker', 'runner'] as const)('give %s all that its start asks for', (name) => {
    const asInContainer = (value: string): string =>
      value.replace('%d', '/run/secrets').replace('/etc/agent-work/chain.json', '/run/config/chain.json')
    const given = Object.entries(unitOf(name).environment).map(([setting, value]) => [setting, asInContainer(value)])
    const settings = name === 'runner' ? {} : readEnvironment('deploy/service.env.example')
    expect(problemsOf(join(directory, name), name, { ...settings, ...Object.fromEntries(given) })).toEqual([])
  })
})

describe('the page of the first deployment', () => {
  test('gives each object of the cluster the secrets of its process', () => {
    const page = read('docs/deployment.md')
    const objects = { api: 'api', worker: 'worker', migrate: 'migrate', engine: 'current' }
    for (const [object, process] of Object.entries(objects)) {
      const [, names = ''] = new RegExp(`^ *secret ${object} (.+)$`, 'm').exec(page) ?? []
      expect([object, names.split(' ').sort()]).toEqual([object, (SECRETS[process] ?? []).map(fileOf).sort()])
    }
  })
})

describe('npm run secrets', () => {
  const modeOf = (path: string): number => statSync(path).mode & 0o777

  test('makes every file for its reader alone, and changes nothing that is there', () => {
    const dir = join(directory, 'made')
    const made = makeSecrets(dir, 'database:5432/service')
    expect(made).toEqual(expect.arrayContaining(['database-url', 'jwt-key', 'operator-key']))
    const contents = SECRET_FILES.map((name) => readFileSync(join(dir, name), 'utf8'))
    expect(modeOf(dir)).toBe(0o700)
    for (const name of SECRET_FILES) expect([name, modeOf(join(dir, name))]).toEqual([name, name === 'database-password' ? 0o444 : 0o400])
    expect(makeSecrets(dir, 'elsewhere/service')).toEqual([])
    expect(SECRET_FILES.map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual(contents)
    expect(readFileSync(join(dir, 'arbitrator-key'), 'utf8')).toBe('')
    expect(addressesIn(dir).map(([name]) => name)).toEqual(['operator-key', 'verifier-key'])
  })

  test('makes an optional secret later', () => {
    const dir = join(directory, 'later')
    makeSecrets(dir, 'database:5432/service')
    expect(makeSecrets(dir, 'database:5432/service', ['payload-keys', 'arbitrator-key'])).toEqual(['arbitrator-key', 'payload-keys'])
    expect(readFileSync(join(dir, 'payload-keys'), 'utf8')).toMatch(/^k1:\S{44}\n$/)
    expect(addressesIn(dir).map(([name]) => name)).toContain('arbitrator-key')
  })

  test('writes the address of a database whose password has any character', () => {
    const dir = join(directory, 'password')
    const password = 'p@ss/w%rd#?:&é'
    mkdirSync(dir)
    writeFileSync(join(dir, 'database-password'), `${password}\n`)
    makeSecrets(dir, 'database:5432/service')
    const url = readFileSync(join(dir, 'database-url'), 'utf8').trim()
    expect(databaseSsl(url)).toBe(false)
    const { hostname, port, pathname, password: encoded } = new URL(url)
    expect([hostname, port, pathname, decodeURIComponent(encoded)]).toEqual(['database', '5432', '/service', password])
  })

  test.each(['postgresql://service:100%@database/service', 'postgresql://service:a/b@database/service'])(
    'a password that is not encoded stops the start: %s',
    (url) => {
      expect(() => databaseSsl(url)).toThrow('DATABASE_URL: must be an address')
    },
  )
})
