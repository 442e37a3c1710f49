import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STACK_CACHE } from '../../support/state-directory.ts'

const MAIN = fileURLToPath(new URL('../../../client/cli/main.ts', import.meta.url))

export interface Ended {
  exit: number | string | null
  out: string
  error: string
}

interface RunOptions {
  input?: string
  env?: Record<string, string>
  /** Sends a signal once the output has a text, or when a promise resolves. */
  signal?: { name: NodeJS.Signals; after: string | Promise<unknown> }
}

/** The command line as processes of one user, who has a directory of keys and a passphrase. */
export const createCommandLine = (base: string, passphrase: string) => {
  const home = mkdtempSync(join(tmpdir(), 'agent-work-'))
  const keys = join(home, 'config', 'agent-work')
  const outputs: string[] = []
  const tokens = new Set<string>()

  const tokenFiles = (): string[] => (existsSync(keys) ? readdirSync(keys).filter((name) => name.startsWith('token-')) : [])
  const noteTokens = (): void => {
    for (const name of tokenFiles()) tokens.add((JSON.parse(readFileSync(join(keys, name), 'utf8')) as { token: string }).token)
  }

  const run = async (args: readonly string[], { input, env = {}, signal }: RunOptions = {}): Promise<Ended> => {
    const { PATH = '' } = process.env
    const own = {
      PATH,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      AGENT_WORK_URL: base,
      AGENT_WORK_PASSPHRASE: passphrase,
      NODE_COMPILE_CACHE: join(STACK_CACHE, 'compiled'),
    }
    // A process group of its own, without the terminal of the tests.
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: home, env: { ...own, ...env }, detached: true })
    const ended: Ended = { exit: null, out: '', error: '' }
    if (signal?.after instanceof Promise) void signal.after.then(() => child.kill(signal.name))
    const signalAtText = (): void => {
      if (typeof signal?.after === 'string' && !child.killed && (ended.out + ended.error).includes(signal.after)) child.kill(signal.name)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      ended.out += chunk.toString()
      signalAtText()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      ended.error += chunk.toString()
      signalAtText()
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    ended.exit = await new Promise((resolve) => child.once('close', (code, killedBy) => resolve(code ?? killedBy)))
    outputs.push(args.join(' '), ended.out, ended.error)
    noteTokens()
    return ended
  }

  return {
    home,
    keys,
    tokenFiles,
    /** Everything that was printed, and the arguments. */
    outputs,
    tokens,
    run,
    /** Runs a command that has to end with 0. */
    done: async (...args: string[]): Promise<Ended> => {
      const ended = await run(args)
      if (ended.exit !== 0) throw new Error(`agent-work ${args.join(' ')} ended with ${ended.exit}:\n${ended.out}${ended.error}`)
      return ended
    },
    /** Runs a command with `--json` that has to end with 0. Returns its document. */
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answered.
    json: async (...args: string[]): Promise<any> => {
      const { exit, out, error } = await run([...args, '--json'])
      if (exit !== 0 || error !== '') throw new Error(`agent-work ${args.join(' ')} ended with ${exit}:\n${out}${error}`)
      return JSON.parse(out)
    },
    /** Runs a command with `--json` that has to fail. Returns its exit code and problem document. */
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    fails: async (...args: string[]): Promise<{ exit: Ended['exit']; problem: any }> => {
      const { exit, out, error } = await run([...args, '--json'])
      if (out !== '') throw new Error(`agent-work ${args.join(' ')} failed and wrote to standard output: ${out}`)
      return { exit, problem: JSON.parse(error) }
    },
  }
}
export type CommandLine = ReturnType<typeof createCommandLine>
