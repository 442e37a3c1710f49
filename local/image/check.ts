// Starts the processes and commands of an image beside a local stack of its own, to prove that they work with no right but to read.
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Say } from '../download.ts'
import { tail } from '../files.ts'
import { ANY_PORTS, choosePorts } from '../ports.ts'
import { type Child, createProcesses, type Processes, untilReady } from '../processes.ts'
import { answers } from '../services.ts'
import { type Stack, startStack } from '../stack.ts'
import { assertRights, GIVEN, openPlace, type Place, RIGHTS } from './run.ts'
import type { Tool } from './tools.ts'

const READY_MS = 120_000
/** Usual supervisors kill after ten seconds. */
const STOP_MS = 10_000

/** Settings of the stack for a process that finds its files under `GIVEN`. Those of a developer's process stay out: the image has its own. */
const settingsFor = (stack: Stack, given: string): Record<string, string> => {
  const {
    NODE_ENV: _,
    NODE_OPTIONS: _options,
    WORKFLOW_BUNDLE: _bundle,
    ...settings
  } = parseEnv(readFileSync(stack.info.serviceEnv, 'utf8'))
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value = '']) => {
      if (!isAbsolute(value) || !existsSync(value) || !statSync(value).isFile()) return [[name, value]]
      copyFileSync(value, join(given, name))
      // Only the folder above keeps others out: a process of the image has another user.
      chmodSync(join(given, name), 0o444)
      return [[name, `${GIVEN}/${name}`]]
    }),
  )
}

interface Parts {
  place: Place
  processes: Processes
  settings: Record<string, string>
  say: Say
}

/** Runs a command to its end. Throws with its output when it fails. */
const runCommand = async ({ place, processes, settings, say }: Parts, name: string, command: readonly string[]): Promise<string> => {
  const child = await processes.start({ ...place.request(name, command, settings), task: true })
  const { code } = await child.exited
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with code ${code}:\n${tail(child.logFile)}`)
  say(`  ${name}: done`)
  return child.logFile
}

/** Operators' commands, each of which must find all that it needs in the image. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  migrate: ['migrations/migrate.ts'],
  setup: ['workers/setup.ts', 'temporal'],
  'setup-check': ['workers/setup.ts', 'temporal', '--check'],
  'versions-check': ['workers/versions.ts', 'check'],
  keys: ['workers/keys.ts', 'list'],
  nonce: ['workers/nonce.ts', 'status'],
  contracts: ['contracts/deployment/cli.ts', 'roles', `${GIVEN}/CHAIN_FILE`],
}

/** The same for commands that compare the records with the chain, which a worker has read. */
const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  audit: ['workers/audit.ts'],
  rebuild: ['workers/rebuild.ts', '--check'],
}

/** Starts a process and waits until an address answers well. */
const startProcess = async (
  { place, processes, settings, say }: Parts,
  name: string,
  { command, url, more = {} }: { command: readonly string[]; url: string; more?: Record<string, string> },
): Promise<Child> => {
  const child = await processes.start(place.request(name, command, { ...settings, ...more }))
  await untilReady([child], () => answers(url), READY_MS)
  say(`  ${name}: ${url} answers 200`)
  return child
}

const endWell = async ({ processes, say }: Parts, child: Child): Promise<void> => {
  await processes.stop(child, STOP_MS)
  const { code } = await child.exited
  if (code !== 0) throw new Error(`${child.name} did not end with code 0 within ${STOP_MS / 1000} s:\n${tail(child.logFile)}`)
  say(`  ${child.name}: ended with code 0`)
}

const proveAll = async (parts: Parts): Promise<void> => {
  const { place, settings } = parts
  assertRights(await runCommand(parts, 'rights', ['node', '-e', RIGHTS]))
  for (const [name, command] of Object.entries(COMMANDS)) await runCommand(parts, name, ['node', ...command])
  const origin = `http://127.0.0.1:${settings.PORT}`
  const api = await startProcess(parts, 'api', { command: place.config.Cmd, url: `${origin}/health/live` })
  const [, ...health] = place.config.Healthcheck.Test
  await runCommand(parts, 'health-check', health)
  const worker = await startProcess(parts, 'worker', { command: ['node', 'workers/worker.ts'], url: `${origin}/health` })
  for (const [name, command] of Object.entries(COMPARISONS)) await runCommand(parts, name, ['node', ...command])
  const { ports, release } = await choosePorts({ console: 0 })
  const consoleAt = `http://127.0.0.1:${ports.console}`
  const pages = await startProcess(parts, 'console', {
    command: ['node', 'console/main.ts'],
    url: `${consoleAt}/health/live`,
    more: { CONSOLE_PORT: String(ports.console), CONSOLE_URL: consoleAt, CONSOLE_API_URL: origin },
  })
  release()
  for (const child of [pages, worker, api]) await endWell(parts, child)
}

/** Proves that the image is healthy as user id 1000 with a read-only root. Throws with the first thing that is not. */
export const checkImage = async (tool: Tool, image: string, { say, signal }: { say: Say; signal: AbortSignal }): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-image-check-'))
  const given = join(directory, 'given')
  // Only the folder above keeps others out.
  mkdirSync(given)
  chmodSync(given, 0o755)
  const stack = await startStack({ dir: join(directory, 'stack'), services: false, ports: ANY_PORTS, say, signal })
  const processes = createProcesses({ logs: join(directory, 'logs'), recordFile: join(directory, 'processes.json') })
  const place = openPlace(tool, image, given)
  try {
    if (place.config.User !== '1000:1000') throw new Error(`the user of the image is ${place.config.User || 'root'}`)
    await proveAll({ place, processes, settings: settingsFor(stack, given), say })
  } finally {
    processes.close()
    for (const child of processes.children()) if (!child.hasExited()) await processes.stop(child, STOP_MS)
    place.close()
    await stack.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
