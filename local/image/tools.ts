// The programs that build and run containers, each called the same way.
import { spawnSync } from 'node:child_process'

export const TOOLS = ['docker', 'podman', 'buildah'] as const
export type Tool = (typeof TOOLS)[number]

const INSTALL = 'apt-get install --no-install-recommends buildah mmdebstrap'

/** Text that a program prints. Throws with its errors when it fails. */
export const output = (program: string, args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined || status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr.trim()}`)
  return stdout.trim()
}

/** Runs a program whose output a person reads. */
export const call = (program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): void => {
  const { status, signal, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (error !== undefined || status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? signal ?? `code ${status}`}`)
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

/** Why a tool cannot build here; null when it can. A client without its server does not count. */
const findFault = (tool: Tool): string | null => {
  if (!isThere(tool)) return 'is not installed'
  if (tool === 'buildah') return process.getuid?.() === 0 ? null : 'needs root, to change into the root of the image'
  const { status, stderr } = spawnSync(tool, ['info'], { encoding: 'utf8' })
  return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? 'does not answer')
}

/** The first tool that works here, or the one that is asked for. Throws with what to install. */
export const chooseTool = (wanted?: Tool): Tool => {
  const faults: string[] = []
  for (const tool of wanted === undefined ? TOOLS : [wanted]) {
    const fault = findFault(tool)
    if (fault === null) return tool
    faults.push(`  ${tool}: ${fault}`)
  }
  throw new Error(`No image can be built here:\n${faults.join('\n')}\nWhere no Docker runs: ${INSTALL}, then run this as root.`)
}

/** Throws with what to install if a program is missing. */
export const assertThere = (program: string): void => {
  if (!isThere(program)) throw new Error(`${program} is not installed: ${INSTALL}`)
}
