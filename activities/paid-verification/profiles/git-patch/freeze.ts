import { createHash } from 'node:crypto'
import { parseTestCommand } from '../../../../domain/paid-verification/git-patch/command.ts'
import { freezeContract, type TestDeclaration } from '../../../../domain/paid-verification/git-patch/contract.ts'
import type { TestReport } from '../../../../domain/paid-verification/git-patch/report.ts'
import type { CandidateRun } from '../../../../domain/paid-verification/git-patch/verdict.ts'
import type { FreezeRefusal, TestContract } from '../../../../schemas/paid-verification/profiles/freeze.ts'
import type { Sandbox, SandboxLimits } from '../../../../schemas/sandbox/spec.ts'
import type { PrivateFile } from './runs.ts'
import { createSession, GIT_PATCH_LIMITS } from './session.ts'

export interface FreezeWork {
  readonly bundle: Uint8Array
  readonly privateFiles: readonly PrivateFile[]
  readonly declaration: Omit<TestDeclaration, 'bundleSha256'>
}

/** The report of a run that ended by itself; null without a readable one. */
export const reportOf = ({ outcome, report }: CandidateRun): TestReport | null =>
  outcome === 'exited' && report.strangeLines === 0 ? report : null

export const declareBundle = (declaration: FreezeWork['declaration'], bundle: Uint8Array): TestDeclaration => ({
  ...declaration,
  bundleSha256: createHash('sha256').update(bundle).digest('hex'),
})

/** Freezes a contract by two runs on the untouched base and one of the private checks. `setup_failed`: the runner could not run them. */
export const createContractFreezer =
  (sandbox: Sandbox, limits: SandboxLimits = GIT_PATCH_LIMITS) =>
  async (
    { bundle, privateFiles, declaration }: FreezeWork,
    signal: AbortSignal,
  ): Promise<TestContract | readonly FreezeRefusal[] | 'setup_failed'> => {
    const declared = declareBundle(declaration, bundle)
    const command = parseTestCommand(declared.testCommand)
    if (typeof command === 'string') return freezeContract(declared, null)
    const { commit, workingDirectory } = declared
    const work = { bundle, patch: new Uint8Array(), commit, workingDirectory, command, privateFiles }
    const session = createSession(sandbox, limits, signal)
    const base = await session.repeat(work, 'base', 'public')
    const [hidden] = privateFiles.length === 0 ? [] : await session.repeat(work, 'base', 'private', 1)
    if ([...base, hidden].some((run) => run?.outcome === 'setup_failed')) return 'setup_failed'
    return freezeContract(declared, base.map(reportOf), hidden && reportOf(hidden))
  }
