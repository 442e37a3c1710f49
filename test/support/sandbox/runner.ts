import { createHash } from 'node:crypto'
import { createSandbox } from '../../../activities/sandbox/probe.ts'
import type { Sandbox, SandboxProbe, SandboxResult, SandboxSpec } from '../../../schemas/sandbox/spec.ts'

const MIB = 1024 ** 2

const { RUNNER_BUBBLEWRAP: bwrap } = process.env
/** The sandbox of this machine, and whether it works; looked up once for all test files of a process. `RUNNER_BUBBLEWRAP` names another one. */
export const machineSandbox: Sandbox = createSandbox({ ...(bwrap !== undefined && { bwrap }) })
export const machineProbe: SandboxProbe = await machineSandbox.probe()

/** Prints that tests of the sandbox are left out, and why. */
export const reportSkipped = (count: number): void => {
  if (!machineProbe.ok) process.stderr.write(`${count} tests of the sandbox are skipped: ${machineProbe.reason}\n`)
}

export const SMALL: SandboxSpec['limits'] = {
  wallMs: 20_000,
  cpuMs: 10_000,
  cpus: 2,
  memoryBytes: 256 * MIB,
  pids: 48,
  diskBytes: 16 * MIB,
  fileBytes: 8 * MIB,
  outputBytes: 64 * 1024,
}

/** A run that needs only what its case is about. */
export interface Attempt {
  command: readonly string[]
  limits?: Partial<SandboxSpec['limits']>
  files?: Record<string, string | Uint8Array>
  stdin?: string
  closedNode?: boolean
  env?: Record<string, string>
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const attempt = (given: Attempt, stop = new AbortController().signal, sandbox: Sandbox = machineSandbox): Promise<SandboxResult> => {
  const files = Object.entries(given.files ?? {}).map(([path, content]) => [path, Buffer.from(content)] as const)
  return sandbox.run(
    {
      inputs: files.map(([path, bytes]) => ({ path, sha256: sha256(bytes) })),
      command: given.command,
      env: given.env ?? {},
      stdin: given.stdin ?? '',
      limits: { ...SMALL, ...given.limits },
      network: 'none',
      closedNode: given.closedNode ?? false,
    },
    new Map(files.map(([, bytes]) => [sha256(bytes), bytes])),
    stop,
  )
}

export const textOf = ({ stdout }: SandboxResult): string => Buffer.from(stdout).toString()
