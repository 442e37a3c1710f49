import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { Usage } from '../../.ci/measure.ts'
import { describeUsage, fileToRepeat, type Report, type Run, readRun, type Suite, summarise, type Tier } from '../../.ci/summary.ts'
import { inTurn } from '../turns.ts'
import { files, manifest, ROOT, read } from './files.ts'

const suite = (name: string, statuses: readonly ('passed' | 'failed')[], message = '', seconds = 1): Suite => ({
  name,
  status: statuses.includes('failed') || message !== '' ? 'failed' : 'passed',
  message,
  startTime: 0,
  endTime: seconds * 1_000,
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
const tier = (report: Report | null, endedWell?: boolean, name = 'test'): Tier => ({ name, usage: null, ...run(report, endedWell) })
const folder = mkdtempSync(join(tmpdir(), 'report-'))
afterAll(() => rmSync(folder, { recursive: true }))
const reportFile = (report: Report): string => {
  const path = join(folder, 'read.json')
  writeFileSync(path, JSON.stringify(report))
  return path
}
const summaryOf = (first: Tier, repeat: Run | null = null, checkPassed = true) => summarise(checkPassed, [first], repeat)

const GOOD = reportOf(suite('a', ['passed', 'passed']), suite('b', ['passed']))
const BAD = reportOf(suite('a', ['passed', 'failed']), suite('b', ['passed']))
const USAGE: Usage = { seconds: 61.2, processorSeconds: 99.6, stacks: 2 }

describe('the closing lines of a run', () => {
  test('count the check as one test', () => {
    expect(summaryOf(tier(GOOD))).toEqual({ failures: [], line: '4 passed, 0 failed', ok: true })
    expect(summaryOf(tier(GOOD), null, false)).toEqual({ failures: [], line: '3 passed, 1 failed', ok: false })
  })

  test('name failed tests and files that did not load, and count them', () => {
    const failures = [
      ...['failed in the full run: a › a 1', '    a is wrong', '      by one'],
      ...['failed in the full run: c › did not load', '    no such module'],
    ]
    const bad = tier(reportOf(...BAD.testResults, suite('c', [], 'no such module')))
    expect(summaryOf(bad)).toEqual({ failures, line: '3 passed, 2 failed', ok: false })
  })

  test('add the tiers up; one that failed spoils the others', () => {
    expect(summarise(true, [tier(GOOD), tier(GOOD)], null)).toMatchObject({ line: '7 passed, 0 failed', ok: true })
    expect(summarise(true, [tier(GOOD), tier(null)], null)).toMatchObject({ line: '4 passed, 1 failed', ok: false })
    expect(summarise(true, [], null).ok).toBe(false)
  })

  test.each<[string, Report | null, boolean]>([
    ['no report was written', null, false],
    ['the run was cut short after its last test', GOOD, false],
    ['no test ran at all', reportOf(), true],
    ['the run calls itself unsuccessful without naming a test', { ...GOOD, success: false }, true],
  ])('call it a failure when %s', (_case, report, endedWell) => {
    expect(summaryOf(tier(report, endedWell))).toMatchObject({ ok: false, line: expect.stringMatching(/^\d+ passed, 1 failed$/) })
  })

  test('count a file by its repeat, and list the failures of both runs', () => {
    const failedAt = (heading: string) => [`${heading}: a › a 1`, '    a is wrong', '      by one']
    const passedAlone = run(reportOf(suite('a', ['passed', 'passed'])))
    expect(summaryOf(tier(BAD), passedAlone)).toEqual({
      failures: [...failedAt('failed in the full run'), 'passed alone: a'],
      line: '4 passed, 0 failed',
      ok: true,
    })
    expect(summaryOf(tier(BAD), run(reportOf(suite('a', ['passed', 'failed']))))).toEqual({
      failures: [...failedAt('failed in the full run'), ...failedAt('failed alone'), 'did not pass alone: a'],
      line: '3 passed, 1 failed',
      ok: false,
    })
  })

  test.each<[string, Run]>([
    ['left no report', run(null)],
    ['left the file out', run(reportOf())],
    ['did not end well', run(reportOf(suite('a', ['passed', 'passed'])), false)],
  ])('call it a failure when the repeat %s', (_case, repeat) => {
    expect(summaryOf(tier(BAD), repeat)).toMatchObject({ ok: false, line: expect.stringMatching(/ 1 failed$/) })
  })

  test.each([
    ['0', true],
    ['1', false],
  ])('read a report with the end of its run: code %s', (code, endedWell) => {
    expect(readRun(reportFile(GOOD), code)).toEqual({ report: GOOD, endedWell })
  })

  test.each(['124', '137', ''])('do not read the report of a run that went wrong: code %s', (code) => {
    expect(readRun(reportFile(BAD), code)).toEqual({ report: null, endedWell: false })
  })

  test('give what each tier used, their sum and the slowest files', () => {
    const slow = { ...tier(reportOf(suite('slow', ['passed'], '', 9))), usage: USAGE }
    const other = { ...tier(GOOD, true, 'test:long'), usage: { ...USAGE, stacks: 3 } }
    expect(describeUsage([slow, other])).toEqual([
      ...['test: 61 s, 100 processor-seconds, 2 stacks started', 'test:long: 61 s, 100 processor-seconds, 3 stacks started'],
      ...['all tiers: 122 s, 199 processor-seconds, 5 stacks started', '9 s slow', '1 s a', '1 s b'],
    ])
  })

  test('are printed last, and the exit code says the same', () => {
    const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')]
    writeFileSync(good, JSON.stringify(GOOD))
    writeFileSync(bad, JSON.stringify(BAD))
    const ci = (...given: string[]) => spawnSync(process.execPath, ['.ci/summary.ts', ...given], { cwd: ROOT, encoding: 'utf8' })
    const tierOf = (name: string, report: string, code: string) => [name, report, code, '']
    const [first, second] = [tierOf('test', good, '0'), tierOf('test:long', good, '0')]
    expect(ci('sum', '0', 'none', 'none', ...first, ...second)).toMatchObject({
      stdout: expect.stringMatching(/\n7 passed, 0 failed\n$/),
      status: 0,
    })
    const cutShort = tierOf('test:long', good, '1')
    expect(ci('sum', '0', 'none', 'none', ...first, ...cutShort)).toMatchObject({
      stdout: expect.stringMatching(/\n7 passed, 1 failed\n$/),
      status: 1,
    })
    const failed = tierOf('test:long', bad, '1')
    expect(ci('failed', ...first, ...failed)).toMatchObject({ stdout: 'test:long a\n' })
    expect(ci('sum', '1', good, '0', ...failed)).toMatchObject({ stdout: expect.stringMatching(/\n3 passed, 1 failed\n$/), status: 1 })
  })
})

describe('the file to repeat', () => {
  const long = (report: Report | null, endedWell?: boolean) => tier(report, endedWell, 'test:long')

  test('is the only one that failed in all tiers', () => {
    expect(fileToRepeat([tier(GOOD), long(BAD)])).toEqual({ script: 'test:long', file: 'a' })
    expect(fileToRepeat([tier(BAD), long(BAD)])).toBeNull()
    expect(fileToRepeat([tier(reportOf(suite('a', ['failed']), suite('b', ['failed']))), long(GOOD)])).toBeNull()
    expect(fileToRepeat([tier(GOOD), long(GOOD)])).toBeNull()
  })

  test('is none if a tier left no report or ended badly without a failed file', () => {
    expect(fileToRepeat([tier(BAD), long(null)])).toBeNull()
    expect(fileToRepeat([tier(BAD), long(GOOD, false)])).toBeNull()
  })
})

test('what a command used counts its children, also one that outlives its parent', () => {
  const [file, done] = [join(folder, 'usage.json'), join(folder, 'done')]
  const burn = (seconds: number) => `while (process.cpuUsage().user < ${seconds}e6) for (let i = 0; i < 1e7; i++);`
  // Both live for several samples before the one ends and the other works.
  const rest = (milliseconds: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`
  const orphan = `${rest(2_000)} ${burn(0.8)} fs.writeFileSync(${JSON.stringify(done)}, '')`
  const parent = `child_process.spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], { detached: true }).unref(); ${rest(1_500)} process.exit()`
  const command = ['bash', '-c', 'node -e "$0"; until [ -e "$1" ]; do sleep 0.1; done', parent, done]
  spawnSync(process.execPath, ['.ci/measure.ts', file, ...command], { cwd: ROOT, timeout: 60_000 })
  // The parent and the shell take about a quarter of a second; the end of the orphan falls between two samples.
  const usage = JSON.parse(readFileSync(file, 'utf8')) as Usage
  expect(usage.processorSeconds).toBeGreaterThan(0.6)
  expect(usage.stacks).toBe(0)
})

test('what a command used counts the child that an orphan waited for just before its own end', () => {
  const [file, done] = [join(folder, 'nested.json'), join(folder, 'nested-done')]
  const burn = 'while (process.cpuUsage().user < 1.5e6) for (let i = 0; i < 1e7; i++);'
  const orphan = `child_process.spawnSync(process.execPath, ['-e', ${JSON.stringify(burn)}]); fs.writeFileSync(${JSON.stringify(done)}, '')`
  const rest = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);'
  const parent = `child_process.spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], { detached: true }).unref(); ${rest} process.exit()`
  const command = ['bash', '-c', 'node -e "$0"; until [ -e "$1" ]; do sleep 0.1; done', parent, done]
  spawnSync(process.execPath, ['.ci/measure.ts', file, ...command], { cwd: ROOT, timeout: 60_000 })
  // The end of the child falls between two samples.
  expect((JSON.parse(readFileSync(file, 'utf8')) as Usage).processorSeconds).toBeGreaterThan(1.2)
})

describe('the run itself', () => {
  test('can be started, and has no errors a shell would find', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111)
    expect(spawnSync('bash', ['-n', '.ci/run'], { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('runs the check, and the test command that the README gives', () => {
    expect(read('.ci/run')).toContain('npm run --silent check')
    expect(read('.ci/run')).toMatch(/^tier test \d+ npm test$/m)
    expect(read('.ci/run')).toMatch(/^tier test:timing \d+ npm run test:timing$/m)
    expect(read('.ci/run')).toMatch(/^TURNS_OF_COMMIT=.* tier test:long \d+ npm run test:long$/m)
    expect(read('README.md')).toContain('npm ci && npm test')
  })

  test('the check covers format, lint rules, the direction of imports, what is unused, and types', () => {
    expect(manifest().scripts.check).toBe(
      'node client/generate/main.ts && biome ci . && node test/repository/directions.ts && knip --no-config-hints && tsc --noEmit',
    )
    for (const name of ['test', 'test:rules', 'test:long', 'test:timing']) expect(manifest().scripts[name]).toMatch(/^jest/)
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
  test('run every test file once, in npm test, npm run test:long or npm run test:timing', async () => {
    const [fast, long, timing] = await Promise.all([listTests('test'), listTests('test:long'), listTests('test:timing')])
    expect([...fast, ...long, ...timing].sort()).toEqual(suites)
    expect(long.filter((path) => !path.startsWith('test/long/'))).toEqual([])
    expect(timing.filter((path) => !path.startsWith('test/timing/'))).toEqual([])
  })

  test('import every module of cases, and what its modules share, in one test file', () => {
    const importers = (module: string, ending: string): string[] =>
      files().filter((path) => path.endsWith(ending) && dirname(path) === dirname(module) && read(path).includes(`'./${basename(module)}'`))
    const modules = files().filter((path) => path.endsWith('.cases.ts'))
    expect(modules.length).toBeGreaterThan(10)
    expect(modules.filter((module) => importers(module, '.test.ts').length !== 1)).toEqual([])
  })

  test('have no file of more than 600 lines', () => {
    const isTest = (path: string) => path.startsWith('test/') && path.endsWith('.ts')
    expect(files().filter((path) => isTest(path) && read(path).split('\n').length > 601)).toEqual([])
  })

  test('npm run test:rules is a part of npm test and uses no helper that starts a database, a chain or an engine', async () => {
    const [fast, rules] = await Promise.all([listTests('test'), listTests('test:rules')])
    const folders = ['activities/verification', 'domain', 'repository', 'schemas'].map((folder) => `test/${folder}/`)
    expect(rules.sort()).toEqual(fast.filter((path) => folders.some((folder) => path.startsWith(folder))).sort())
    expect(rules.filter((path) => /from '[^']*\/(env|support\/(?!fixture-run|cases\/)[^']*)\.ts'/.test(read(path)))).toEqual([])
  })
})

test('each prefix in the table of slow suites is the first that matches some test file', () => {
  const prefixes = [...read('test/turns.ts').matchAll(/\['(test\/[^']+)', \d+\]/g)].map(([, prefix = '']) => prefix)
  const used = new Set(suites.map((path) => prefixes.find((prefix) => path.startsWith(prefix))))
  expect(prefixes).not.toEqual([])
  expect(prefixes.filter((prefix) => !used.has(prefix))).toEqual([])
})

describe('the turns of slow test files', () => {
  const COMMITS = Array.from({ length: 40 }, (_none, index) => `commit ${index}`)
  const LONG = files()
    .filter((path) => /^test\/long\/.*\.test\.ts$/.test(path))
    .map((path) => ({ path: join(ROOT, path), context: { config: { rootDir: ROOT } } }))
  const STORM = LONG.find(({ path }) => path.endsWith('storm.test.ts'))
  const FAST = { path: join(ROOT, 'test/long/client/pack.test.ts'), context: { config: { rootDir: ROOT } } }

  test('are the same at the same commit, and come to every file', () => {
    expect(inTurn(LONG, 'one')).toEqual(inTurn([...LONG].reverse(), 'one').reverse())
    expect(new Set(COMMITS.flatMap((commit) => inTurn(LONG, commit)))).toEqual(new Set(LONG))
  })

  test('leave fast files in every run, and slow ones out of most', () => {
    const withStorm = COMMITS.filter((commit) => STORM !== undefined && inTurn(LONG, commit).includes(STORM))
    expect(withStorm.length).toBeGreaterThan(3)
    expect(withStorm.length).toBeLessThan(30)
    for (const commit of COMMITS) expect(inTurn([...LONG, FAST], commit)).toContain(FAST)
  })
})
