import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** One test file in jest's JSON report. */
export interface Suite {
  /** Absolute path. */
  name: string
  status: 'passed' | 'failed' | 'skipped' | 'focused'
  /** Why the file could not be loaded; otherwise the failures as text. */
  message: string
  assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] | null }[]
}

/** The members of jest's JSON report that say how a run went. */
export interface Report {
  success: boolean
  numTotalTests: number
  testResults: readonly Suite[]
}

/** One run of tests: what it reported, if anything, and whether its command ended well. */
export interface Run {
  report: Report | null
  endedWell: boolean
}

/** A run of a tier, and the run of its failed test files alone, where there was one. */
export interface Tier {
  first: Run
  alone: Run | null
}

/** Most failed files that are run alone. If more fail, other tests beside them are not the cause. */
const MAX_RUN_ALONE = 5

const failedSuites = ({ report }: Run): readonly Suite[] => (report?.testResults ?? []).filter(({ status }) => status === 'failed')

/** Paths of the failed test files to run alone; none if there are too many. */
export const filesToRunAlone = (run: Run): string[] => {
  const failed = failedSuites(run).map(({ name }) => name)
  return failed.length <= MAX_RUN_ALONE ? failed : []
}

const countOf = (suites: readonly Suite[], status: string): number =>
  suites.flatMap(({ assertionResults }) => assertionResults).filter((result) => result.status === status).length
/** Files that failed without a failed test: they did not load. */
const countUnloaded = (suites: readonly Suite[]): number =>
  suites.filter((suite) => suite.status === 'failed' && countOf([suite], 'failed') === 0).length

/** Passed and failed tests of a run. A test file that did not load, a missing report and a bad end count as failures. */
const counts = ({ report, endedWell }: Run): { passed: number; failed: number } => {
  const suites = report?.testResults ?? []
  const failed = countOf(suites, 'failed') + countUnloaded(suites)
  const ranWell = endedWell && report?.success === true && report.numTotalTests > 0
  return { passed: countOf(suites, 'passed'), failed: !ranWell && failed === 0 ? 1 : failed }
}

/** A tier with its failed files replaced by their run alone. */
const replaceByRunAlone = ({ first, alone }: Tier): Run => {
  const rerunSuites = new Map(alone?.report?.testResults.map((suite) => [suite.name, suite]))
  if (first.report === null || alone === null || !filesToRunAlone(first).every((name) => rerunSuites.has(name))) return first
  const testResults = first.report.testResults.map((suite) => rerunSuites.get(suite.name) ?? suite)
  return { report: { ...first.report, success: alone.report?.success === true, testResults }, endedWell: alone.endedWell }
}

/** Lines of a failure that are shown: its message, without the stack. */
const SHOWN_LINES = 12

const formatFailures = (heading: string, suites: readonly Suite[]): string[] =>
  suites.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const entries = failed.length > 0 ? failed.map((test) => [test.fullName, test.failureMessages?.[0] ?? '']) : [['did not load', message]]
    return entries.flatMap(([what = '', why = '']) => {
      const lines = why.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
      return [`${heading}: ${relative('', name)} › ${what}`, ...lines.slice(0, SHOWN_LINES).map((line) => `    ${line}`)]
    })
  })

/**
 * The closing lines of a whole run: each failure, and last the sum. A test file that failed in the full run and passed alone counts as
 * passed, and its failures are listed all the same. Counts the check as one test.
 */
export const summarise = (checkPassed: boolean, tiers: readonly Tier[]) => {
  const sums = tiers.map((tier) => counts(replaceByRunAlone(tier)))
  const passed = sums.reduce((total, one) => total + one.passed, checkPassed ? 1 : 0)
  const failed = sums.reduce((total, one) => total + one.failed, checkPassed ? 0 : 1)
  const failures = tiers.flatMap(({ first, alone }) => {
    const inFullRun = formatFailures('failed in the full run', failedSuites(first))
    if (alone === null) return inFullRun
    const word = alone.endedWell ? 'passed' : 'did not pass'
    const outcomes = filesToRunAlone(first).map((name) => `${word} alone: ${relative('', name)}`)
    return [...inFullRun, ...formatFailures('failed alone', failedSuites(alone)), ...outcomes]
  })
  return { failures, line: `${passed} passed, ${failed} failed`, ok: failed === 0 && tiers.length > 0 }
}

const readRun = (path: string, code: string): Run => {
  try {
    return { report: JSON.parse(readFileSync(path, 'utf8')) as Report, endedWell: code === '0' }
  } catch (error) {
    console.error(`the tests left no report: ${error instanceof Error ? error.message : String(error)}`)
    return { report: null, endedWell: false }
  }
}

if (import.meta.main) {
  const [command, ...given] = process.argv.slice(2)
  if (command === 'alone') for (const path of filesToRunAlone(readRun(given[0] ?? '', '0'))) console.log(path)
  if (command === 'sum') {
    const [checkCode, ...rest] = given
    const tiers: Tier[] = []
    for (let index = 0; index < rest.length; index += 4) {
      const [path = '', code = '', alonePath = '', aloneCode = ''] = rest.slice(index, index + 4)
      tiers.push({ first: readRun(path, code), alone: aloneCode === 'none' ? null : readRun(alonePath, aloneCode) })
    }
    const { failures, line, ok } = summarise(checkCode === '0', tiers)
    for (const failure of failures) console.log(failure)
    console.log(line)
    process.exitCode = ok ? 0 : 1
  }
}
