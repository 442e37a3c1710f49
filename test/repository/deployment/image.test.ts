import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { manifest, ROOT, read } from '../files.ts'
import { isSetting } from './support.ts'

const dockerfile = read('Dockerfile')
const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
const runner = read('deploy/runner.Dockerfile')

/** Paths that a build copies out of the checkout. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => (sources ?? '').split(' '))

describe('the image', () => {
  test('runs on the Node version of the package, by its exact tag, and a digest may pin it', () => {
    expect(dockerfile).toContain(`\nARG BASE=node:${manifest().dependencies.node}-bookworm-slim\n`)
    const bases = [...dockerfile.matchAll(/^FROM [${]*(\w+)/gm)].map(([, base]) => base)
    expect(bases).toEqual(['BASE', 'dependencies', 'dependencies', 'BASE'])
  })

  test('copies folders that exist, and the build may see each of them', () => {
    const visible = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    expect(copied.filter((source) => !existsSync(join(ROOT, source)) || !visible.includes(source))).toEqual([])
    expect(visible.filter((name) => !copied.includes(name))).toEqual([])
    expect(read('.dockerignore')).toMatch(/^\*$/m)
  })

  test('has every command of an operator', () => {
    const { scripts } = manifest()
    const commands = [
      'api',
      'worker',
      'runner',
      'console',
      'migrate',
      'setup',
      'versions',
      'keys',
      'nonce',
      'audit',
      'rebuild',
      'contracts',
    ]
    for (const name of commands) {
      const [, file = ''] = /\bnode (?:--\S+ )*(\S+\.ts)/.exec(scripts[name] ?? '') ?? []
      expect([name, last.includes(`COPY ${file.split('/')[0]} `)]).toEqual([name, true])
    }
  })

  test('leaves out what only a developer needs', () => {
    expect(dockerfile).toContain('npm ci --omit=dev --ignore-scripts')
    expect(dockerfile).not.toMatch(/^COPY .*\b(local|test|examples(?!\/verify-record))\b/m)
  })

  test.each([
    ['the service', last, 'api/main.ts'],
    ['the runner', runner, 'workers/runner.ts'],
  ])('%s runs as a user without rights, by number, and asks its process whether it lives', (_name, text, program) => {
    const users = [...text.matchAll(/^USER (.+)$/gm)].map(([, user]) => user)
    expect(users.at(-1)).toBe('1000:1000')
    expect(text).toMatch(/^HEALTHCHECK .*\n {2}CMD \["node", "-e", .*\/health\/live/m)
    expect(text).toContain(`CMD ["node", "${program}"]`)
  })

  test('takes no secret into a layer', () => {
    for (const text of [dockerfile, runner]) {
      const given = [...text.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name)
      expect(given.filter((name) => !['BASE', 'BUILD_ID', 'SERVICE'].includes(name ?? ''))).toEqual([])
    }
    expect(copied.filter((path) => /secret|\.env|npmrc/.test(path))).toEqual([])
  })

  test('sets settings that exist, and options of Node', () => {
    const set = [...last.matchAll(/(?:ENV |^ {4})([A-Z_]+)=/gm)].map(([, name]) => name ?? '')
    expect(set).toEqual(expect.arrayContaining(['NODE_ENV', 'WORKFLOW_BUNDLE', 'BUILD_ID']))
    expect(set.filter((name) => !isSetting(name))).toEqual(['NODE_OPTIONS', 'MALLOC_ARENA_MAX'])
  })
})
