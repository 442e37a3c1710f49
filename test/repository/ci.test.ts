import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { filesToRunAlone, type Report, type Run, type Suite, summarise } from '../../.ci/summary.ts'
import { files, manifest, ROOT, read } from './files.ts'

const suite = (name: string, statuses: readonly ('passed' | 'failed')[], message = ''): Suite => ({
  name,
  status: statuses.includes('failed') || message !== '' ? 'failed' : 'passed',
  message,
  assertionResults: statuses.map((status, index) => ({
    fullName: `${name} ${index}`,
    status,
    failureMessages: status === 'failed' ? [`${name} is wrong\n\n    at there.ts:1\n  by one`] : [],
  })),
})
const reportOf = (...testResults: Suite[]): Report => ({
  success: testResults.every(({ status }) => status === 'passed'),
  numTotalTests: testResults.flatMap(({ assertionResults }) => assertionResults).length,
  testResults,
})
const run = (report: Report | null, endedWell = report?.success === true): Run => ({ report, endedWell })
const summaryOf = (first: Run, alone: Run | null = null, checkPassed = true) => summarise(checkPassed, [{ first, alone }])

const GOOD = reportOf(suite('a', ['passed', 'passed']), suite('b', ['passed']))
const BAD = reportOf(suite('a', ['passed', 'failed']), suite('b', ['passed']))

describe('the closing lines of a run', () => {
  test('count the check as one test', () => {
    expect(summaryOf(run(GOOD))).toEqual({ failures: [], line: '4 passed, 0 failed', ok: true })
    expect(summaryOf(run(GOOD), null, false)).toEqual({ failures: [], line: '3 passed, 1 failed', ok: false })
  })

  test('name failed tests and files that did not load, and count them', () => {
    const failures = [
      ...['failed in the full run: a › a 1', '    a is wrong', '      by one'],
      ...['failed in the full run: c › did not load', '    no such module'],
    ]
    const bad = run(reportOf(...BAD.testResults, suite('c', [], 'no such module')))
    expect(summaryOf(bad)).toEqual({ failures, line: '3 passed, 2 failed', ok: false })
  })

  test('add the tiers up; one that failed spoils the others', () => {
    const [good, lost] = [run(GOOD), run(null)].map((first) => ({ first, alone: null }))
    if (good === undefined || lost === undefined) throw new Error('two tiers')
    expect(summarise(true, [good, good])).toMatchObject({ line: '7 passed, 0 failed', ok: true })
    expect(summarise(true, [good, lost])).toMatchObject({ line: '4 passed, 1 failed', ok: false })
    expect(summarise(true, []).ok).toBe(false)
  })

  test.each<[string, Report | null, boolean]>([
    ['no report was written', null, false],
    ['the run was cut short after its last test', GOOD, false],
    ['no test ran at all', reportOf(), true],
    ['the run calls itself unsuccessful without naming a test', { ...GOOD, success: false }, true],
  ])('call it a failure when %s', (_case, report, endedWell) => {
    expect(summaryOf(run(report, endedWell))).toMatchObject({ ok: false, line: expect.stringMatching(/^\d+ passed, 1 failed$/) })
  })

  test('count a file by its run alone, and list the failures of both runs', () => {
    const failedAt = (heading: string) => [`${heading}: a › a 1`, '    a is wrong', '      by one']
    const passedAlone = run(reportOf(suite('a', ['passed', 'passed'])))
    expect(summaryOf(run(BAD), passedAlone)).toEqual({
      failures: [...failedAt('failed in the full run'), 'passed alone: a'],
      line: '4 passed, 0 failed',
      ok: true,
    })
    expect(summaryOf(run(BAD), run(reportOf(suite('a', ['passed', 'failed']))))).toEqual({
      failures: [...failedAt('failed in the full run'), ...failedAt('failed alone'), 'did not pass alone: a'],
      line: '3 passed, 1 failed',
      ok: false,
    })
  })

  test.each<[string, Run]>([
    ['left no report', run(null)],
    ['left a file out', run(reportOf())],
    ['did not end well', run(reportOf(suite('a', ['passed', 'passed'])), false)],
  ])('call it a failure when the run alone %s', (_case, alone) => {
    expect(summaryOf(run(BAD), alone)).toMatchObject({ ok: false, line: expect.stringMatching(/ 1 failed$/) })
  })

  test('are printed last, and the exit code says the same', () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'))
    try {
      const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')]
      writeFileSync(good, JSON.stringify(GOOD))
      writeFileSync(bad, JSON.stringify(BAD))
      const sum = (...given: string[]) => spawnSync(process.execPath, ['.ci/summary.ts', 'sum', ...given], { cwd: ROOT, encoding: 'utf8' })
      expect(sum('0', good, '0', '', 'none', good, '0', '', 'none')).toMatchObject({ stdout: '7 passed, 0 failed\n', status: 0 })
      expect(sum('0', good, '0', '', 'none', good, '1', '', 'none')).toMatchObject({ stdout: '7 passed, 1 failed\n', status: 1 })
      expect(sum('1', bad, '1', good, '0')).toMatchObject({ stdout: expect.stringMatching(/\n3 passed, 1 failed\n$/), status: 1 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test('a few failed files are run alone, many are not', () => {
  const failed = (count: number) => Array.from({ length: count }, (_, index) => suite(`${index}`, ['failed']))
  expect(filesToRunAlone(run(reportOf(...failed(5), suite('good', ['passed']))))).toEqual(['0', '1', '2', '3', '4'])
  expect(filesToRunAlone(run(reportOf(...failed(6))))).toEqual([])
  expect(filesToRunAlone(run(null))).toEqual([])
})

describe('the run itself', () => {
  test('can be started, and has no errors a shell would find', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
    expect(spawnSync('bash', ['-n', '.ci/run'], { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('runs the check, and the test command that the README gives', () => {
    expect(read('.ci/run')).toContain('npm run --silent check')
    expect(read('.ci/run')).toMatch(/^tier tests \d+ npm test$/m)
    expect(read('.ci/run')).toContain('if [ "$code" = 1 ] && ')
    expect(read('.ci/run')).toMatch(/^tier long \d+ npm run test:long$/m)
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
