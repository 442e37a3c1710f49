import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PatchRequest } from '../../../activities/paid-verification/profiles/git-patch/judge.ts'

const IDENTITY = ['-c', 'user.name=Author', '-c', 'user.email=author@example.com', '-c', 'commit.gpgsign=false']
const ENVIRONMENT = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

/** Runs git in a folder; gives what it printed. */
type Git = (...args: string[]) => string

/** Calls `build` with a new repository, and removes it afterwards. */
export const withRepository = <T>(build: (git: Git, folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'repository-'))
  const git: Git = (...args) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: folder, env: ENVIRONMENT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    git('init', '-q', '-b', 'main')
    return build(git, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The head of a repository as a bundle. */
export const bundleOf = (git: Git, folder: string): { bundle: Buffer; commit: string } => {
  git('bundle', 'create', '-q', 'head.bundle', 'HEAD', '--')
  const bundle = readFileSync(join(folder, 'head.bundle'))
  rmSync(join(folder, 'head.bundle'))
  return { bundle, commit: git('rev-parse', '--verify', 'HEAD').trim() }
}

/** Two failing tests and one that passes, of a module that adds wrongly. */
export const BASE_FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"sum","type":"module"}\n',
  'README.md': 'sum\n',
  'src/sum.js': 'export const sum = (a, b) => a - b\n',
  'test/sum.test.js': [
    "import assert from 'node:assert/strict'",
    "import test, { describe } from 'node:test'",
    "import { sum } from '../src/sum.js'",
    "describe('sum', () => {",
    "  test('adds', () => assert.equal(sum(2, 3), 5))",
    "  test('adds negative numbers', () => assert.equal(sum(-2, -3), -5))",
    '})',
    "test('zero is neutral', () => assert.equal(sum(4, 0), 4))",
    '',
  ].join('\n'),
}

export type Declaration = Partial<PatchRequest['declaration']>

/** A request to judge what `changes` make of the files; null removes a file. */
export const requestFor = (
  changes: Readonly<Record<string, string | null>>,
  declared: Declaration = {},
  files: Readonly<Record<string, string>> = BASE_FILES,
): PatchRequest =>
  withRepository((git, folder) => {
    writeFiles(folder, files)
    git('add', '-A', '-f')
    git('commit', '-q', '-m', 'base')
    const { bundle, commit } = bundleOf(git, folder)
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) rmSync(join(folder, path))
      else writeFiles(folder, { [path]: text })
    }
    git('add', '-A', '-f')
    const patch = Buffer.from(git('diff', '--cached', '--binary', '--no-renames'))
    return { bundle, patch, privateFiles: [], contractDigest: null, declaration: declarationOf(commit, declared) }
  })

export const declarationOf = (commit: string, declared: Declaration = {}): PatchRequest['declaration'] => ({
  repository: 'https://example.com/sum.git',
  commit,
  testCommand: ['node', '--test', 'test/sum.test.js'],
  workingDirectory: '.',
  allowedPaths: null,
  protectedPaths: [],
  maximumChangedFiles: 100,
  needsNetwork: false,
  mockedSystems: [],
  targetedTests: null,
  regressionTests: null,
  privateChecks: [],
  paysOnPass: true,
  assuranceLevel: 2,
  ...declared,
})
