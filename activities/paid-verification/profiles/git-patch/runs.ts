import { createHash, randomBytes } from 'node:crypto'
import { type Change, parseChanges } from '../../../../domain/paid-verification/git-patch/changes.ts'
import type { TestCommand } from '../../../../domain/paid-verification/git-patch/command.ts'
import { parseReport } from '../../../../domain/paid-verification/git-patch/report.ts'
import type { CandidateRun } from '../../../../domain/paid-verification/git-patch/verdict.ts'
import type { Sandbox, SandboxLimits, SandboxResult } from '../../../../schemas/sandbox/spec.ts'
import { INSIDE } from './inside.ts'

/** A repository with a patch, and how its tests run. */
export interface PatchWork {
  readonly bundle: Uint8Array
  readonly patch: Uint8Array
  /** 40 hex digits. */
  readonly commit: string
  /** Relative folder; `.` for the repository. */
  readonly workingDirectory: string
  readonly command: TestCommand
}

export interface RunOptions {
  readonly sandbox: Sandbox
  readonly limits: SandboxLimits
  readonly signal: AbortSignal
}

/** Exit codes of prepare.sh. */
const FAULTS: Readonly<Record<number, PreparationFault>> = {
  71: 'bundle_unreadable',
  72: 'commit_missing',
  73: 'commit_not_checked_out',
  74: 'working_directory_missing',
  75: 'patch_does_not_apply',
}
export type PreparationFault =
  | 'bundle_unreadable'
  | 'commit_missing'
  | 'commit_not_checked_out'
  | 'working_directory_missing'
  | 'patch_does_not_apply'
  | 'too_large'
  | 'setup_failed'

/** Exit code of readonly.pl. */
const UNPROTECTED = 76

type Mode = 'list' | 'base' | 'candidate'

const start = (
  work: PatchWork,
  mode: Mode,
  command: readonly string[],
  { sandbox, limits, signal }: RunOptions,
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<SandboxResult> => {
  const given = (path: string, bytes: Uint8Array) => ({ path, bytes, sha256: createHash('sha256').update(bytes).digest('hex') })
  const files = [given('/in/bundle', work.bundle), ...(mode === 'base' ? [] : [given('/in/patch', work.patch)]), ...Object.values(INSIDE)]
  return sandbox.run(
    {
      inputs: files.map(({ path, sha256 }) => ({ path, sha256 })),
      command: ['/bin/sh', INSIDE.prepare.path, mode, work.commit, work.workingDirectory, ...command],
      env,
      stdin,
      limits,
      network: 'none',
      // A patch must not reach the process that reports its results.
      closedNode: mode !== 'list',
    },
    new Map(files.map(({ sha256, bytes }) => [sha256, bytes])),
    signal,
  )
}

/** Reads a repository and applies the patch, without running anything of either. Gives the changed files, or what is wrong. */
export const listChanges = async (
  work: PatchWork,
  options: RunOptions,
): Promise<{ changes: Change[]; result: SandboxResult } | PreparationFault> => {
  const result = await start(work, 'list', [], options)
  if (result.outcome === 'setup_failed' || result.outcome === 'killed') return 'setup_failed'
  if (result.outcome !== 'exited') return 'too_large'
  if (result.exitCode !== 0) return FAULTS[result.exitCode ?? 0] ?? 'too_large'
  const changes = parseChanges(Buffer.from(result.stdout).toString('utf8'))
  return changes === null ? 'setup_failed' : { changes, result }
}

/** Runs the tests once, on the base or with the patch. */
export const runTests = async (
  work: PatchWork,
  mode: 'base' | 'candidate',
  options: RunOptions,
): Promise<{ run: CandidateRun; result: SandboxResult }> => {
  const nonce = randomBytes(16).toString('hex')
  const sentinel = `sentinel-${randomBytes(16).toString('hex')}`
  const reporter = [`--test-reporter=${INSIDE.reporter.path}`, '--test-reporter-destination=stdout']
  const command = ['node', '--test', ...reporter, ...work.command.options, ...work.command.files]
  const env = { NODE_OPTIONS: `--import=${INSIDE.sentinel.path}`, JUDGE_SENTINEL: sentinel }
  const result = await start(work, mode, command, options, { env, stdin: nonce })
  const root = work.workingDirectory === '.' ? '/work/src' : `/work/src/${work.workingDirectory}`
  const report = parseReport(Buffer.from(result.stdout).toString('utf8'), { nonce, sentinel, root })
  // A kernel that cannot keep the tests from being rewritten is the runner's fault.
  const outcome = result.outcome === 'exited' && result.exitCode === UNPROTECTED ? 'setup_failed' : result.outcome
  return { run: { outcome, exitCode: result.exitCode, report }, result }
}
