import { describe, expect, test } from '@jest/globals'
import { freezeContract, type TestDeclaration } from '../../../../domain/paid-verification/git-patch/contract.ts'
import type { TestReport } from '../../../../domain/paid-verification/git-patch/report.ts'
import { patchResult } from '../../../../domain/paid-verification/git-patch/result.ts'
import { type CandidateRun, countPrivate, judgePatch, type PatchFacts } from '../../../../domain/paid-verification/git-patch/verdict.ts'
import { FREEZE_REFUSALS, type FreezeRefusal, type TestContract } from '../../../../schemas/paid-verification/profiles/freeze.ts'

const FILE = 'test/a.test.js'
const [FIXED, KEPT] = [`${FILE} > adds`, `${FILE} > is neutral`]
const reportOf = (tests: TestReport['tests'], part: Partial<TestReport> = {}): TestReport => ({
  tests,
  sentinels: { [FILE]: 'failed' },
  failedFiles: [],
  strangeLines: 0,
  ...part,
})
const BASE = reportOf({ [FIXED]: 'failed', [KEPT]: 'passed' })
const GOOD = reportOf({ [FIXED]: 'passed', [KEPT]: 'passed' })
const DECLARED: TestDeclaration = {
  repository: 'https://example.com/a.git',
  commit: 'a'.repeat(40),
  bundleSha256: 'b'.repeat(64),
  testCommand: ['node', '--test', FILE],
  workingDirectory: '.',
  allowedPaths: ['src'],
  protectedPaths: ['judge'],
  maximumChangedFiles: 10,
  needsNetwork: false,
  mockedSystems: [],
  targetedTests: null,
  regressionTests: null,
  privateChecks: [],
  paysOnPass: true,
  assuranceLevel: 2,
}
const CONTRACT = freezeContract(DECLARED, [BASE, BASE]) as TestContract
const twice = <T>(one: T): T[] => [one, one]

