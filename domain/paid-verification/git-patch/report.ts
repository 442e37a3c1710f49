/** A cancelled test ended with its process or its suite. */
type TestStatus = 'passed' | 'failed' | 'skipped' | 'cancelled'
const STATUSES: readonly unknown[] = ['passed', 'failed', 'skipped', 'cancelled']

/** One line of the judge's reporter, without its nonce. */
interface ReportedTest {
  readonly name: string
  readonly nesting: number
  /** Absolute path of the file that declares the test. */
  readonly file: string
  readonly status: TestStatus
}

/** What a run reported. */
export interface TestReport {
  /** Status by file, suites and name; the second test of one name has `#2`. */
  readonly tests: Readonly<Record<string, TestStatus>>
  /** Status of the judge's own test, by the file in whose process it ran. */
  readonly sentinels: Readonly<Record<string, TestStatus>>
  /** Files that failed as a whole, so that their tests were not reported. */
  readonly failedFiles: readonly string[]
  /** Lines that are not the reporter's. */
  readonly strangeLines: number
}

const isReportedTest = (value: unknown): value is ReportedTest => {
  if (typeof value !== 'object' || value === null) return false
  const { name, nesting, file, status } = value as Partial<Record<keyof ReportedTest, unknown>>
  const isText = typeof name === 'string' && typeof file === 'string'
  return isText && Number.isSafeInteger(nesting) && STATUSES.includes(status)
}

const parseLine = (line: string, nonce: string): ReportedTest | null => {
  if (!line.startsWith(`${nonce} `)) return null
  try {
    const value: unknown = JSON.parse(line.slice(nonce.length + 1))
    return isReportedTest(value) ? value : null
  } catch {
    return null
  }
}

const relativeTo = (root: string, file: string): string => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file)

/** Tests with their suites in front. A suite is reported after its tests. */
const withSuites = (reported: readonly ReportedTest[]): { path: string[]; test: ReportedTest }[] => {
  const open: { path: string[]; test: ReportedTest }[] = []
  for (const test of reported) {
    for (const one of open.toReversed()) {
      if (one.test.file !== test.file || one.path.length > one.test.nesting - test.nesting) break
      one.path.unshift(test.name)
    }
    open.push({ path: [test.name], test })
  }
  return open
}

export interface ReportSource {
  /** Secret word in front of each line of the reporter. */
  readonly nonce: string
  /** Name of the judge's own test. The file follows it. */
  readonly sentinel: string
  /** Folder in which the tests ran. */
  readonly root: string
}

/** Reads what the judge's reporter wrote. A line without the nonce is no report. */
export const parseReport = (text: string, { nonce, sentinel, root }: ReportSource): TestReport => {
  const lines = text.split('\n').filter((line) => line !== '')
  const parsed = lines.map((line) => parseLine(line, nonce))
  const reported = parsed.filter((test) => test !== null)
  const sentinels: Record<string, TestStatus> = Object.create(null)
  const tests: Record<string, TestStatus> = Object.create(null)
  const own = reported.filter(({ name }) => name.startsWith(`${sentinel} `))
  for (const { name, status } of own) sentinels[relativeTo(root, name.slice(sentinel.length + 1))] = status
  // The runner reports a file that reported no tests as a test with its path.
  const isFile = ({ name, nesting, file }: ReportedTest): boolean => nesting === 0 && (name === file || `${root}/${name}` === file)
  const failedFiles = reported.filter((one) => isFile(one) && one.status === 'failed').map(({ file }) => relativeTo(root, file))
  for (const { path, test } of withSuites(reported.filter((one) => !one.name.startsWith(`${sentinel} `) && !isFile(one)))) {
    const name = [relativeTo(root, test.file), ...path].join(' > ')
    let unique = name
    for (let count = 2; unique in tests; count += 1) unique = `${name} #${count}`
    tests[unique] = test.status
  }
  return { tests, sentinels, failedFiles: failedFiles.sort(), strangeLines: parsed.length - reported.length }
}
