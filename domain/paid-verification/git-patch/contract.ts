import {
  type FreezeRefusal,
  type FrozenPrivateCheck,
  MAX_CONTRACT_BYTES,
  type TestContract,
} from '../../../schemas/paid-verification/profiles/freeze.ts'
import { canonicalJson } from '../../common/canonical-json.ts'
import { sha256Of } from '../../common/hashes.ts'
import { parseTestCommand, type TestCommand } from './command.ts'
import { ALWAYS_PROTECTED, isCovered } from './paths.ts'
import type { TestReport } from './report.ts'

/** What a buyer or poster declares, before anything has run. */
export interface TestDeclaration {
  readonly repository: string
  readonly commit: string
  readonly bundleSha256: string
  readonly testCommand: readonly string[]
  /** Relative folder; `.` for the repository. */
  readonly workingDirectory: string
  readonly allowedPaths: readonly string[] | null
  readonly protectedPaths: readonly string[]
  readonly maximumChangedFiles: number
  readonly needsNetwork: boolean
  /** Systems outside the repository that the tests imitate, with the hash of the recorded inputs. */
  readonly mockedSystems: readonly { readonly name: string; readonly inputsSha256: string | null }[]
  /** Tests that must fail on the base and pass with the patch; null: those that fail on the base. */
  readonly targetedTests: readonly string[] | null
  /** Tests that must pass on both; null: those that pass on the base. */
  readonly regressionTests: readonly string[] | null
  readonly privateChecks: readonly FrozenPrivateCheck[]
  /** Whether money moves on a passing result alone, and how sure a result is then: 2 is two agreeing runs with a sentinel. */
  readonly paysOnPass: boolean
  readonly assuranceLevel: number
}

/** What two runs on the untouched base showed; null without a readable report. */
export type BaseObservation = readonly (TestReport | null)[]

const LEAST_ASSURANCE = 2
const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort()
const namesWith = (report: TestReport, status: string): string[] =>
  Object.keys(report.tests).filter((name) => report.tests[name] === status)
