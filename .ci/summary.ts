import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Usage } from './measure.ts'

/** One test file in jest's JSON report. */
export interface Suite {
  /** Absolute path. */
  name: string
  status: 'passed' | 'failed' | 'skipped' | 'focused'
  /** Why the file could not be loaded; otherwise the failures as text. */
  message: string
  /** Epoch ms. */
  startTime: number
  endTime: number
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

/** The run of the tests of one script of package.json, and what it used, where that was measured. */
export interface Tier extends Run {
  name: string
  usage: Usage | null
}

const failedSuites = ({ report }: Run): readonly Suite[] => (report?.testResults ?? []).filter(({ status }) => status === 'failed')

/** The script and the path of the failed test file to repeat: only if it is the one thing that failed. */
export const fileToRepeat = (tiers: readonly Tier[]): { script: string; file: string } | null => {
  const failed = tiers.flatMap((tier) => failedSuites(tier).map((suite) => ({ script: tier.name, file: suite.name })))
  const [only] = failed
  const isReported = tiers.every((tier) => tier.report !== null && (tier.endedWell || failedSuites(tier).length > 0))
  return isReported && failed.length === 1 && only !== undefined ? only : null
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

/** A tier with its failed file replaced by the repeat of that file. */
const replaceByRepeat = (tier: Tier, script: string, repeat: Run): Run => {
  const [repeated] = repeat.report?.testResults ?? []
  if (tier.name !== script || tier.report === null || repeated === undefined) return tier
  const testResults = tier.report.testResults.map((suite) => (suite.status === 'failed' ? repeated : suite))
  return { report: { ...tier.report, success: repeat.report?.success === true, testResults }, endedWell: repeat.endedWell }
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

const formatUsage = (name: string, { seconds, processorSeconds, stacks }: Usage): string =>
  `${name}: ${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} processor-seconds, ${stacks} stacks started`

const SHOWN_FILES = 10

const slowestFiles = (tiers: readonly Tier[]): string[] =>
  tiers
    .flatMap(({ report }) => report?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, SHOWN_FILES)
    .map(({ name, seconds }) => `${seconds.toFixed(0)} s ${relative('', name)}`)

/** What each tier used, their sum, and the slowest files. */
export const describeUsage = (tiers: readonly Tier[]): string[] => {
  const measured = tiers.flatMap(({ name, usage }) => (usage === null ? [] : [{ name, usage }]))
  const sum = (member: keyof Usage): number => measured.reduce((total, { usage }) => total + usage[member], 0)
  const whole = { seconds: sum('seconds'), processorSeconds: sum('processorSeconds'), stacks: sum('stacks') }
  return [...measured.map(({ name, usage }) => formatUsage(name, usage)), formatUsage('all tiers', whole), ...slowestFiles(tiers)]
}

/**
 * The closing lines of a whole run: each failure, and last the sum. One test file that failed in the full run and passed alone counts as
 * passed, and its failure is listed all the same. Counts the check as one test.
 */
export const summarise = (checkPassed: boolean, tiers: readonly Tier[], repeat: Run | null) => {
  const toRepeat = fileToRepeat(tiers)
  const sums = tiers.map((tier) => counts(repeat === null || toRepeat === null ? tier : replaceByRepeat(tier, toRepeat.script, repeat)))
  const passed = sums.reduce((total, one) => total + one.passed, checkPassed ? 1 : 0)
  const failed = sums.reduce((total, one) => total + one.failed, checkPassed ? 0 : 1)
  const failures = tiers.flatMap((tier) => formatFailures('failed in the full run', failedSuites(tier)))
  if (repeat !== null && toRepeat !== null) {
    failures.push(...formatFailures('failed alone', failedSuites(repeat)))
    failures.push(`${repeat.endedWell ? 'passed' : 'did not pass'} alone: ${relative('', toRepeat.file)}`)
  }
  return { failures, line: `${passed} passed, ${failed} failed`, ok: failed === 0 && tiers.length > 0 }
}

/** Code 1 says that tests failed. Any other says that the run itself went wrong, and its report does not count. */
export const readRun = (path: string, code: string): Run => {
  if (code !== '0' && code !== '1') {
    console.error(`the tests ended with code ${code}`)
    return { report: null, endedWell: false }
  }
  try {
    return { report: JSON.parse(readFileSync(path, 'utf8')) as Report, endedWell: code === '0' }
  } catch (error) {
    console.error(`the tests left no report: ${error instanceof Error ? error.message : String(error)}`)
    return { report: null, endedWell: false }
  }
}

/** Tiers as four arguments each: name, report, exit code of the command, usage. */
const readTiers = (given: readonly string[]): Tier[] => {
  const [name = '', report = '', code = '', usage = '', ...rest] = given
  if (given.length === 0) return []
  const used = existsSync(usage) ? (JSON.parse(readFileSync(usage, 'utf8')) as Usage) : null
  return [{ name, ...readRun(report, code), usage: used }, ...readTiers(rest)]
}

if (import.meta.main) {
  const [command, ...given] = process.argv.slice(2)
  if (command === 'failed') {
    const found = fileToRepeat(readTiers(given))
    if (found !== null) console.log(found.script, found.file)
  }
  if (command === 'sum') {
    const [checkCode, repeated = '', repeatCode = '', ...rest] = given
    const tiers = readTiers(rest)
    const repeat = repeatCode === 'none' ? null : readRun(repeated, repeatCode)
    const { failures, line, ok } = summarise(checkCode === '0', tiers, repeat)
    for (const text of [...failures, ...describeUsage(tiers), line]) console.log(text)
    process.exitCode = ok ? 0 : 1
  }
}
