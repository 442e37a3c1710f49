import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))

export type RunningStart = {
  child: ChildProcess
  /** What it printed so far. */
  output(): string
  /** Resolves when it prints this; rejects, with all it printed, when it ends before. */
  printed(text: string): Promise<void>
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string | null>
}
export type StartProcessOptions = { env?: Record<string, string>; uid?: number; gid?: number; checkout?: string }

/** Runs `local/stack-cli.ts start` for the infrastructure on free ports, as a person at a terminal does. */
export const startProcess = (dir: string, { env = {}, checkout = CHECKOUT, ...user }: StartProcessOptions = {}): RunningStart => {
  const { PATH = '', HOME = '/', XDG_CACHE_HOME } = process.env
  const inherited = { PATH, HOME, ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }) }
  const args = [`${checkout}/local/stack-cli.ts`, 'start', '--infra', '--any-ports', '--dir', dir]
  const child = spawn(process.execPath, args, { cwd: '/', env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'], ...user })
  let output = ''
  const waiting = new Set<() => void>()
  const append = (chunk: Buffer) => {
    output += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const ended = new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (output.includes(text)) resolve()
      }
      waiting.add(look)
      look()
      void ended.then(() => reject(new Error(`ended before it printed "${text}":\n${output}`)))
    })
  return { child, output: () => output, printed, ended }
}