describe('a test contract', () => {
  test('is frozen with the tests that fail on the base, and those that pass', () => {
    expect(CONTRACT).toMatchObject({ contractState: 'frozen', terms: { targetedTests: [FIXED], regressionTests: [KEPT], network: 'none' } })
    expect(CONTRACT.contractDigest).toBe('c76e47c8ac59503d8b8b7b174136d435dde5b1dc01b7171eac127eefd11dd826')
  })

  test('has the same digest whatever order its parts are declared in', () => {
    const other = { ...DECLARED, protectedPaths: ['judge', 'judge'], testCommand: ['node', '--test', '--test-reporter', 'tap', FILE] }
    expect(freezeContract(other, [BASE, BASE])).toEqual(CONTRACT)
    expect(freezeContract({ ...DECLARED, maximumChangedFiles: 9 }, [BASE, BASE])).not.toMatchObject({
      contractDigest: CONTRACT.contractDigest,
    })
  })

  test('is frozen by declared names for a file that fails as a whole on the base', () => {
    const broken = twice(reportOf({}, { sentinels: {}, failedFiles: [FILE] }))
    expect(freezeContract(DECLARED, broken)).toEqual(['cannot_be_built'])
    expect(freezeContract({ ...DECLARED, targetedTests: [FIXED] }, broken)).toMatchObject({ terms: { targetedTests: [FIXED] } })
  })

  const REFUSED: [string, Partial<TestDeclaration>, (TestReport | null)[], FreezeRefusal[], TestReport?][] = [
    ['whose command is a shell', { testCommand: ['sh', '-c', 'node --test'] }, twice(BASE), ['command_not_supported']],
    ['whose command is a script of npm', { testCommand: ['npm', 'test'] }, twice(BASE), ['command_not_supported']],
    [
      'whose tests share a process',
      { testCommand: ['node', '--test', '--test-isolation=none', FILE] },
      twice(BASE),
      ['command_not_supported'],
    ],
    ['whose command evaluates a text', { testCommand: ['node', '--test', '-e', '1'] }, twice(BASE), ['command_not_supported']],
    ['whose command leaves the repository', { testCommand: ['node', '--test', '../a.test.js'] }, twice(BASE), ['command_not_supported']],
    ['that needs network', { needsNetwork: true }, twice(BASE), ['needs_network']],
    ['that does not run', {}, [null, null], ['cannot_be_built']],
    ['that runs once', {}, [BASE], ['cannot_be_built']],
    ['that reports nothing', {}, twice(reportOf({})), ['cannot_be_built']],
    ['whose runs differ on the base', {}, [BASE, GOOD], ['base_not_repeatable']],
    ['that imitates a system freely', { mockedSystems: [{ name: 'bank', inputsSha256: null }] }, twice(BASE), ['mock_without_inputs']],
    ['that nothing fails on the base', {}, twice(GOOD), ['no_differential_check']],
    ['without a targeted test', { targetedTests: [] }, twice(BASE), ['no_differential_check']],
    ['whose targeted test is unknown', { targetedTests: [`${FILE} > x`] }, twice(BASE), ['no_differential_check']],
    ['whose targeted test passes on the base', { targetedTests: [FIXED, KEPT] }, twice(BASE), ['targeted_check_passes_on_base']],
    [
      'whose targeted test is declared to pass',
      { targetedTests: [FIXED], regressionTests: [FIXED] },
      twice(BASE),
      ['targeted_check_passes_on_base', 'regression_red_on_base'],
    ],
    ['whose test file a patch may change', { testCommand: ['node', '--test', 'checks/a.js'] }, twice(BASE), ['judging_file_unprotected']],
    [
      'whose loaded file a patch may change',
      { testCommand: ['node', '--test', '--import=./setup.js', FILE] },
      twice(BASE),
      ['judging_file_unprotected'],
    ],
    ['whose regression fails on the base', { regressionTests: [KEPT, FIXED] }, twice(BASE), ['regression_red_on_base']],
    [
      'with a private check without a hash',
      { privateChecks: [{ id: 'p', sha256: null, path: 'test/p.js', required: true }] },
      twice(BASE),
      ['private_check_without_hash'],
    ],
    ['that pays for little assurance', { assuranceLevel: 1 }, twice(BASE), ['assurance_too_low']],
    ["in which the judge's test does not run", {}, twice({ ...BASE, sentinels: {} }), ['sentinel_missing']],
    [
      'with several faults',
      { needsNetwork: true, assuranceLevel: 0 },
      twice(GOOD),
      ['needs_network', 'assurance_too_low', 'no_differential_check'],
    ],
    [
      'whose private check reports nothing on the base',
      { privateChecks: [{ id: 'p', sha256: 'd'.repeat(64), path: 'test/p.test.js', required: true }] },
      twice(BASE),
      ['private_check_cannot_be_run'],
      reportOf({}),
    ],
    [
      'of more names than a contract may hold',
      { targetedTests: [FIXED, ...Array.from({ length: 500 }, (_, index) => `${FILE} > ${'x'.repeat(150)} ${index}`)] },
      twice(reportOf({ [FIXED]: 'failed' }, { failedFiles: [FILE] })),
      ['contract_too_large'],
    ],
  ]
  test.each(REFUSED.map((row) => [...row, undefined].slice(0, 5) as (typeof REFUSED)[number]))(
    'is refused %s',
    (_name, part, base, refusals, privateRun) => {
      expect(freezeContract({ ...DECLARED, ...part }, base, privateRun)).toEqual(refusals)
    },
  )

  test('has a case for every refusal', () => {
    expect([...new Set(REFUSED.flatMap(([, , , refusals]) => refusals))].sort()).toEqual(FREEZE_REFUSALS.toSorted())
  })

  test('is frozen where a private check fails as a whole on the base', () => {
    const privateChecks = [{ id: 'p', sha256: 'd'.repeat(64), path: 'test/p.test.js', required: true }]
    const frozen = freezeContract({ ...DECLARED, privateChecks }, twice(BASE), reportOf({}, { failedFiles: ['test/p.test.js'] }))
    expect(frozen).toMatchObject({ contractState: 'frozen', terms: { privateChecks } })
  })

  test.each<[string, Partial<TestDeclaration>]>([
    [
      'a private check that is not required has no hash',
      { privateChecks: [{ id: 'p', sha256: null, path: 'test/p.js', required: false }] },
    ],
    ['its test file is declared as protected', { testCommand: ['node', '--test', 'judge/a.js'] }],
    ['no money hangs on it', { paysOnPass: false, assuranceLevel: 0 }],
    ['the inputs of an imitated system are frozen', { mockedSystems: [{ name: 'bank', inputsSha256: 'c'.repeat(64) }] }],
  ])('is frozen where %s', (_name, part) => {
    expect(freezeContract({ ...DECLARED, ...part }, [BASE, BASE])).toMatchObject({ contractState: 'frozen' })
  })
})

