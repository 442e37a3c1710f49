import { createHash } from 'node:crypto'
import { findViolations } from '../../../../domain/paid-verification/git-patch/changes.ts'
import { parseTestCommand } from '../../../../domain/paid-verification/git-patch/command.ts'
import {
  type FreezeRefusal,
  freezeContract,
  type TestContract,
  type TestDeclaration,
} from '../../../../domain/paid-verification/git-patch/contract.ts'
import {
  type CandidateRun,
  type Finding,
  type InconclusiveCause,
  judgeFindings,
  judgePatch,
  type PatchJudgement,
} from '../../../../domain/paid-verification/git-patch/verdict.ts'
import type { Sandbox, SandboxEnvironment, SandboxLimits } from '../../../../schemas/sandbox/spec.ts'
import { listChanges, type PatchWork, type PreparationFault, type RunOptions, runTests } from './runs.ts'

const MIB = 1024 ** 2
/** Bounds of the profile. The wall time is that of all its runs together. */
export const GIT_PATCH_LIMITS: SandboxLimits = {
  wallMs: 120_000,
  cpuMs: 120_000,
  cpus: 2,
  memoryBytes: 4_096 * MIB,
  pids: 512,
  diskBytes: 1_024 * MIB,
  fileBytes: 512 * MIB,
  outputBytes: 10 * MIB,
}
const REPETITIONS = 2

/** What one run measured, for the evidence. */
export interface Measurement {
  readonly step: 'list' | 'base' | 'candidate'
  readonly outcome: string
  readonly exitCode: number | null
  readonly wallMs: number
  readonly cpuMs: number | null
  readonly peakBytes: number | null
}

export interface JudgedPatch {
  readonly judgement: PatchJudgement
  /** Null if the judge did not come so far, or there is a reason to freeze none. */
  readonly contract: TestContract | null
  readonly changedPaths: readonly string[]
  readonly measurements: readonly Measurement[]
  readonly environment: SandboxEnvironment | null
}

const reason = (verdict: Finding['verdict'], code: string, cause: InconclusiveCause | null, subject: string | null = null): Finding => ({
  verdict,
  code,
  cause,
  subject,
})

/** Whose fault it is that a repository cannot be prepared. */
const preparationFinding = (fault: PreparationFault): Finding => {
  if (fault === 'setup_failed') return reason('INCONCLUSIVE', fault, 'infrastructure')
  return fault === 'patch_does_not_apply' ? reason('FAIL', fault, null) : reason('INCONCLUSIVE', fault, 'contract')
}

/** Reasons to freeze no contract. A base that the runner could not run says nothing about the contract. */
const refusalFindings = (refusals: readonly FreezeRefusal[], base: readonly CandidateRun[]): Finding[] =>
  base.some(({ outcome }) => outcome === 'setup_failed')
    ? [reason('INCONCLUSIVE', 'setup_failed', 'infrastructure')]
    : refusals.map((code) => reason('INCONCLUSIVE', code, 'contract'))

export interface PatchRequest {
  readonly bundle: Uint8Array
  readonly patch: Uint8Array
  readonly declaration: Omit<TestDeclaration, 'bundleSha256'>
}

/** Judges a patch: reads the changes, runs the tests twice on the base and twice with the patch, and freezes the contract in between. */
export const createPatchJudge =
  (sandbox: Sandbox, limits: SandboxLimits = GIT_PATCH_LIMITS) =>
  async (request: PatchRequest, signal: AbortSignal): Promise<JudgedPatch> => {
    const { bundle, patch } = request
    const declaration: TestDeclaration = { ...request.declaration, bundleSha256: createHash('sha256').update(bundle).digest('hex') }
    const deadline = performance.now() + limits.wallMs
    const measurements: Measurement[] = []
    let environment: SandboxEnvironment | null = null
    let changedPaths: string[] = []
    const finish = (judgement: PatchJudgement, contract: TestContract | null = null): JudgedPatch => ({
      judgement,
      contract,
      changedPaths,
      measurements,
      environment,
    })
    const options = (): RunOptions => {
      const wallMs = Math.max(1, Math.round(deadline - performance.now()))
      return { sandbox, signal, limits: { ...limits, wallMs, cpuMs: Math.min(limits.cpuMs, wallMs) } }
    }
    const command = parseTestCommand(declaration.testCommand)
    if (typeof command === 'string') return finish(judgeFindings([reason('INCONCLUSIVE', 'command_not_supported', 'contract', command)]))
    const work: PatchWork = { bundle, patch, commit: declaration.commit, workingDirectory: declaration.workingDirectory, command }

    const listed = await listChanges(work, options())
    signal.throwIfAborted()
    if (typeof listed === 'string') return finish(judgeFindings([preparationFinding(listed)]))
    const measure = (step: Measurement['step'], result: (typeof listed)['result']): void => {
      const { outcome, exitCode, wallMs, cpuMs, peakBytes } = result
      environment = result.environment
      measurements.push({ step, outcome, exitCode, wallMs, cpuMs, peakBytes })
    }
    measure('list', listed.result)
    changedPaths = listed.changes.map(({ path }) => path)
    const violations = findViolations(listed.changes, declaration)
    if (violations.length > 0)
      return finish(judgeFindings(violations.map(({ code, path }) => reason('POLICY_VIOLATION', code, null, path))))

    const repeat = async (mode: 'base' | 'candidate'): Promise<CandidateRun[]> => {
      const runs: CandidateRun[] = []
      for (let count = 0; count < REPETITIONS; count += 1) {
        const { run, result } = await runTests(work, mode, options())
        signal.throwIfAborted()
        measure(mode, result)
        runs.push(run)
      }
      return runs
    }
    const base = await repeat('base')
    const contract = freezeContract(
      declaration,
      base.map(({ outcome, report }) => (outcome === 'exited' && report.strangeLines === 0 ? report : null)),
    )
    if (Array.isArray(contract)) return finish(judgeFindings(refusalFindings(contract, base)))
    const frozen = contract as TestContract
    return finish(judgePatch({ contract: frozen, violations, runs: await repeat('candidate'), privateChecks: null }), frozen)
  }
