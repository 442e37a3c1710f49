import type { FrozenPrivateCheck, TestContract } from '../../../schemas/paid-verification/profiles/freeze.ts'
import type { SandboxOutcome } from '../../../schemas/sandbox/spec.ts'
import type { Violation } from './changes.ts'
import { agree, fileOf } from './contract.ts'
import type { TestReport } from './report.ts'

/** What a patch deserves. */
type PatchVerdict = 'PASS' | 'FAIL' | 'POLICY_VIOLATION' | 'INCONCLUSIVE'
const EXIT_CODES: Readonly<Record<PatchVerdict, number>> = { PASS: 0, FAIL: 1, POLICY_VIOLATION: 2, INCONCLUSIVE: 3 }
/** The first that a run gives reason for is its verdict. */
const PRECEDENCE: readonly PatchVerdict[] = ['POLICY_VIOLATION', 'INCONCLUSIVE', 'FAIL', 'PASS']

/** Whose fault it is that there is no verdict. None is a penalty for the worker. */
export type InconclusiveCause = 'infrastructure' | 'contract' | 'candidate' | 'verifier'

/** One reason for a verdict. */
export interface Finding {
  readonly verdict: PatchVerdict
  readonly code: string
  readonly cause: InconclusiveCause | null
  /** A test, file or path; null if it concerns the whole run. */
  readonly subject: string | null
}

/** One run of the tests with the patch. */
export interface CandidateRun {
  readonly outcome: SandboxOutcome
  /** Exit code of the test command; null unless it exited. */
  readonly exitCode: number | null
  readonly report: TestReport
}

/** Exit code of a test run in which the judge's own test failed, as it must. */
const TESTS_FAILED = 1

const finding = (verdict: PatchVerdict, code: string, subject: string | null = null, cause: InconclusiveCause | null = null): Finding => ({
  verdict,
  code,
  cause,
  subject,
})

const findInReport = ({ exitCode, report }: CandidateRun, { terms }: TestContract): Finding[] => {
  const required = [...terms.targetedTests, ...terms.regressionTests]
  const files = new Set(required.map(fileOf))
  const known = new Set([...required, ...terms.skippedTests])
  return [
    ...(report.strangeLines > 0 ? [finding('POLICY_VIOLATION', 'report_forged')] : []),
    // The judge's own test passes where assertions no longer fail.
    ...Object.keys(report.sentinels)
      .filter((file) => report.sentinels[file] === 'passed')
      .map((file) => finding('POLICY_VIOLATION', 'sentinel_passed', file)),
    ...[...files]
      .filter((file) => report.sentinels[file] !== 'failed' && report.sentinels[file] !== 'passed')
      .map((file) => finding('FAIL', 'ended_early', file)),
    ...report.failedFiles.map((file) => finding('FAIL', 'file_failed', file)),
    ...required
      .filter((name) => report.tests[name] !== 'passed')
      .map((name) => finding('FAIL', name in report.tests ? `test_${report.tests[name]}` : 'test_not_reported', name)),
    ...Object.keys(report.tests)
      .filter((name) => !known.has(name) && report.tests[name] === 'failed')
      .map((name) => finding('FAIL', 'other_test_failed', name)),
    ...(exitCode === TESTS_FAILED ? [] : [finding('FAIL', 'exit_code', String(exitCode))]),
  ]
}

const findInRun = (run: CandidateRun, contract: TestContract): Finding[] => {
  switch (run.outcome) {
    case 'exited':
      return findInReport(run, contract)
    case 'setup_failed':
      return [finding('INCONCLUSIVE', 'setup_failed', null, 'infrastructure')]
    // A bound that was reached may be the machine's fault, so it is no proof against the patch.
    default:
      return [finding('INCONCLUSIVE', run.outcome, null, 'candidate')]
  }
}

/** Private checks, of which only counts are published. */
export interface PrivateCounts {
  readonly total: number
  readonly failed: number
}

const passesPrivately = ({ path }: FrozenPrivateCheck, { tests, sentinels, failedFiles }: TestReport): boolean => {
  const statuses = Object.keys(tests).flatMap((name) => (fileOf(name) === path ? [tests[name]] : []))
  const isComplete = statuses.length > 0 && sentinels[path] === 'failed' && !failedFiles.includes(path)
  return isComplete && statuses.every((status) => status === 'passed' || status === 'skipped')
}

const PRIVATE_FAILURE = 'private_checks_failed'

/**
 * A patch that fails private checks alone is not rejected: its author cannot see them, and a check may be one that no patch passes. The run stays without a
 * result, so it takes no bond and no price.
 */