const run = (report: TestReport, part: Partial<CandidateRun> = {}): CandidateRun => ({ outcome: 'exited', exitCode: 1, report, ...part })
const ended = (outcome: CandidateRun['outcome']): CandidateRun => run(reportOf({}, { sentinels: {} }), { outcome, exitCode: null })
const [HIDDEN, OPTIONAL] = ['test/hidden.test.js', 'test/optional.test.js']
const SECRET: TestContract = {
  ...CONTRACT,
  terms: {
    ...CONTRACT.terms,
    privateChecks: [
      { id: 'hidden', sha256: 'd'.repeat(64), path: HIDDEN, required: true },
      { id: 'optional', sha256: 'e'.repeat(64), path: OPTIONAL, required: false },
      { id: 'unnamed', sha256: null, path: 'test/unnamed.test.js', required: false },
    ],
  },
}
const hidden = (status: 'passed' | 'failed', optional: 'passed' | 'failed' = 'passed'): CandidateRun =>
  run(
    reportOf(
      { [`${HIDDEN} > secret name`]: status, [`${OPTIONAL} > other`]: optional },
      { sentinels: { [HIDDEN]: 'failed', [OPTIONAL]: 'failed' } },
    ),
  )
const violation = { code: 'path_protected', path: 'package.json' } as const

const CASES: [string, Partial<PatchFacts>, string, number, string | null, string][] = [
  ['all tests pass twice', {}, 'PASS', 0, null, 'approved'],
  ['one test fails', { runs: twice(run(BASE)) }, 'FAIL', 1, null, 'rejected'],
  ['one test is skipped', { runs: twice(run(reportOf({ ...GOOD.tests, [FIXED]: 'skipped' }))) }, 'FAIL', 1, null, 'rejected'],
  ['one test is cancelled', { runs: twice(run(reportOf({ ...GOOD.tests, [FIXED]: 'cancelled' }))) }, 'FAIL', 1, null, 'rejected'],
  ['one test is not reported', { runs: twice(run(reportOf({ [KEPT]: 'passed' }))) }, 'FAIL', 1, null, 'rejected'],
  ['another test fails', { runs: twice(run(reportOf({ ...GOOD.tests, [`${FILE} > new`]: 'failed' }))) }, 'FAIL', 1, null, 'rejected'],
  ['a test file fails as a whole', { runs: twice(run({ ...GOOD, failedFiles: [FILE] })) }, 'FAIL', 1, null, 'rejected'],
  ['the process ends early', { runs: twice(run({ ...GOOD, sentinels: {} })) }, 'FAIL', 1, null, 'rejected'],
  ['all pass and the exit code is 0', { runs: twice(run(GOOD, { exitCode: 0 })) }, 'FAIL', 1, null, 'rejected'],
  ["the judge's test passes", { runs: twice(run({ ...GOOD, sentinels: { [FILE]: 'passed' } })) }, 'POLICY_VIOLATION', 2, null, 'rejected'],
  ['a line is forged', { runs: twice(run({ ...GOOD, strangeLines: 1 })) }, 'POLICY_VIOLATION', 2, null, 'rejected'],
  ['a protected path is changed', { violations: [violation] }, 'POLICY_VIOLATION', 2, null, 'rejected'],
  ['a protected path is changed and nothing ran', { violations: [violation], runs: [] }, 'POLICY_VIOLATION', 2, null, 'rejected'],
  [
    'a protected path is changed and the runner failed',
    { violations: [violation], runs: twice(ended('setup_failed')) },
    'POLICY_VIOLATION',
    2,
    null,
    'rejected',
  ],
  [
    'a protected path is changed and a test fails',
    { violations: [violation], runs: twice(run(BASE)) },
    'POLICY_VIOLATION',
    2,
    null,
    'rejected',
  ],
  ['the runner failed', { runs: twice(ended('setup_failed')) }, 'INCONCLUSIVE', 3, 'infrastructure', 'inconclusive'],
  [
    'the runner failed once, and a test failed once',
    { runs: [ended('setup_failed'), run(BASE)] },
    'INCONCLUSIVE',
    3,
    'infrastructure',
    'inconclusive',
  ],
  ['time ran out', { runs: twice(ended('timeout')) }, 'INCONCLUSIVE', 3, 'candidate', 'inconclusive'],
  ['memory ran out', { runs: twice(ended('out_of_memory')) }, 'INCONCLUSIVE', 3, 'candidate', 'inconclusive'],
  ['output ran over', { runs: twice(ended('output_limit')) }, 'INCONCLUSIVE', 3, 'candidate', 'inconclusive'],
  ['a signal ended it', { runs: twice(ended('killed')) }, 'INCONCLUSIVE', 3, 'candidate', 'inconclusive'],
  ['the runs disagree', { runs: [run(GOOD), run(BASE)] }, 'INCONCLUSIVE', 3, 'candidate', 'inconclusive'],
  ['it ran once', { runs: [run(GOOD)] }, 'INCONCLUSIVE', 3, 'verifier', 'inconclusive'],
  ['private checks pass', { contract: SECRET, privateRuns: twice(hidden('passed')) }, 'PASS', 0, null, 'approved'],
  ['private checks alone fail', { contract: SECRET, privateRuns: twice(hidden('failed')) }, 'INCONCLUSIVE', 3, 'contract', 'inconclusive'],
  [
    'public tests fail beside private checks',
    { contract: SECRET, runs: twice(run(BASE)), privateRuns: twice(hidden('failed')) },
    'FAIL',
    1,
    null,
    'rejected',
  ],
  [
    'a test that the contract does not name has another name in each run',
    { runs: ['a', 'b'].map((name) => run({ ...GOOD, [`test/a.js > ${name}`]: 'passed' })) },
    'PASS',
    0,
    null,
    'approved',
  ],
  ['an optional private check fails', { contract: SECRET, privateRuns: twice(hidden('passed', 'failed')) }, 'PASS', 0, null, 'approved'],
  ['a private check was not run', { contract: SECRET }, 'INCONCLUSIVE', 3, 'verifier', 'inconclusive'],
  ['a private check ran once', { contract: SECRET, privateRuns: [hidden('passed')] }, 'INCONCLUSIVE', 3, 'verifier', 'inconclusive'],
  [
    'the runs of private checks disagree',
    { contract: SECRET, privateRuns: [hidden('passed'), hidden('failed')] },
    'INCONCLUSIVE',
    3,
    'candidate',
    'inconclusive',
  ],
  [
    'the runner failed at private checks',
    { contract: SECRET, privateRuns: twice(ended('setup_failed')) },
    'INCONCLUSIVE',
    3,
    'infrastructure',
    'inconclusive',
  ],
  [
    'assertions cannot fail in private checks',
    { contract: SECRET, privateRuns: twice(run({ ...hidden('passed').report, sentinels: { [HIDDEN]: 'passed' } })) },
    'POLICY_VIOLATION',
    2,
    null,
    'rejected',
  ],
  [
    'the report of private checks is forged',
    { contract: SECRET, privateRuns: twice(run({ ...hidden('passed').report, strangeLines: 1 })) },
    'POLICY_VIOLATION',
    2,
    null,
    'rejected',
  ],
]

