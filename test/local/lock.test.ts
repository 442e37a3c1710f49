import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { completeLock, type Lockfile, missingEntries, platformOf } from '../../local/lock.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as Lockfile

describe('the lockfile', () => {
  test('holds every optional dependency of every platform, without which npm ci refuses', () => {
    expect(missingEntries(lock)).toEqual([])
  })

  test('names no registry', () => {
    const hosts = [...read('package-lock.json').matchAll(/"resolved": "([^"]*)"/g)].map(([, address]) => address)
    expect(hosts).toEqual([])
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true')
  })

  test('lets the install scripts run that this platform needs, and no other', () => {
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
    const scripted = Object.entries(lock.packages as Record<string, { hasInstallScript?: boolean; optional?: boolean }>)
      .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    expect(scripted.filter((name) => allowScripts[name] === undefined)).toEqual([])
  })
})

describe('completing a lockfile', () => {
  const partial: Lockfile = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { '@tool/cli-linux-x64': '1.0.0', '@tool/cli-darwin-arm64': '1.0.0', '@tool/cli-linux-arm64-musl': '1.0.0' },
      },
      'node_modules/@tool/cli-linux-x64': { version: '1.0.0', optional: true },
    },
  }

  test('adds what is missing with its platform and leaves the rest alone', () => {
    const complete = completeLock(partial)
    expect(missingEntries(complete)).toEqual([])
    expect(complete.packages['node_modules/@tool/cli-darwin-arm64']).toEqual({
      version: '1.0.0',
      dev: true,
      optional: true,
      os: ['darwin'],
      cpu: ['arm64'],
    })
    expect(complete.packages['node_modules/@tool/cli-linux-arm64-musl']).toMatchObject({ os: ['linux'], cpu: ['arm64'], libc: ['musl'] })
    expect(complete.packages['node_modules/@tool/cli-linux-x64']).toEqual({ version: '1.0.0', optional: true })
    expect(completeLock(complete)).toEqual(complete)
  })

  test('finds a dependency that is nested under a package further up', () => {
    const nested: Lockfile = {
      packages: {
        'node_modules/a': {},
        'node_modules/a/node_modules/b': { optionalDependencies: { 'c-linux-x64': '1.0.0' } },
        'node_modules/a/node_modules/c-linux-x64': {},
      },
    }
    expect(missingEntries(nested)).toEqual([])
  })

  test('refuses to guess a platform or a version', () => {
    expect(() => platformOf('some-helper')).toThrow('some-helper names no platform')
    const ranged: Lockfile = { packages: { 'node_modules/tool': { optionalDependencies: { '@tool/cli-linux-x64': '^1.0.0' } } } }
    expect(() => completeLock(ranged)).toThrow('only an exact version')
  })
})
