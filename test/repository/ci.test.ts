import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { type Report, type Run, summarise } from '../../.ci/summary.ts'
import { files, manifest, ROOT, read } from './files.ts'

/** Of one run of tests. */
const summaryOf = (report: Report | null, endedWell = true, checkPassed = true) => summarise(checkPassed, [{ report, endedWell }])
const GOOD: Report = { success: true, numTotalTests: 7, numPassedTests: 7, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }

describe('the closing line of a run', () => {
  test('counts the check as one test', () => {
    expect(summaryOf(GOOD)).toEqual({ line: '8 passed, 0 failed', ok: true })
    expect(summaryOf(GOOD, true, false)).toEqual({ line: '7 passed, 1 failed', ok: false })
  })

  test('counts failed tests and files that did not load', () => {
    const bad = { ...GOOD, success: false, numPassedTests: 4, numFailedTests: 3, numRuntimeErrorTestSuites: 2 }
    expect(summaryOf(bad, false)).toEqual({ line: '5 passed, 5 failed', ok: false })
  })

  test('adds the runs up; one that failed spoils the others', () => {
    const good: Run = { report: GOOD, endedWell: true }
    const lost: Run = { report: null, endedWell: false }
    expect(summarise(true, [good, good])).toEqual({ line: '15 passed, 0 failed', ok: true })
    expect(summarise(true, [good, lost])).toEqual({ line: '8 passed, 1 failed', ok: false })
    expect(summarise(true, []).ok).toBe(false)
  })

  test.each<[string, Report | null, boolean]>([
    ['no report was written', null, false],
    ['the run was cut short after its last test', GOOD, false],
    ['no test ran at all', { ...GOOD, numTotalTests: 0, numPassedTests: 0 }, true],
    ['the run calls itself unsuccessful without naming a test', { ...GOOD, success: false }, true],
  ])('is a failure when %s', (_case, report, endedWell) => {
    expect(summaryOf(report, endedWell)).toMatchObject({ ok: false, line: expect.stringMatching(/^\d+ passed, 1 failed$/) })
  })

  test('is printed last, and the exit code says the same', () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'))
    try {
      const path = join(folder, 'tests.json')
      writeFileSync(path, JSON.stringify(GOOD))
      const run = (...given: string[]) => spawnSync(process.execPath, ['.ci/summary.ts', ...given], { cwd: ROOT, encoding: 'utf8' })
      expect(run('0', path, '0', path, '0')).toMatchObject({ stdout: '15 passed, 0 failed\n', status: 0 })
      expect(run('0', path, '0', path, '1')).toMatchObject({ stdout: '15 passed, 1 failed\n', status: 1 })
      expect(run('1', path, '0')).toMatchObject({ stdout: '7 passed, 1 failed\n', status: 1 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the run itself', () => {
  test('can be started, and has no errors a shell would find', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
    expect(spawnSync('bash', ['-n', '.ci/run'], { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('runs the check, and the test command that the README gives', () => {
    expect(read('.ci/run')).toContain('npm run --silent check')
    expect(read('.ci/run')).toMatch(/npm test -- --json/)
    expect(read('.ci/run')).toMatch(/npm run test:long -- --json/)
    expect(read('README.md')).toContain('npm ci && npm test')
  })

  test('the check covers format, lint rules, the direction of imports and types', () => {
    expect(manifest().scripts.check).toBe('biome ci . && node test/repository/directions.ts && tsc --noEmit')
    for (const name of ['test', 'test:rules', 'test:long']) expect(manifest().scripts[name]).toMatch(/--experimental-vm-modules.* jest/)
  })
})

/** Every test file of the repository. */
const suites = files().filter((path) => path.endsWith('.test.ts'))

/** The test files that a script of package.json runs. */
const listTests = async (script: string): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', script, '--', '--listTests'], { cwd: ROOT })
  return stdout.split('\n').flatMap((path) => (path === '' ? [] : [relative(ROOT, path)]))
}

describe('the tiers of tests', () => {
  test('run every test file once, in npm test or in npm run test:long', async () => {
    const [fast, long] = await Promise.all([listTests('test'), listTests('test:long')])
    expect([...fast, ...long].sort()).toEqual(suites)
    expect(long.filter((path) => !path.startsWith('test/long/'))).toEqual([])
  })

  test('npm run test:rules is a part of npm test and uses no helper that starts a database, a chain or an engine', async () => {
    const [fast, rules] = await Promise.all([listTests('test'), listTests('test:rules')])
    const folders = ['activities/verification', 'domain', 'repository', 'schemas'].map((folder) => `test/${folder}/`)
    expect(rules.sort()).toEqual(fast.filter((path) => folders.some((folder) => path.startsWith(folder))).sort())
    expect(rules.filter((path) => /from '[^']*\/(env|support\/(?!fixture-run)[^']*)\.ts'/.test(read(path)))).toEqual([])
  })
})

test('each prefix in the table of slow suites is the first that matches some test file', () => {
  const prefixes = [...read('test/sequencer.js').matchAll(/\['(test\/[^']+)', \d+\]/g)].map(([, prefix = '']) => prefix)
  const used = new Set(suites.map((path) => prefixes.find((prefix) => path.startsWith(prefix))))
  expect(prefixes).not.toEqual([])
  expect(prefixes.filter((prefix) => !used.has(prefix))).toEqual([])
})