const REST = { privateChecks: null, measurements: [], environment: null }

describe('the judgement of a patch', () => {
  test.each(CASES)('where %s', (_name, part, verdict, exitCode, cause, profileVerdict) => {
    const judgement = judgePatch({ contract: CONTRACT, violations: [], runs: twice(run(GOOD)), privateRuns: [], ...part })
    expect(judgement).toMatchObject({ verdict, exitCode, cause })
    const result = patchResult({ judgement, contract: part.contract ?? CONTRACT, changedPaths: ['src/a.js'], ...REST }, [])
    expect(result.verdict).toBe(profileVerdict)
    expect(result.reason === null).toBe(profileVerdict !== 'inconclusive')
  })

  test('names the runner as the reason where the runner failed, and chance where the runs disagree', () => {
    const reasonOf = (runs: CandidateRun[]) => {
      const judgement = judgePatch({ contract: CONTRACT, violations: [], runs, privateRuns: [] })
      return patchResult({ judgement, contract: CONTRACT, changedPaths: [], ...REST }, []).reason
    }
    expect([reasonOf(twice(ended('setup_failed'))), reasonOf([run(GOOD), run(BASE)]), reasonOf(twice(ended('timeout')))]).toEqual([
      'runner_fault',
      'flaky',
      'ambiguous_evidence',
    ])
  })

  test('counts private checks, and shows nothing else of them', () => {
    const privateRuns = twice(hidden('failed', 'failed'))
    const judgement = judgePatch({ contract: SECRET, violations: [], runs: twice(run(GOOD)), privateRuns })
    const privateChecks = countPrivate(
      SECRET.terms.privateChecks.filter(({ sha256 }) => sha256 !== null),
      privateRuns,
    )
    const result = patchResult({ judgement, contract: SECRET, changedPaths: [], ...REST, privateChecks }, [])
    expect(result).toMatchObject({ verdict: 'inconclusive', evidence: { privateChecks: { total: 2, failed: 2 } } })
    expect(result.checks.find(({ id }) => id === 'private-checks')).toMatchObject({ passed: null, detail: 'private_checks_failed.' })
    expect(JSON.stringify(result)).not.toMatch(/secret name|hidden\.test|optional\.test/)
  })
})