const sameRecord = (left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean =>
  Object.keys(left).length === Object.keys(right).length && Object.entries(left).every(([name, status]) => right[name] === status)

/** Whether two runs reported the same tests with the same results. */
export const agree = (left: TestReport, right: TestReport): boolean =>
  sameRecord(left.tests, right.tests) &&
  sameRecord(left.sentinels, right.sentinels) &&
  left.failedFiles.join('\0') === right.failedFiles.join('\0')

/** Test file in the name of a test. */
export const fileOf = (name: string): string => name.split(' > ')[0] ?? ''

/** Files whose tests were reported, as in the names of the tests. */
const filesOf = ({ tests }: TestReport): string[] => sorted(Object.keys(tests).map(fileOf))

/** Whether the judge's own test ran in the process of each test file, and failed there. */
const hasSentinels = (report: TestReport): boolean => filesOf(report).every((file) => report.sentinels[file] === 'failed')

const placed = (folder: string, path: string): string => (folder === '.' ? path : `${folder}/${path}`)

/** What a declaration alone shows. */
const findDeclaredRefusals = (declared: TestDeclaration, command: TestCommand | string): FreezeRefusal[] => {
  const refusals: FreezeRefusal[] = []
  const targeted = new Set(declared.targetedTests ?? [])
  const guarded = [...ALWAYS_PROTECTED, ...declared.protectedPaths]
  if (typeof command === 'string') refusals.push('command_not_supported')
  else if (!command.judging.every((path) => isCovered(placed(declared.workingDirectory, path), guarded)))
    refusals.push('judging_file_unprotected')
  if (declared.needsNetwork) refusals.push('needs_network')
  if (declared.mockedSystems.some(({ inputsSha256 }) => inputsSha256 === null)) refusals.push('mock_without_inputs')
  if (declared.targetedTests?.length === 0) refusals.push('no_differential_check')
  if (declared.regressionTests?.some((name) => targeted.has(name))) refusals.push('targeted_check_passes_on_base')
  if (declared.privateChecks.some(({ required, sha256 }) => required && sha256 === null)) refusals.push('private_check_without_hash')
  if (declared.paysOnPass && declared.assuranceLevel < LEAST_ASSURANCE) refusals.push('assurance_too_low')
  return refusals
}

/** What two runs on the base show. A check that passes there proves nothing about a patch. */
const findObservedRefusals = ({ targetedTests, regressionTests }: TestDeclaration, [first, second]: BaseObservation): FreezeRefusal[] => {
  if (!first || !second) return ['cannot_be_built']
  // A file that fails as a whole reports no names: only declared ones can be frozen then.
  const declaredFiles = new Set(targetedTests?.map(fileOf))
  const isUnnamed = first.failedFiles.some((file) => !declaredFiles.has(file))
  if (isUnnamed || Object.keys(first.tests).length + first.failedFiles.length === 0) return ['cannot_be_built']
  if (!agree(first, second)) return ['base_not_repeatable']
  const refusals: FreezeRefusal[] = []
  const fails = (name: string): boolean => first.tests[name] === 'failed' || first.failedFiles.includes(fileOf(name))
  if (!hasSentinels(first)) refusals.push('sentinel_missing')
  if (targetedTests === null && namesWith(first, 'failed').length === 0) refusals.push('no_differential_check')
  if (targetedTests?.some((name) => first.tests[name] === 'passed')) refusals.push('targeted_check_passes_on_base')
  if (targetedTests?.some((name) => first.tests[name] !== 'passed' && !fails(name))) refusals.push('no_differential_check')
  if (regressionTests?.some((name) => first.tests[name] !== 'passed')) refusals.push('regression_red_on_base')
  return refusals
}

/** Whether each private check reported tests on the base, or failed as a whole there: it may need what the patch brings. */
const canBeRun = (checks: readonly FrozenPrivateCheck[], report: TestReport | null): boolean => {
  if (report === null) return false
  const files = new Set([...filesOf(report), ...report.failedFiles])
  return checks.every(({ path, sha256 }) => sha256 === null || files.has(path))
}

/**
 * The contract that a declaration and its runs on the base make, or every reason why there is none. `base` is null for a command that
 * cannot be run; `privateRun` is what the private checks
 * reported on the base; undefined where they were not run.
 */
export const freezeContract = (
  declared: TestDeclaration,
  base: BaseObservation | null,
  privateRun?: TestReport | null,
): TestContract | FreezeRefusal[] => {
  const command = parseTestCommand(declared.testCommand)
  const refusals = [
    ...new Set([
      ...findDeclaredRefusals(declared, command),
      ...(base === null ? [] : findObservedRefusals(declared, base)),
      ...(privateRun !== undefined && !canBeRun(declared.privateChecks, privateRun) ? (['private_check_cannot_be_run'] as const) : []),
    ]),
  ]
  const [report] = base ?? []
  if (refusals.length > 0 || typeof command === 'string' || !report) return refusals
  const terms: TestContract['terms'] = {
    version: 1,
    repository: declared.repository,
    commit: declared.commit,
    bundleSha256: declared.bundleSha256,
    options: command.options,
    files: command.files,
    workingDirectory: declared.workingDirectory,
    allowedPaths: declared.allowedPaths === null ? null : sorted(declared.allowedPaths),
    protectedPaths: sorted([...ALWAYS_PROTECTED, ...declared.protectedPaths]),
    maximumChangedFiles: declared.maximumChangedFiles,
    mockedSystems: declared.mockedSystems.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    targetedTests: sorted(declared.targetedTests ?? namesWith(report, 'failed')),
    regressionTests: sorted(declared.regressionTests ?? namesWith(report, 'passed')),
    skippedTests: sorted(namesWith(report, 'skipped')),
    privateChecks: declared.privateChecks
      .map(({ id, sha256, path, required }) => ({ id, sha256, path, required }))
      .sort((left, right) => (left.id < right.id ? -1 : 1)),
    assuranceLevel: declared.assuranceLevel,
    network: 'none',
    repetitions: 2,
  }
  if (Buffer.byteLength(canonicalJson(terms)) > MAX_CONTRACT_BYTES) return ['contract_too_large']
  return { contractState: 'frozen', contractDigestAlgorithm: 'sha-256', contractDigest: sha256Of(terms).slice('0x'.length), terms }
}
