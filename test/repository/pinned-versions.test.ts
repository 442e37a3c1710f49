import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { files, manifest, ROOT, read } from './files.ts'

interface LockEntry {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockEntry> }

/** Registry hosts, wherever they are run. */
const REGISTRY = /registry\.npmjs|registry\.yarnpkg|npm\.pkg\.github|artifactory|jfrog\.io|nexus\.|verdaccio|\bpypi\.org\b|pythonhosted/i

describe('what is installed', () => {
  test('every direct dependency is pinned to one version, and the lock holds that version', () => {
    const { dependencies, devDependencies, overrides } = manifest()
    const pins = Object.entries({ ...dependencies, ...devDependencies, ...overrides })
    expect(pins.length).toBeGreaterThan(30)
    for (const [name, version] of pins) {
      expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+(-[\w.]+)?$/)
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version])
    }
  })

  test('the package of the client depends on the versions that are installed here', () => {
    const client = JSON.parse(read('client/package.json')) as { dependencies: Record<string, string> }
    const { dependencies, devDependencies } = manifest()
    expect({ ...dependencies, ...devDependencies }).toMatchObject(client.dependencies)
  })

  test('service, lock file, client, the steps that name its archive and the examples of answers have one version', () => {
    const { version } = manifest()
    const { version: client } = JSON.parse(read('client/package.json')) as { version: string }
    const archives = files().flatMap((path) => (path.endsWith('.md') ? [...read(path).matchAll(/agent-work-client-([\w.-]+)\.tgz/g)] : []))
    expect(archives.length).toBeGreaterThan(0)
    const answers = JSON.parse(read('api/discovery/answers.json')) as Record<
      'getHealth' | 'getOnboarding',
      { 200: { version: string } }
    > & {
      getAdminStatus: { 200: { maintenance: { release: string } } }
    }
    const examples = [answers.getHealth[200].version, answers.getOnboarding[200].version, answers.getAdminStatus[200].maintenance.release]
    const stated = [lock.packages['']?.version, client, ...archives.map(([, archive]) => archive), ...examples]
    expect([...new Set(stated)]).toEqual([version])
  })

  test('all parts of the Temporal SDK have one version', () => {
    const { dependencies, devDependencies } = manifest()
    const versions = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name.startsWith('@temporalio/'))
    expect(new Set(versions.map(([, version]) => version)).size).toBe(1)
  })

  test('the packages of every platform are in the lock, so that npm ci works on all of them', () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages))
        .map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('every direct dependency is imported, or CONTRIBUTING says why it is there', () => {
    const { dependencies, devDependencies } = manifest()
    const [, explained = ''] = read('CONTRIBUTING.md').split('Some stay without an import:')
    const sources = files().filter((path) => !/^(package|package-lock)\.json$/.test(path) && /\.(ts|js|json|txt)$/.test(path))
    const text = sources.map(read).join('\n')
    const isUsed = (name: string): boolean =>
      ["'", '"'].some((quote) => text.includes(quote + name + quote) || text.includes(`${quote}${name}/`))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    const unexplained = names.filter((name) => !isUsed(name) && !explained.includes(`\`${name}\``))
    expect(unexplained).toEqual([])
    const outdated = [...explained.matchAll(/`([@\w/-]+)`/g)].map(([, name]) => name ?? '').filter((name) => !names.includes(name))
    expect(outdated.filter((name) => name !== '@swc/jest')).toEqual([])
  })

  test('the lock names no registry', () => {
    const withAddress = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined && /^\w+:\/\//.test(resolved))
    expect(withAddress.map(([path]) => path)).toEqual([])
  })

  test('every script starts a file that exists', () => {
    const started = Object.values(manifest().scripts).flatMap((script) =>
      [...script.matchAll(/\bnode ([\w/-]+\.ts)/g)].map(([, file]) => file ?? ''),
    )
    expect(started.length).toBeGreaterThan(7)
    expect(started.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })
})

describe('the text of the repository', () => {
  // The lock holds package names only; this very file holds the patterns.
  const texts = files().filter((path) => path !== 'package-lock.json' && path !== 'test/repository/pinned-versions.test.ts')
  const holding = (pattern: RegExp) => texts.filter((path) => pattern.test(read(path)))

  test('names no path of a machine', () => {
    expect(holding(/(^|[^\w.~/-])(\/(home|Users|root|work|workspace|mnt|media)\/|[A-Z]:\\Users)/m)).toEqual([])
  })

  test('names no registry; the one public index is the fallback of the program download', () => {
    expect(holding(REGISTRY)).toEqual(['local/temporal/binary.ts'])
  })

  test('holds no private key but the public test mnemonic of the local chain', () => {
    expect(holding(/-----BEGIN (EC |RSA )?PRIVATE KEY-----\s+\w{20}/)).toEqual([])
    expect(
      holding(/test test test test test test test test test test test junk/).every((path) =>
        /^(local|test)\/|^client\/cli\/commands\/faucet\.ts$/.test(path),
      ),
    ).toBe(true)
  })
})
