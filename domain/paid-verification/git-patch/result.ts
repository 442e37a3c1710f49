import type { JsonValue } from '../../../schemas/catalogue/job-definition.ts'
import type {
  InconclusiveReason,
  ProfileArtefact,
  ProfileCheck,
  ProfileResult,
} from '../../../schemas/paid-verification/profiles/execution.ts'
import type { TestContract } from '../../../schemas/paid-verification/profiles/freeze.ts'
import { cutText, inconclusive, resultOfChecks } from '../result.ts'
import type { Finding, PatchJudgement, PrivateCounts } from './verdict.ts'

/** What a judgement rests on. */
export interface PatchEvidence {
  readonly judgement: PatchJudgement
  readonly contract: TestContract | null
  readonly changedPaths: readonly string[]
  /** Null without private checks, or where they were not run. */
  readonly privateChecks: PrivateCounts | null
  readonly measurements: readonly object[]
  readonly environment: object | null
}

/** Stands in results by a contract that has private checks. */
const PRIVATE_CHECKS = 'private-checks'
/** Checks of the profile, with the codes of the findings that fail each. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'patch-applies': ['patch_does_not_apply'],
  'changed-paths': ['path_not_allowed', 'too_many_files'],
  'protected-paths': ['path_protected'],
  'plain-files': ['no_plain_file', 'hostile_path'],
  'tests-by-name': ['test_failed', 'test_skipped', 'test_cancelled', 'test_not_reported', 'other_test_failed', 'file_failed', 'exit_code'],
  [PRIVATE_CHECKS]: ['private_checks_failed'],
  'test-process-complete': ['ended_early'],
  'sentinel-fails': ['sentinel_passed'],
  'report-unforged': ['report_forged'],
  'runs-agree': ['runs_disagree'],
}

const MAX_LISTED = 40
const MAX_NAME = 120
const listNames = (names: readonly string[]): string[] => names.slice(0, MAX_LISTED).map((name) => cutText(name, MAX_NAME))

/** Codes only: the author of the patch writes the names of tests and paths, which stand in the evidence. */
const describe = (findings: readonly Finding[]): string => `${[...new Set(findings.map(({ code }) => code))].join(', ')}.`

/** Whether a check passed: not if a finding fails it; unknown if the judge ended before it. */
const checkOf = (id: string, codes: readonly string[], { verdict, findings }: PatchJudgement): ProfileCheck => {
  const failing = findings.filter(({ code }) => codes.includes(code))
  if (failing.length > 0)
    return { id, passed: failing.some((one) => one.verdict === 'INCONCLUSIVE') ? null : false, detail: describe(failing) }
  return verdict === 'PASS' ? { id, passed: true, detail: 'Nothing speaks against it.' } : { id, passed: null, detail: 'Not decided.' }
}

const reasonOf = ({ cause, findings }: PatchJudgement): InconclusiveReason => {
  if (cause === 'infrastructure' || cause === 'verifier') return 'runner_fault'
  return findings.some(({ code }) => code === 'runs_disagree' || code === 'base_not_repeatable') ? 'flaky' : 'ambiguous_evidence'
}

/** The result of the profile. A patch that fails or breaks a rule is rejected. */
export const patchResult = (
  { judgement, contract, changedPaths, privateChecks, measurements, environment }: PatchEvidence,
  artefacts: ProfileArtefact[],
): ProfileResult => {
  const evidence: Record<string, JsonValue> = {
    outcome: judgement.verdict,
    exitCode: judgement.exitCode,
    cause: judgement.cause,
    contractDigest: contract?.contractDigest ?? null,
    targetedTests: listNames(contract?.terms.targetedTests ?? []),
    regressionTests: contract?.terms.regressionTests.length ?? 0,
    changedPaths: listNames(changedPaths),
    changedFiles: changedPaths.length,
    findings: judgement.findings
      .slice(0, MAX_LISTED)
      .map(({ code, subject }) => ({ code, subject: subject && cutText(subject, MAX_NAME) })),
    privateChecks: privateChecks && { total: privateChecks.total, failed: privateChecks.failed },
    // Plain JSON of records without undefined members.
    runs: measurements as JsonValue,
    sandbox: environment as JsonValue,
  }
  const hasPrivate = contract !== null && contract.terms.privateChecks.length > 0
  const checks = Object.entries(CHECKS).flatMap(([id, codes]) =>
    id === PRIVATE_CHECKS && !hasPrivate ? [] : [checkOf(id, codes, judgement)],
  )
  if (judgement.verdict !== 'INCONCLUSIVE') return resultOfChecks(checks, 'ambiguous_evidence', { artefacts, evidence })
  const detail = describe(judgement.findings)
  return inconclusive(reasonOf(judgement), [...checks, { id: 'judgement', passed: null, detail }], { artefacts, evidence })
}
