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

export interface Verdict {
  line: string
  ok: boolean
}

/** Counts the check as one test; a test file that did not load, a missing report and a bad end of the run count as failures. */
export const summarise = (report: Report | null, checkPassed: boolean, runEndedWell: boolean): Verdict => {
  const failedTests = (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0)
  const ranWell = runEndedWell && report?.success === true && report.numTotalTests > 0
  const unexplained = !ranWell && failedTests === 0 ? 1 : 0
  const passed = (report?.numPassedTests ?? 0) + (checkPassed ? 1 : 0)
  const failed = failedTests + unexplained + (checkPassed ? 0 : 1)
  return { line: `${passed} passed, ${failed} failed`, ok: failed === 0 }
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
  const [path = '', checkCode, testCode] = process.argv.slice(2)
  const { line, ok } = summarise(readReport(path), checkCode === '0', testCode === '0')
  console.log(line)
  process.exitCode = ok ? 0 : 1
}
