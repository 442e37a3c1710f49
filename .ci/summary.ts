import { readFileSync } from 'node:fs'

/** The members of jest's JSON report that say how a run went. */
export interface Report {
  success: boolean
  numTotalTests: number
  numPassedTests: number
  numFailedTests: number
  /** Test files that could not even be loaded. */
  numRuntimeErrorTestSuites: number
}

/** One run of tests: what it reported, if anything, and whether its command ended well. */
export interface Run {
  report: Report | null
  endedWell: boolean
}

/** A test file that did not load, a missing report and a bad end count as failures. */
const failuresOf = ({ report, endedWell }: Run): number => {
  const failed = (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0)
  const ranWell = endedWell && report?.success === true && report.numTotalTests > 0
  return !ranWell && failed === 0 ? 1 : failed
}

/** Counts the check as one test. */
export const summarise = (checkPassed: boolean, runs: readonly Run[]) => {
  const sum = (count: (run: Run) => number): number => runs.reduce((total, run) => total + count(run), 0)
  const passed = sum(({ report }) => report?.numPassedTests ?? 0) + (checkPassed ? 1 : 0)
  const failed = sum(failuresOf) + (checkPassed ? 0 : 1)
  return { line: `${passed} passed, ${failed} failed`, ok: failed === 0 && runs.length > 0 }
}

const readReport = (path: string): Report | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch (error) {
    console.error(`the tests left no report: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

if (import.meta.main) {
  const [checkCode, ...given] = process.argv.slice(2)
  const runs: Run[] = []
  for (let index = 0; index < given.length; index += 2)
    runs.push({ report: readReport(given[index] ?? ''), endedWell: given[index + 1] === '0' })
  const { line, ok } = summarise(checkCode === '0', runs)
  console.log(line)
  process.exitCode = ok ? 0 : 1
}
