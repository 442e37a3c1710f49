// `agent-work mcp` as a process of a user, who has a key without a passphrase.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ToolProgram } from '../../e2e/tools/support/clients.ts'
import { eventually } from '../../support/eventually.ts'
import { STACK_CACHE } from '../../support/state-directory.ts'

const MAIN = fileURLToPath(new URL('../../../client/cli/main.ts', import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered.
export type Answered = Record<string, any>

/** A directory with a key, and how the command is started for a service. */
export const createBridgeUser = (base: string) => {
  const home = mkdtempSync(join(tmpdir(), 'agent-work-mcp-'))
  const key = generatePrivateKey()
  const keyFile = join(home, 'raw-key')
  writeFileSync(keyFile, key, { mode: 0o600 })
  const program = (args: readonly string[] = [], env: Record<string, string> = {}): ToolProgram => ({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      AGENT_WORK_URL: base,
      NODE_COMPILE_CACHE: join(STACK_CACHE, 'compiled'),
      ...env,
    },
    stderr: 'ignore',
  })
  return {
    home,
    key,
    keyFile,
    account: privateKeyToAccount(key),
    /** The command with the key of this user. */
    withKey: (...args: string[]): ToolProgram => program(['--key-file', keyFile, ...args]),
    program,
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
export type BridgeUser = ReturnType<typeof createBridgeUser>

/** A started command whose lines a test writes and reads itself. */
export const startBridge = ({ command, args, env }: ToolProgram) => {
  const child: ChildProcess = spawn(command, args, { env })
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('the command has no streams')
  const closed = once(child, 'close') as Promise<[number | null, string | null]>
  const lines: Answered[] = []
  let error = ''
  createInterface({ input: stdout }).on('line', (line) => lines.push(JSON.parse(line) as Answered))
  stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString()
  })
  const alive = (): void => {
    if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode}: ${error}`)
  }
  const send = (message: object | string | Buffer): void =>
    void stdin.write(typeof message === 'string' || Buffer.isBuffer(message) ? message : `${JSON.stringify(message)}\n`)
  return {
    lines,
    error: () => error,
    send,
    /** Sends a request, and reads the line that answers it. */
    request: async (id: string | number, method: string, params: object = {}): Promise<Answered> => {
      send({ jsonrpc: '2.0', id, method, params })
      await eventually(`an answer to ${id}`, () => lines.some((line) => line.id === id), Boolean, alive)
      return lines.find((line) => line.id === id) ?? {}
    },
    /** Waits for a number of lines. */
    read: (count: number): Promise<Answered[]> =>
      eventually(
        'lines',
        () => lines,
        ({ length }) => length >= count,
        alive,
      ),
    end: async (): Promise<number | string | null> => {
      stdin.end()
      const [code, signal] = await closed
      return code ?? signal
    },
    kill: async (name: NodeJS.Signals): Promise<number | string | null> => {
      child.kill(name)
      const [code, signal] = await closed
      return code ?? signal
    },
    /** Exit code of a command that ends by itself. */
    ended: async (): Promise<number | string | null> => {
      const [code, signal] = await closed
      return code ?? signal
    },
  }
}
export type StartedBridge = ReturnType<typeof startBridge>
