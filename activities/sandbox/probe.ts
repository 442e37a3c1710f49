import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256Of } from '../../domain/common/hashes.ts'
import { isFilterArch } from '../../domain/sandbox/seccomp.ts'
import type { Sandbox, SandboxEnvironment, SandboxLimits, SandboxProbe, SandboxSpec } from '../../schemas/sandbox/spec.ts'
import { findGroups } from './bounds.ts'
import type { Programs } from './bubblewrap.ts'
import { type Runner, runInBubblewrap } from './run.ts'

const execute = promisify(execFile)
const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin']
const MIB = 1024 ** 2
const PROBE_LIMITS: SandboxLimits = {
  wallMs: 20_000,
  cpuMs: 10_000,
  cpus: 1,
  memoryBytes: 512 * MIB,
  pids: 64,
  diskBytes: MIB,
  fileBytes: MIB,
  outputBytes: 4_096,
}
const PROBE_SPEC: SandboxSpec = {
  inputs: [],
  command: ['node', '-p', '"ready"'],
  env: {},
  stdin: '',
  limits: PROBE_LIMITS,
  network: 'none',
  closedNode: false,
}

const findProgram = (name: string): string | null => PROGRAM_FOLDERS.map((folder) => join(folder, name)).find(existsSync) ?? null

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

const versionOf = async (program: string): Promise<string> => {
  const { stdout } = await execute(program, ['--version'], { timeout: 10_000 })
  return stdout.trim().split(' ').at(-1) ?? ''
}

/** What a command finds beside its inputs, as one hash. */
const digestImage = async (bwrap: string, node: string): Promise<string> => {
  const git = findProgram('git')
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const image = { system, bwrap, git: git === null ? null : await versionOf(git), node: await hashFile(node) }
  return sha256Of(image).slice('0x'.length)
}

export interface SandboxOptions {
  /** Program file of Node for the commands. */
  readonly node?: string
  /** Path of bubblewrap; null for none. Without it the folders of the system are looked in. */
  readonly bwrap?: string | null
}

/** Why this machine cannot have a sandbox, before anything runs; null if nothing is missing. */
const findMissing = (bwrap: string | null): string | null => {
  if (process.platform !== 'linux') return `The sandbox needs Linux, and this is ${process.platform}.`
  if (!isFilterArch(process.arch)) return `The sandbox has no filter of system calls for ${process.arch}.`
  if (bwrap === null || !existsSync(bwrap)) return 'bubblewrap is not installed: apt-get install bubblewrap.'
  if (findProgram('bash') === null) return 'bash is not installed.'
  if (findProgram('prlimit') === null) return 'prlimit of util-linux is not installed.'
  if (process.getuid?.() === 0 && findProgram('setpriv') === null) return 'setpriv of util-linux is not installed, which root needs.'
  return null
}

/** Finds out how commands run on this machine, by running one. */
const findRunner = async (bwrap: string | null, node: string): Promise<Runner | string> => {
  const missing = findMissing(bwrap)
  const { arch } = process
  if (missing !== null || bwrap === null || !isFilterArch(arch)) return missing ?? 'The sandbox cannot run here.'
  const groups = await findGroups()
  await groups?.sweep()
  const version = await versionOf(bwrap)
  const imageDigest = await digestImage(version, node)
  const environment: SandboxEnvironment = { kind: 'bwrap', version, imageDigest, kernel: release(), bounds: groups?.kind ?? 'process' }
  let reason = ''
  for (const copiesNode of [false, true]) {
    const programs: Programs = { bwrap, bash: findProgram('bash') ?? '', setpriv: findProgram('setpriv'), node, copiesNode }
    const runner = { programs, arch, groups, environment }
    const result = await runInBubblewrap(runner, PROBE_SPEC, new Map(), new AbortController().signal)
    if (result.outcome === 'exited' && result.exitCode === 0) return runner
    reason =
      result.reason ??
      `A trial ended with ${result.outcome} ${result.exitCode ?? ''}: ${Buffer.from(result.stderr).toString().slice(0, 200)}`
  }
  return `bubblewrap does not work here: ${reason}`
}

/** A sandbox of this machine, with bubblewrap. Every probe looks again; a run uses what the last successful probe found. */
export const createSandbox = ({ node = process.execPath, bwrap = findProgram('bwrap') }: SandboxOptions = {}): Sandbox => {
  let runner: Runner | null = null
  const probe = async (): Promise<SandboxProbe> => {
    const found = await findRunner(bwrap, node).catch(
      (error: unknown) => `The probe failed: ${error instanceof Error ? error.message : error}`,
    )
    if (typeof found === 'string') return { ok: false, reason: found }
    runner = found
    return { ok: true, ...found.environment }
  }
  return {
    probe,
    run: async (spec, contents, stop) => {
      if (runner === null) await probe().then((result) => (result.ok ? result : Promise.reject(new Error(result.reason))))
      if (runner === null) throw new Error('The sandbox has no runner.')
      return runInBubblewrap(runner, spec, contents, stop)
    },
  }
}
