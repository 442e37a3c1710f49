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
  readonly privateFiles: readonly PrivateFile[]
}

/** The file of a private check, with its path in the repository. */
export interface PrivateFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The tests that a repository has, or those of the private checks. */
export type TestsOf = 'public' | 'private'

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

/** The repository in the sandbox. */
const SOURCE = '/box/src'
/** Exit code of readonly.pl. */
const UNPROTECTED = 76

type Mode = 'list' | 'base' | 'candidate'

const start = (
  work: PatchWork,
  mode: Mode,
  command: readonly string[],
  { sandbox, limits, signal }: RunOptions,
  { env = {}, stdin = '', privateFiles = [] }: { env?: Record<string, string>; stdin?: string; privateFiles?: readonly PrivateFile[] } = {},
): Promise<SandboxResult> => {
  const given = (path: string, bytes: Uint8Array) => ({ path, bytes, sha256: createHash('sha256').update(bytes).digest('hex') })
  const files = [
    given('/in/bundle', work.bundle),
    ...(mode === 'base' ? [] : [given('/in/patch', work.patch)]),
    ...Object.values(INSIDE),
    ...privateFiles.map(({ bytes }, index) => given(`/in/private/${index + 1}`, bytes)),
  ]
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

/** Options that choose tests by name. Private checks run whole. */
const CHOOSING = /^--test-(?:name-pattern|skip-pattern|only)/

/** Runs tests once, on the base or with the patch. Names of private ones begin with their path in the repository. */
export const runTests = async (
  work: PatchWork,
  mode: 'base' | 'candidate',
  tests: TestsOf,
  options: RunOptions,
): Promise<{ run: CandidateRun; result: SandboxResult }> => {
  const nonce = randomBytes(16).toString('hex')
  const sentinel = `sentinel-${randomBytes(16).toString('hex')}`
  const reporter = [`--test-reporter=${INSIDE.reporter.path}`, '--test-reporter-destination=stdout']
  const isPrivate = tests === 'private'
  const privateFiles = isPrivate ? work.privateFiles : []
  const chosen = isPrivate
    ? [...work.command.options.filter((option) => !CHOOSING.test(option)), ...privateFiles.map(({ path }) => `${SOURCE}/${path}`)]
    : [...work.command.options, ...work.command.files]
  const env = {
    NODE_OPTIONS: `--import=${INSIDE.sentinel.path}`,
    JUDGE_SENTINEL: sentinel,
    ...(isPrivate && { JUDGE_PRIVATE: privateFiles.map(({ path }) => path).join(' ') }),
  }
  const result = await start(work, mode, ['node', '--test', ...reporter, ...chosen], options, { env, stdin: nonce, privateFiles })
  const root = isPrivate || work.workingDirectory === '.' ? SOURCE : `${SOURCE}/${work.workingDirectory}`
  const report = parseReport(Buffer.from(result.stdout).toString('utf8'), { nonce, sentinel, root })
  // A kernel that cannot keep the tests from being rewritten is the runner's fault.
  const outcome = result.outcome === 'exited' && result.exitCode === UNPROTECTED ? 'setup_failed' : result.outcome
  return { run: { outcome, exitCode: result.exitCode, report }, result }
}
