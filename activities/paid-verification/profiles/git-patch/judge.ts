import { findViolations } from '../../../../domain/paid-verification/git-patch/changes.ts'
import { parseTestCommand } from '../../../../domain/paid-verification/git-patch/command.ts'
import { freezeContract } from '../../../../domain/paid-verification/git-patch/contract.ts'
import {
  type CandidateRun,
  countPrivate,
  type Finding,
  type InconclusiveCause,
  judgeFindings,
  judgePatch,
  type PatchJudgement,
  type PrivateCounts,
} from '../../../../domain/paid-verification/git-patch/verdict.ts'
import type { FreezeRefusal, TestContract } from '../../../../schemas/paid-verification/profiles/freeze.ts'
import type { Sandbox, SandboxEnvironment, SandboxLimits } from '../../../../schemas/sandbox/spec.ts'
import { declareBundle, type FreezeWork, reportOf } from './freeze.ts'
import { listChanges, type PatchWork, type PreparationFault } from './runs.ts'
import { createSession, GIT_PATCH_LIMITS, type Measurement } from './session.ts'

export interface JudgedPatch {
  readonly judgement: PatchJudgement
  /** Null if the judge did not come so far, or there is a reason to freeze none. */
  readonly contract: TestContract | null
  readonly changedPaths: readonly string[]
  /** Null without private checks, or where they were not run. */
  readonly privateChecks: PrivateCounts | null
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

export interface PatchRequest extends FreezeWork {
  readonly patch: Uint8Array
  /** Digest of the contract that was frozen before the work began, 64 hex digits; null for a run that freezes its own. */
  readonly contractDigest: string | null
}

/**
 * Judges a patch: reads the changes, runs the tests twice on the base, freezes the contract or compares it with an earlier one, and runs the
 * tests and the private checks twice with the patch.
 */
export const createPatchJudge =
  (sandbox: Sandbox, limits: SandboxLimits = GIT_PATCH_LIMITS) =>
  async (request: PatchRequest, signal: AbortSignal): Promise<JudgedPatch> => {
    const { bundle, patch, privateFiles, contractDigest } = request
    const declaration = declareBundle(request.declaration, bundle)
    const session = createSession(sandbox, limits, signal)
    const { measurements } = session
    let changedPaths: string[] = []
    const finish = (
      judgement: PatchJudgement,
      { contract = null, privateChecks = null }: Partial<Pick<JudgedPatch, 'contract' | 'privateChecks'>> = {},
    ): JudgedPatch => ({ judgement, contract, changedPaths, privateChecks, measurements, environment: session.environment() })
    const command = parseTestCommand(declaration.testCommand)
    if (typeof command === 'string') return finish(judgeFindings([reason('INCONCLUSIVE', 'command_not_supported', 'contract', command)]))
    const { commit, workingDirectory } = declaration
    const work: PatchWork = { bundle, patch, commit, workingDirectory, command, privateFiles }

    const listed = await listChanges(work, session.options())
    signal.throwIfAborted()
    if (typeof listed === 'string') return finish(judgeFindings([preparationFinding(listed)]))
    session.measure('list', listed.result)
    changedPaths = listed.changes.map(({ path }) => path)
    const violations = findViolations(listed.changes, declaration)
    if (violations.length > 0)
      return finish(judgeFindings(violations.map(({ code, path }) => reason('POLICY_VIOLATION', code, null, path))))

    const base = await session.repeat(work, 'base', 'public')
    const frozen = freezeContract(declaration, base.map(reportOf))
    if (!('terms' in frozen)) return finish(judgeFindings(refusalFindings(frozen, base)))
    const contract: TestContract = frozen
    if (contractDigest !== null && contractDigest !== contract.contractDigest)
      return finish(judgeFindings([reason('INCONCLUSIVE', 'contract_differs', 'contract')]), { contract })
    const runs = await session.repeat(work, 'candidate', 'public')
    const privateRuns = privateFiles.length === 0 ? [] : await session.repeat(work, 'candidate', 'private')
    const privateChecks = contract.terms.privateChecks.filter(({ sha256 }) => sha256 !== null)
    return finish(judgePatch({ contract, violations, runs, privateRuns }), {
      contract,
      privateChecks: privateFiles.length === 0 ? null : countPrivate(privateChecks, privateRuns),
    })
  }