const excusePrivateFailure = (findings: readonly Finding[]): readonly Finding[] =>
  findings.some(({ verdict, code }) => verdict === 'FAIL' && code !== PRIVATE_FAILURE)
    ? findings
    : findings.map((found) => (found.code === PRIVATE_FAILURE ? { ...found, verdict: 'INCONCLUSIVE', cause: 'contract' } : found))

/** The report without tests that the contract does not name: a patch may add tests, and make their names up anew in each run. */
const onlyKnown = (report: TestReport, { terms }: TestContract): TestReport => {
  const known = new Set([...terms.targetedTests, ...terms.regressionTests, ...terms.skippedTests])
  return { ...report, tests: Object.fromEntries(Object.entries(report.tests).filter(([name]) => known.has(name))) }
}

/** How many private checks there are, and how many failed in some run. */
export const countPrivate = (checks: readonly FrozenPrivateCheck[], runs: readonly CandidateRun[]): PrivateCounts => ({
  total: checks.length,
  failed: checks.filter((check) => !runs.every(({ report }) => passesPrivately(check, report))).length,
})

/** What runs of the private checks show. No finding names a file or test of them. */
const findInPrivateRuns = (checks: readonly FrozenPrivateCheck[], runs: readonly CandidateRun[]): Finding[] => {
  const ended = runs.find(({ outcome }) => outcome !== 'exited')
  if (ended !== undefined)
    return [finding('INCONCLUSIVE', ended.outcome, null, ended.outcome === 'setup_failed' ? 'infrastructure' : 'candidate')]
  const { failed } = countPrivate(
    checks.filter(({ required }) => required),
    runs,
  )
  const [first, second] = runs
  return [
    ...(runs.some(({ report }) => report.strangeLines > 0) ? [finding('POLICY_VIOLATION', 'report_forged')] : []),
    ...(runs.some(({ report }) => Object.values(report.sentinels).includes('passed'))
      ? [finding('POLICY_VIOLATION', 'sentinel_passed')]
      : []),
    ...(first && second && !agree(first.report, second.report) ? [finding('INCONCLUSIVE', 'runs_disagree', null, 'candidate')] : []),
    ...(failed > 0 ? [finding('FAIL', PRIVATE_FAILURE, String(failed))] : []),
  ]
}

export interface PatchFacts {
  readonly contract: TestContract
  readonly violations: readonly Violation[]
  readonly runs: readonly CandidateRun[]
  /** Runs of the private checks; empty without any. */
  readonly privateRuns: readonly CandidateRun[]
}

export interface PatchJudgement {
  readonly verdict: PatchVerdict
  readonly exitCode: number
  /** Set if the verdict is INCONCLUSIVE. */
  readonly cause: InconclusiveCause | null
  /** Every reason, those of the verdict first. */
  readonly findings: readonly Finding[]
}

/** The judgement that findings give together. */
export const judgeFindings = (findings: readonly Finding[]): PatchJudgement => {
  const verdict = PRECEDENCE.find((one) => findings.some((found) => found.verdict === one)) ?? 'PASS'
  const ordered = findings.toSorted((left, right) => PRECEDENCE.indexOf(left.verdict) - PRECEDENCE.indexOf(right.verdict))
  return {
    verdict,
    exitCode: EXIT_CODES[verdict],
    cause: verdict === 'INCONCLUSIVE' ? (ordered[0]?.cause ?? 'verifier') : null,
    findings: ordered,
  }
}

/** What the changes and two runs of a patch show, by a frozen contract. The exit code alone never makes a patch pass. */
export const judgePatch = ({ contract, violations, runs, privateRuns }: PatchFacts): PatchJudgement => {
  const { repetitions, privateChecks } = contract.terms
  // A check without a hash cannot be run; it is never a required one.
  const runnable = privateChecks.filter(({ sha256 }) => sha256 !== null)
  const missing = runs.length < repetitions || (runnable.length > 0 && privateRuns.length < repetitions)
  const [first, second] = runs
  const findings = [
    ...violations.map(({ code, path }) => finding('POLICY_VIOLATION', code, path)),
    ...runs.flatMap((run) => findInRun(run, contract)),
    ...(missing && violations.length === 0 ? [finding('INCONCLUSIVE', 'too_few_runs', null, 'verifier')] : []),
    ...(first &&
    second &&
    first.outcome === 'exited' &&
    second.outcome === 'exited' &&
    !agree(onlyKnown(first.report, contract), onlyKnown(second.report, contract))
      ? [finding('INCONCLUSIVE', 'runs_disagree', null, 'candidate')]
      : []),
    ...findInPrivateRuns(runnable, privateRuns),
  ]
  return judgeFindings(excusePrivateFailure(findings))
}
